import { closest, typedName } from '../closest.ts';
import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { shownName, whyNotId } from '../safety/hidden-characters.ts';
import {
  findWorkspace,
  gitRoot,
  listWorkspaces,
  type Workspace,
  type WorkspaceFolders,
} from './io/workspace-folders.ts';
import { linkAt, workspaceHere } from './io/workspace-links.ts';

export interface Target {
  id?: string | undefined;
  /** The client's root folder, where a client tells one. */
  root?: string | undefined;
}

const KNOWN_IDS_SHOWN = 10;

// The id of the call, else the one the server was started with, else the client's root, else the nearest upwards.
export function meantWorkspace(
  folders: WorkspaceFolders,
  target: Target,
  start: { standing: string | undefined; only: string | undefined; cwd: string },
): Workspace {
  const id = target.id ?? start.standing;
  const { cwd, only } = start;
  if (id !== undefined) {
    assertId(id);
    // One that this server does not serve is as unknown as one that is not there.
    if (only !== undefined && id !== only)
      throw notFound(`There is no workspace "${id}".`, `This server serves ${only} alone.`, {
        image_id: id,
        known_ids: [only],
      });
    const found = findWorkspace(folders, id, () => workspaceHere(folders, target.root ?? cwd));
    if (found) return found;
    const all = only === undefined ? listWorkspaces(folders, workspaceHere(folders, cwd)) : [];
    const known = all.map((workspace) => workspace.id);
    const near = closest(id, known);
    throw notFound(
      `There is no workspace "${id}".${near ? ` Did you mean ${near}?` : ''}`,
      `${knownIds(known)}Make it with: bearings init ${typedName(id)}`,
      { image_id: id, known_ids: known.slice(0, KNOWN_IDS_SHOWN) },
    );
  }
  const here = (target.root && workspaceHere(folders, target.root)) || workspaceHere(folders, cwd);
  if (here) return unclaimed(folders, here, cwd);
  const known = listWorkspaces(folders, null).map((workspace) => workspace.id);
  const link = linkAt(folders, target.root ?? cwd);
  const make = `bearings init${gitRoot(cwd) === null ? ' NAME' : ''}`;
  const way = link
    ? 'Remove the link: bearings workspaces unlink'
    : known.length > 0
      ? `Name one of them, or make one: ${make}`
      : `Make one with: ${make}`;
  throw notFound(
    link
      ? `This folder uses the workspace "${link.id}", which is gone.`
      : 'No workspace is named, and there is none here.',
    `${knownIds(known)}${way}`,
    { known_ids: known.slice(0, KNOWN_IDS_SHOWN), ...(link ? {} : { nowhere: true }) },
  );
}

export function isNowhere(error: unknown): boolean {
  return error instanceof BearingsError && error.data.nowhere === true;
}

/** Null: nobody named a workspace, and none is meant; what holds for all work still does. */
export function meantOrNone(
  settings: { workspace(target: string | Target): Workspace },
  target: string | Target,
): Workspace | null {
  try {
    return settings.workspace(target);
  } catch (error) {
    if (isNowhere(error)) return null;
    throw error;
  }
}

// A clone says itself what its workspace is called. Where that id leads elsewhere, what is proposed here would go there.
function unclaimed(folders: WorkspaceFolders, here: Workspace, cwd: string): Workspace {
  const { id, folder, kind } = here;
  if (kind === 'home') return here;
  const meant = findWorkspace(folders, id, () => workspaceHere(folders, cwd));
  if (meant === null || meant.folder === folder) return here;
  throw new BearingsError('conflict', `This folder's workspace is called "${id}", and so is another of yours.`, {
    hint: `Use that one here: bearings workspaces link ${typedName(id)}. Or write another id into .bearings/workspace.json.`,
  });
}

/** `why` is stricter for an id that is yet to be given. */
export function assertId(id: string, why: (id: string) => string | null = whyNotId): void {
  const reason = why(id);
  if (!reason) return;
  throw invalidInput(`The workspace id "${shownName(id)}" ${reason}.`, 'Use a plain name, for example: billing-client');
}

function knownIds(ids: string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > KNOWN_IDS_SHOWN ? `, and ${ids.length - KNOWN_IDS_SHOWN} more` : '';
  return `Known: ${ids.slice(0, KNOWN_IDS_SHOWN).join(', ')}${more}. `;
}
