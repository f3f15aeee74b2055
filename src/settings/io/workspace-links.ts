import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitFolderOf, workTrees } from '../../files/folders.ts';
import { isInside, realPath } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord } from '../../json.ts';
import {
  gitRoot,
  knownWorkspace,
  nearestWorkspace,
  type Workspace,
  type WorkspaceFolders,
} from './workspace-folders.ts';
import { readJsonList, writeList } from './workspace-registry.ts';

/** A work tree or clone that uses a workspace from elsewhere, because the person said so. */
export interface Link {
  /** The top of the work tree: its real path. */
  folder: string;
  /** Also written into its git folder, which no clone and no pull ever brings along. */
  mark: string;
  id: string;
  /** The repository that holds the workspace; null: it is among the home's. */
  root: string | null;
}

export type LinkState = 'followed' | 'workspace gone' | 'folder gone' | 'another repository';

const MARK_FILE = 'bearings-link';

// What counts in a folder: the person's link, else the nearest `.bearings/`. One further down is nearer than a link.
export function workspaceHere(folders: WorkspaceFolders, from: string): Workspace | null {
  const own = nearestWorkspace(folders, from);
  const link = linkAt(folders, from);
  const isNearer = link !== null && own?.scope != null && own.scope !== link.folder && isInside(link.folder, own.scope);
  return link === null || isNearer ? own : knownWorkspace(folders, link);
}

/** The link that is followed in this folder, whether or not its workspace is still there. */
export function linkAt(folders: WorkspaceFolders, from: string): Link | null {
  const links = readLinks(folders);
  if (links.length === 0) return null;
  const root = gitRoot(from);
  return links.find((link) => link.folder === root && isMarked(link)) ?? null;
}

export function listLinks(folders: WorkspaceFolders): (Link & { state: LinkState })[] {
  return readLinks(folders).map((link) => ({ ...link, state: stateOf(folders, link) }));
}

/** False where the folder's git state lies elsewhere without naming this folder: then anybody could claim it. */
export function canLink(root: string): boolean {
  return markPath(root) !== null;
}

export function linkFolder(folders: WorkspaceFolders, root: string, workspace: Workspace): void {
  const path = markPath(root);
  if (path === null) return;
  // Loaded only here: every start would pay for it.
  const mark = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  atomicWrite(path, `${mark}\n`, 0o600);
  const target = { id: workspace.id, root: workspace.kind === 'home' ? null : dirname(workspace.folder) };
  const others = readLinks(folders).filter(({ folder }) => folder !== root);
  writeList(linksPath(folders), [...others, { folder: root, mark, ...target }]);
}

export function unlinkFolder(folders: WorkspaceFolders, folder: string): Link | null {
  const links = readLinks(folders);
  const link = links.find((candidate) => candidate.folder === folder);
  if (!link) return null;
  const path = isMarked(link) ? markPath(folder) : null;
  writeList(
    linksPath(folders),
    links.filter((candidate) => candidate !== link),
  );
  if (path !== null) rmSync(path, { force: true });
  return link;
}

// A workspace that gets another id keeps its links; one that is taken away loses them.
export function carryLinks(folders: WorkspaceFolders, workspace: Workspace, id: string | null): void {
  const links = readLinks(folders);
  const root = workspace.kind === 'home' ? null : dirname(workspace.folder);
  const leadsThere = (link: Link) => link.id === workspace.id && link.root === root;
  if (!links.some(leadsThere)) return;
  writeList(
    linksPath(folders),
    links.flatMap((link) => (!leadsThere(link) ? [link] : id === null ? [] : [{ ...link, id }])),
  );
}

function stateOf(folders: WorkspaceFolders, link: Link): LinkState {
  if (realPath(link.folder) !== link.folder) return 'folder gone';
  if (!isMarked(link)) return 'another repository';
  return knownWorkspace(folders, link) ? 'followed' : 'workspace gone';
}

function isMarked({ folder, mark }: Link): boolean {
  const path = markPath(folder);
  return path !== null && textOf(path)?.trim() === mark;
}

function markPath(root: string): string | null {
  const git = gitFolderOf(root);
  if (git === null) return null;
  const isOwn = git.own === join(root, '.git') && realPath(git.own) === git.own;
  return isOwn || workTrees(root).includes(root) ? join(git.own, MARK_FILE) : null;
}

const linksPath = ({ home }: WorkspaceFolders) => join(home, 'links.json');
const readLinks = (folders: WorkspaceFolders) => readJsonList(linksPath(folders), isLink);

function isLink(value: unknown): value is Link {
  return (
    isRecord(value) &&
    [value.folder, value.mark, value.id].every((text) => typeof text === 'string') &&
    (value.root === null || typeof value.root === 'string')
  );
}
