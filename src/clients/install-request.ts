import { closest } from '../closest.ts';
import { invalidInput } from '../errors.ts';
import { resolve } from '../files/paths.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { expandTilde } from '../settings/io/open-app.ts';
import { workspaceHere } from '../settings/io/workspace-links.ts';
import { CLIENTS, type ClientSpec, type Scope } from './client-table.ts';
import { fixLine } from './io/file-faults.ts';

export interface InstallRequest {
  client: string;
  /** Default: the project's file in a repository with a workspace of its own, else the user's. */
  scope?: Scope | undefined;
  workspace?: string | undefined;
  hook?: boolean | undefined;
  /** Only the client's own rules against deciding and writing memory behind the person's back. */
  rules?: boolean | undefined;
  /** Only the client's own memory, put behind the gate. */
  guard?: boolean | undefined;
  /** Only a block of confirmed notes in the file of instructions that it reads. */
  keep?: boolean | undefined;
}

export function clientNamed(id: string): ClientSpec {
  const client = CLIENTS.find((known) => known.id === id);
  if (client) return client;
  const ids = CLIENTS.map((known) => known.id);
  const near = ids.find((known) => id !== '' && (known.startsWith(id) || id.startsWith(known))) ?? closest(id, ids);
  throw invalidInput(
    `There is no client "${id}".`,
    `${near ? `Did you mean: ${near}? ` : ''}Known: ${ids.join(', ')}.`,
  );
}

// A repository with a memory of its own has its client's file too, where the client knows such a file.
export function scopeFor(client: ClientSpec, settings: Settings, cwd: string, wanted: Scope | undefined): Scope {
  if (wanted === 'project' && client.files.project === null)
    throw invalidInput(`${client.title} has no file of its own in a project.`, 'Use: --scope user');
  if (wanted) return wanted;
  return client.files.project !== null && workspaceHere(settings.folders, cwd) !== null ? 'project' : 'user';
}

// In the user's file of a client that tells its root, no workspace: each project finds its own.
export function workspaceFor(
  client: ClientSpec,
  settings: Settings,
  app: AppContext,
  request: { scope: Scope; workspace?: string | undefined },
): string | null {
  if (request.workspace !== undefined) return settings.workspace({ id: request.workspace }).id;
  if (request.scope === 'user' && client.files.project !== null) return null;
  const nearest = workspaceHere(settings.folders, app.cwd);
  if (nearest) return settings.workspace({}).id;
  const known = settings.workspaces();
  if (known.length === 1 && known[0]) return known[0].id;
  if (request.scope === 'project') return null;
  throw invalidInput(
    `${client.title} does not say which project it works on, so name the workspace.`,
    known.length === 0
      ? 'Make one first: bearings init billing-client'
      : `For example: bearings install ${client.id} ${fixLine(...option('--workspace', known[0]?.id ?? 'ID'))}`,
  );
}

// A value that begins like an option is no word of its own.
export function option(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

// Places that are not the usual ones must hold for the server too: a client does not pass our variables on.
export function placeOptions({ home, homeOrigin, variables, cwd }: AppContext): string[] {
  const whole = (path: string | undefined) => (path ? resolve(cwd, expandTilde(path, variables)) : undefined);
  const workspaces = whole(variables.BEARINGS_WORKSPACES);
  const tastes = whole(variables.BEARINGS_TASTES_DIR);
  return [
    ...(homeOrigin === 'default' ? [] : ['--home', home]),
    ...(workspaces ? ['--workspaces', workspaces] : []),
    ...(tastes ? ['--tastes', tastes] : []),
  ];
}
