import { BearingsError, orNull } from '../../errors.ts';
import { dirname, searchPath } from '../../files/paths.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { gitRoot } from '../../settings/io/workspace-folders.ts';
import { entryState, toolsOf, workspaceIn } from '../client-entry.ts';
import { eventOf, type HookEvent, hookLine, isHookKind } from '../client-hooks.ts';
import { CLIENTS, type Launch, launchIn } from '../client-table.ts';
import type { installUseCases } from '../install.ts';
import { type Installed, installRecords } from '../io/client-file.ts';
import { answerOf, locationPath, missingProgram, projectOnPath, shellWord } from '../io/client-locations.ts';
import { broken, type Finding, hint, ok } from '../io/file-faults.ts';
import { leftAside } from '../io/guarded-files.ts';
import { pluginCommand } from '../io/opencode-plugin.ts';

type NotesBlock = Awaited<ReturnType<ReturnType<typeof installUseCases>['notesBlocks']>>[number];

/** `installs` says what install would write here, and how the blocks are that are kept. */
interface Checked {
  app: AppContext;
  settings: Settings;
  installs: Pick<ReturnType<typeof installUseCases>, 'planInstall' | 'notesBlocks'>;
}

// Each client that was set up from here: is its file whole, is our entry in it, does what it starts exist, and does it answer? Only what
// install itself would write here is started; any other entry is shown.
export async function checkClients(checked: Checked): Promise<Finding[]> {
  const all = installRecords(checked.app.home).list();
  const records = all.filter(({ what }) => what !== 'notes block');
  const findings = (await checked.installs.notesBlocks()).map(blockFinding);
  // A few at once: each starts a program.
  while (records.length > 0)
    findings.push(...(await Promise.all(records.splice(0, 4).map((record) => checkClient(checked, record)))));
  findings.push(...(await entriesOfOthers(checked.app, all)));
  const { cwd, variables } = checked.app;
  const onPath = projectOnPath(variables, gitRoot(cwd) ?? cwd);
  if (onPath !== null) findings.push(hint('path', onPath));
  return findings.length > 0 ? findings : [hint('clients', 'no client is set up yet', 'bearings install')];
}

function blockFinding({ record, root, file, state, problem }: NotesBlock): Finding {
  const fix = `cd ${shellWord(root)} && bearings export --keep ${record.client}`;
  if (problem !== null) return broken(record.client, `${file} ${problem}`, fix);
  if (state === 'current') return ok(record.client, `${file} has the confirmed notes`);
  return hint(record.client, `${file} does not have the last decisions yet`, fix);
}

// An entry of our name in the project's files that install did not write: a clone may have brought it.
async function entriesOfOthers(app: AppContext, records: readonly Installed[]): Promise<Finding[]> {
  const project = gitRoot(app.cwd) ?? app.cwd;
  const findings = CLIENTS.map(async (client): Promise<Finding[]> => {
    const path = client.files.project && locationPath(client.files.project, project, app.variables);
    if (path === null || records.some((record) => record.path === path)) return [];
    const tools = await toolsOf(client, 'server', app.home);
    // A file that can't be read starts nothing.
    const look = orNull(() => entryState(path, app.forPerson(path), tools));
    if (look?.status !== 'present') return [];
    return [hint(client.id, `${app.forPerson(path)} ${notStarted(launchIn(look.value))}`)];
  });
  return (await Promise.all(findings)).flat();
}

const notStarted = ({ command, args }: Launch) =>
  `starts "${[command, ...args].join(' ').slice(0, 200)}", which install would not write here: it was not started`;

async function checkClient({ app, settings, installs }: Checked, record: Installed): Promise<Finding> {
  const { client, scope, what, path } = record;
  const spec = CLIENTS.find(({ id }) => id === client);
  const file = app.forPerson(path);
  const of = (report: typeof ok, text: string, fix: string | null = null) => report(client, `${file} ${text}`, fix);
  if (!spec) return of(hint, 'belongs to a client this version does not know');
  // Rules start nothing; whether they are kept is the client's.
  if (what === 'rules') return of(ok, 'has the rules');
  const again = (...more: string[]) =>
    [
      ...(scope === 'project' ? ['cd', shellWord(gitRoot(dirname(path)) ?? dirname(path)), '&&'] : []),
      ...['bearings', 'install', client, '--scope', scope],
      ...more,
      '--yes',
    ].join(' ');
  let look: ReturnType<typeof entryState>;
  try {
    look = entryState(path, file, await toolsOf(spec, what, app.home));
  } catch (error) {
    return of(broken, error instanceof BearingsError ? error.message : 'can’t be read');
  }
  if (what === 'guard' || what === 'memory switch') {
    const isOn = look.status === 'present' && look.value === (what === 'guard');
    if (!isOn) return of(broken, 'no longer guards its own memory', `bearings install ${client} --guard`);
    const left = what === 'guard' ? leftAside(app.home, client) : [];
    if (left.length > 0) return of(hint, notOffered(left.map((each) => app.forPerson(each))));
    return of(ok, what === 'guard' ? `guards the memory of ${spec.title}` : 'has its own memory switched off');
  }
  if (look.status === 'broken') return of(broken, `is broken: ${look.reason}. Fix that line by hand`);
  if (look.status === 'absent') return of(broken, 'holds no entry of ours any more', again('--undo'));
  const launch = isHookKind(what) ? hookLaunch(look.value, eventOf(what)) : launchIn(look.value);
  const workspace = workspaceIn(launch.args);
  const project = gitRoot(app.cwd) ?? app.cwd;
  const missing =
    launch.command === '' ? 'names no program' : missingProgram(launch, searchPath(app.variables.PATH, project));
  if (missing) return of(broken, `is out of date: ${missing}`, again(...(workspace ? ['--workspace', workspace] : [])));
  if (workspace !== null && !settings.workspaces().some(({ id }) => id === workspace))
    return of(
      broken,
      `names the workspace "${workspace}", which is not there`,
      `bearings init ${shellWord(workspace)}`,
    );
  const has = `has the ${what}${workspace ? ` for ${workspace}` : ''}`;
  const planned = await installs.planInstall({ client, scope, workspace: workspace ?? undefined }).catch(() => null);
  const change = planned?.changes.find((each) => each.what === what && each.path === path);
  if (planned && !change) return of(ok, `${has}; it is started by a doctor in its own project`);
  if (change?.how !== 'same') return of(hint, notStarted(launch), again());
  const answer = await answerOf(launch, { variables: app.variables, project, isServer: what === 'server' });
  return answer === null ? of(broken, `${has}, which does not answer`, again()) : of(ok, `${has}: ${answer}`);
}

const notOffered = (paths: readonly string[]) =>
  `guards its memory; what can’t be proposed, or not whole, lies in ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;

function hookLaunch(value: unknown, event: HookEvent): Launch {
  if (typeof value === 'string') {
    const [command = '', ...args] = pluginCommand(value, event);
    return { command, args };
  }
  const words = [...hookLine(value).matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single?.replaceAll("'\\''", "'") ?? double ?? plain ?? '',
  );
  return { command: words[0] ?? '', args: words.slice(1) };
}
