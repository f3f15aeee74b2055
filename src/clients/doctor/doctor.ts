import { invalidInput } from '../../errors.ts';
import { sqlite } from '../../files/lock.ts';
import { join } from '../../files/paths.ts';
import type { Domains } from '../../gate/domains/domains.ts';
import { ADAPTERS_FILE } from '../../loader/policy-files.ts';
import { tasteFolder } from '../../memory/io/memory-files.ts';
import { TWO_DEFAULTS } from '../../memory/read-context.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { tidyRegistry } from '../../settings/io/workspace-registry.ts';
import { placed } from '../../settings/resolve.ts';
import { checkSettings } from '../check-settings.ts';
import { NODE_VERSION, PLATFORM } from '../io/client-locations.ts';
import { aside, broken, type Finding, fileFault, finding, folderFault, hint, ok } from '../io/file-faults.ts';
import { checkClients } from './check-clients.ts';
import { checkHome } from './check-home.ts';
import { checkRecord, checkWorkspace, checkWorkspaces } from './check-workspaces.ts';

const LEAST_NODE = [20, 19] as const;
// What can't be fixed there, and should be known.
const WEAKER = hint('system', 'not Linux: some promises are weaker here, and docs/security.md says which');

// Looks at everything and changes nothing. It starts nothing but bearings itself, as install would have it started here: a hostile
// repository is only ever read.
export function doctorUseCases(
  app: AppContext,
  openDomains: () => Promise<Domains>,
  installs: Parameters<typeof checkClients>[0]['installs'],
) {
  return {
    async examine(): Promise<Finding[]> {
      const findings: Finding[] = [
        checkNode(NODE_VERSION, (await sqlite()) !== null),
        ...(PLATFORM === 'linux' ? [] : [WEAKER]),
        ...checkHome(app),
      ];
      const [problem] = await checkSettings(app);
      if (problem) {
        const path = problem.file === ADAPTERS_FILE ? join(app.home, ADAPTERS_FILE) : app.configPath(problem.file);
        return [...findings, broken('config', placed(problem), aside(path, '').fix)];
      }
      const settings = await app.settings();
      findings.push(ok('config', 'the configuration is valid'));
      findings.push(...checkTastes(app, settings), ...checkRecord(app, settings), ...checkWorkspaces(app, settings));
      // Behind a broken home everything else would only look broken too.
      if (findings.some(({ check, status }) => check === 'home' && status === 'broken')) return findings;
      const domains = await openDomains();
      for (const workspace of settings.workspaces())
        findings.push(...(await checkWorkspace({ app, settings, domains }, workspace)));
      findings.push(...(await checkClients({ app, settings, installs })));
      return findings;
    },

    /** Does what a fix of ours names. What it replaces is saved next to it. */
    async fix(what: string): Promise<string> {
      const settings = await app.settings();
      if (what === 'repositories') return `${tidyRegistry(settings.folders)} left`;
      throw invalidInput(`"${what}" can't be fixed by bearings.`, 'See: bearings doctor');
    },
  };
}

function checkNode(version: string, hasSqlite: boolean): Finding {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  const wrong = isOld
    ? `node ${version} is too old: 20.19 at least`
    : hasSqlite
      ? null
      : `node ${version} has no SQLite, and the package libsql is not there: nothing can be written`;
  return wrong ? broken('node', wrong, 'npm install -g n && n 24') : ok('node', `node ${version}`);
}

function checkTastes(app: AppContext, settings: Settings): Finding[] {
  const folder = settings.tastesFolder;
  const fault = folderFault(folder, { optional: true });
  if (fault) return [finding('tastes', app.forPerson(folder), fault)];
  const names = tasteFolder(settings).list();
  const faults = names.flatMap((name) => {
    const { path, scope } = tasteFolder(settings).locate(name);
    const wrong = fileFault(path, { written: true, scope });
    return wrong ? [finding('tastes', `${name}.md`, wrong)] : [];
  });
  if (tasteFolder(settings).readDefault().isDouble) faults.push(hint('tastes', TWO_DEFAULTS, 'bearings edit tastes'));
  if (faults.length > 0) return faults;
  if (!names.includes('_default')) return [hint('tastes', 'there is no default taste yet', 'bearings edit tastes')];
  return [ok('tastes', `${names.length} taste${names.length === 1 ? '' : 's'}`)];
}
