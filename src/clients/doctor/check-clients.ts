import { BearingsError } from '../../errors.ts';
import { dirname } from '../../files/paths.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { gitRoot } from '../../settings/io/workspace-folders.ts';
import { entryState, hookTools, toolsFor, workspaceIn } from '../client-entry.ts';
import { CLIENTS, isHookKind, type Launch, launchIn } from '../client-table.ts';
import { type Installed, installRecords } from '../io/client-file.ts';
import { missingProgram, shellWord } from '../io/client-locations.ts';
import type { Finding } from './finding.ts';

// Each client that was set up from here: is its file whole, is our entry in it, and does what it starts exist?
export async function checkClients(app: AppContext, settings: Settings): Promise<Finding[]> {
  const records = installRecords(app.home).list();
  const findings = await Promise.all(records.map((record) => checkClient(app, settings, record)));
  if (findings.length > 0) return findings;
  return [{ check: 'clients', status: 'hint', what: 'no client is set up yet', fix: 'bearings install' }];
}

async function checkClient(app: AppContext, settings: Settings, record: Installed): Promise<Finding> {
  const { client, scope, what, name, path } = record;
  const spec = CLIENTS.find(({ id }) => id === client);
  const file = app.forPerson(path);
  const of = (status: Finding['status'], text: string, fix: string | null): Finding => ({
    check: client,
    status,
    what: `${file} ${text}`,
    fix,
  });
  if (!spec) return of('hint', 'belongs to a client this version does not know', null);
  // Rules start nothing; whether they are kept is the client's.
  if (what === 'rules') return of('ok', 'has the rules', null);
  const tools = isHookKind(what) ? await hookTools(what) : await toolsFor(spec, name);
  const again = (...more: string[]) =>
    [
      ...(scope === 'project' ? ['cd', shellWord(gitRoot(dirname(path)) ?? dirname(path)), '&&'] : []),
      ...['bearings', 'install', client, '--scope', scope],
      ...(name === 'bearings' ? [] : ['--name', name]),
      ...more,
      '--yes',
    ].join(' ');
  let look: ReturnType<typeof entryState>;
  try {
    look = entryState(path, file, tools);
  } catch (error) {
    return of('broken', error instanceof BearingsError ? error.message : 'can’t be read', null);
  }
  if (look.status === 'broken') return of('broken', `is broken: ${look.reason}. Fix that line by hand`, null);
  if (look.status === 'absent') return of('broken', 'holds no entry of ours any more', again('--undo'));
  const launch = isHookKind(what) ? hookLaunch(look.value) : launchIn(look.value);
  const workspace = isHookKind(what) ? null : workspaceIn(launch.args);
  const missing = launch.command === '' ? 'names no program' : missingProgram(launch, app.variables);
  if (missing)
    return of('broken', `is out of date: ${missing}`, again(...(workspace ? ['--workspace', workspace] : [])));
  if (workspace !== null && !settings.workspaces().some(({ id }) => id === workspace))
    return of(
      'broken',
      `names the workspace "${workspace}", which is not there`,
      `bearings init ${shellWord(workspace)}`,
    );
  return of('ok', `has the ${what.replace('_', ' ')}${workspace ? ` for ${workspace}` : ''}`, null);
}

function hookLaunch(value: unknown): Launch {
  const line = String((value as { hooks?: { command?: string }[] }).hooks?.[0]?.command ?? '');
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single?.replaceAll("'\\''", "'") ?? double ?? plain ?? '',
  );
  return { command: words[0] ?? '', args: words.slice(1) };
}
