import { randomBytes } from 'node:crypto';
import { existsSync, type MakeDirectoryOptions, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError, conflict, ioError } from '../../errors.ts';
import { isInside, isOwnDirectory, namesIn, OWN_FOLDER, realPath, realPlace, statOf } from '../../files/paths.ts';
import { readExact, readText, textOf, whyNotWritable } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseJson } from '../../json.ts';
import { foldedName, whyNotId, whyNotNewId } from '../../safety/hidden-characters.ts';
import { forget, readRegistry, register } from './workspace-registry.ts';

export interface Workspace {
  id: string;
  folder: string;
  kind: 'home' | 'repository';
  /** Made with it, and the same in all its clones: no other workspace of this id has it. Only a repository's, where its init wrote one. */
  made?: string;
  /** The repository; in its `.bearings/` no link is followed. Null: a person's own folder, which may link anywhere. */
  scope: string | null;
}

export interface WorkspaceFolders {
  home: string;
  /** Folders that may be called `.bearings` too and are no workspaces: the home in force and the default one. */
  homes: readonly string[];
  workspaces: string;
}

const IDENTITY = 'workspace.json';
const REMOVED = '.removed';

/** By id: the home's, else the one that counts in the person's current folder, else those remembered. */
export function findWorkspace(
  folders: WorkspaceFolders,
  id: string,
  here: () => Workspace | null = () => null,
): Workspace | null {
  if (whyNotId(id)) return null;
  return inHome(folders, id) ?? withId(here(), id) ?? registered(folders, id);
}

/** One that is known by where it is: never by an id that a folder merely claims. */
export function knownWorkspace(
  folders: WorkspaceFolders,
  { id, root }: { id: string; root: string | null },
): Workspace | null {
  if (whyNotId(id)) return null;
  if (root === null) return inHome(folders, id);
  if (!isOwnDirectory(statOf(join(root, OWN_FOLDER))) || holdsHome(folders, root)) return null;
  return withId(repositoryWorkspace(root), id);
}

export function nearestWorkspace(folders: WorkspaceFolders, from: string): Workspace | null {
  const root = nearestRoot(folders, from);
  return root === null ? null : repositoryWorkspace(root);
}

/** The nearest folder upwards with a `.bearings/`. The home itself has that name too, and is not a workspace. */
export function nearestRoot(folders: Omit<WorkspaceFolders, 'workspaces'>, from: string): string | null {
  const holdsOne = (folder: string) => isOwnDirectory(statOf(join(folder, OWN_FOLDER))) && !holdsHome(folders, folder);
  return foldersUpFrom(from).find(holdsOne) ?? null;
}

/** A folder's real path and all above it. */
export function foldersUpFrom(from: string): string[] {
  const folders: string[] = [];
  for (let folder = realPath(from); folder !== null; folder = folder === dirname(folder) ? null : dirname(folder))
    folders.push(folder);
  return folders;
}

// True when `.bearings/` in this folder is, or would be, a home.
export function holdsHome(folders: Pick<WorkspaceFolders, 'homes'>, folder: string): boolean {
  const own = realPlace(join(folder, OWN_FOLDER));
  return folders.homes.some((home) => realPlace(home) === own);
}

export function listWorkspaces(folders: WorkspaceFolders, here: Workspace | null): Workspace[] {
  const candidates = [
    ...namesIn(folders.workspaces).flatMap((id) => (whyNotId(id) === null ? (inHome(folders, id) ?? []) : [])),
    ...(here ? [here] : []),
    ...readRegistry(folders).flatMap(({ id }) => registered(folders, id) ?? []),
  ];
  const known = new Map<string, Workspace>();
  for (const workspace of candidates) if (!known.has(workspace.id)) known.set(workspace.id, workspace);
  return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

export function createHomeWorkspace(folders: WorkspaceFolders, id: string): Workspace {
  const folder = join(folders.workspaces, id);
  makeFolder(folders.workspaces, 'The folder of all workspaces', { recursive: true, mode: 0o700 });
  makeFolder(folder, `The workspace "${id}"`, { recursive: false, mode: 0o700 });
  return { id, folder, kind: 'home', scope: null };
}

// A repository holds its own memory; the home only remembers where it is, so that its id works from anywhere.
export function createRepositoryWorkspace(
  folders: WorkspaceFolders,
  id: string,
  root: string,
): Workspace & { changed: string[] } {
  const folder = join(root, OWN_FOLDER);
  const isNew = statOf(folder) === null;
  makeFolder(folder, 'The folder .bearings');
  // What was decided under no mark goes on without one.
  const isFirst = !existsSync(join(folder, IDENTITY)) && !existsSync(join(folder, 'ledger'));
  const { made = isFirst ? randomBytes(8).toString('hex') : undefined } = repositoryWorkspace(root);
  writeIdentity(folder, { id, made }, root);
  // Union keeps both sides' lines: after a plain merge nothing is lost and nothing conflicts.
  const unions = ['notes.md', 'notes-archive.md', 'log.jsonl', 'vocabulary_gaps.jsonl'].map(
    (name) => `${name} merge=union`,
  );
  // A chain of hashes must not change its line ends on the way. One file per clone: it never conflicts.
  const changed = [
    ...addLines(join(folder, '.gitattributes'), [...unions, 'ledger/*.jsonl -text'], root),
    // Receipts are of one machine; to commit them would change the very head they name.
    ...addLines(join(folder, '.gitignore'), ['sessions/', 'receipts.jsonl'], root),
  ];
  register(folders, { id, root, ...(isNew ? {} : { was_there: true }) });
  return { ...repositoryWorkspace(root), changed };
}

/** True: this home made the folder, so what a hand wrote there is no stranger's. */
export function isMadeHere(folders: WorkspaceFolders, root: string): boolean {
  return readRegistry(folders).some((entry) => entry.root === root && entry.was_there !== true);
}

/** False: a `.bearings/` that nobody made a workspace yet, with whatever files it holds. */
export function isNamed(workspace: Workspace): boolean {
  return readText(join(workspace.folder, IDENTITY), workspace.scope).status !== 'missing';
}

// What stood there stays; the lines that came into a file which was there before are told.
function addLines(path: string, lines: readonly string[], scope: string): string[] {
  const file = readExact(path, scope);
  const isText = file.status !== 'ok' || file.value.valid;
  if (file.status === 'unreadable' || !isText) {
    const reason = file.status === 'unreadable' ? file.reason : 'it is not UTF-8 text';
    throw conflict(`${basename(path)} is left alone: ${reason}.`, 'Move it aside, then try again.');
  }
  const before = file.status === 'ok' ? file.value.text : '';
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return [];
  const open = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  atomicWrite(path, `${open}${missing.join('\n')}\n`, 0o644, scope);
  return file.status === 'missing' ? [] : missing.map((line) => `${OWN_FOLDER}/${basename(path)} + ${line}`);
}

/** Where it will be under another name. */
export function renamedTo(folders: WorkspaceFolders, workspace: Workspace, id: string): Workspace {
  return workspace.kind === 'repository'
    ? { ...workspace, id }
    : { ...workspace, id, folder: join(folders.workspaces, id) };
}

export function renameWorkspace(folders: WorkspaceFolders, workspace: Workspace, id: string): Workspace {
  if (workspace.kind === 'repository') {
    const root = dirname(workspace.folder);
    assertStaysInside(workspace, IDENTITY);
    writeIdentity(workspace.folder, { id, made: workspace.made }, workspace.scope);
    const before = readRegistry(folders).find((entry) => entry.root === root);
    forget(folders, workspace.id);
    register(folders, { ...(before ?? { root, was_there: true }), id });
    return repositoryWorkspace(root);
  }
  const renamed = renamedTo(folders, workspace, id);
  renameSync(workspace.folder, renamed.folder);
  return renamed;
}

// Nothing is deleted: a folder of the home moves aside, a repository's own stays where it is and is only forgotten.
export function removeWorkspace(folders: WorkspaceFolders, workspace: Workspace, stamp: string): string {
  if (workspace.kind === 'repository') {
    forget(folders, workspace.id);
    return workspace.folder;
  }
  const aside = join(folders.workspaces, REMOVED, `${workspace.id}_${stamp}`);
  mkdirSync(dirname(aside), { recursive: true });
  renameSync(workspace.folder, aside);
  return aside;
}

/** Of all workspaces, also of those that were moved aside: where copies of a text may lie. */
export function everyWorkspaceFolder(settings: { folders: WorkspaceFolders; workspaces(): Workspace[] }) {
  const aside = join(settings.folders.workspaces, REMOVED);
  const removed = namesIn(aside).map((name) => ({ folder: join(aside, name), scope: null }));
  return [...settings.workspaces().map(({ folder, scope }) => ({ folder, scope })), ...removed];
}

// A cloned repository may hold links: nothing of ours is written through one.
export function assertStaysInside(workspace: Workspace, name: string): void {
  const reason = whyNotWritable(workspace.scope, join(workspace.folder, name));
  if (reason === null) return;
  throw new BearingsError('conflict', `${name} of "${workspace.id}" can't be used: ${reason}.`, {
    hint: 'Put a plain file or folder in the place of the link, then try again.',
  });
}

export function gitRoot(from: string): string | null {
  return foldersUpFrom(from).find((folder) => existsSync(join(folder, '.git'))) ?? null;
}

function inHome(folders: WorkspaceFolders, id: string): Workspace | null {
  const folder = join(folders.workspaces, id);
  const root = realPath(folders.workspaces);
  const real = realPath(folder);
  if (root === null || real === null || !isInside(root, real) || !statOf(real)?.isDirectory()) return null;
  // Where file names ignore case, `Manta` would open `manta`: one folder has one id. Its composed form may be the disk's choice.
  const name = basename(real);
  const isOtherCase = name.normalize('NFC') !== id.normalize('NFC') && foldedName(name) === foldedName(id);
  if (dirname(real) === root && isOtherCase) return null;
  return { id, folder, kind: 'home', scope: null };
}

function repositoryWorkspace(root: string): Workspace {
  const folder = join(root, OWN_FOLDER);
  const { id, made } = writtenIdentity(folder, root);
  return { id: id ?? basename(root), folder, kind: 'repository', scope: root, ...(made && { made }) };
}

function writtenIdentity(folder: string, scope: string): { id?: string; made?: string } {
  const value = parseJson(textOf(join(folder, IDENTITY), scope) ?? '');
  if (!isRecord(value)) return {};
  const { id, made } = value;
  return {
    ...(typeof id === 'string' && whyNotNewId(id) === null && { id }),
    ...(typeof made === 'string' && /^[0-9a-f]{16}$/.test(made) && { made }),
  };
}

function writeIdentity(folder: string, identity: { id: string; made: string | undefined }, scope: string | null): void {
  atomicWrite(join(folder, IDENTITY), `${JSON.stringify(identity, null, 2)}\n`, 0o644, scope);
}

function withId(workspace: Workspace | null, id: string): Workspace | null {
  return workspace?.id === id ? workspace : null;
}

function registered(folders: WorkspaceFolders, id: string): Workspace | null {
  const entry = readRegistry(folders).find((candidate) => candidate.id === id);
  return entry ? knownWorkspace(folders, entry) : null;
}

/** Why a repository's id is only guessed from its folder's name; null where it is written. */
export function identityFault({ folder, scope }: Workspace): string | null {
  if (scope === null || writtenIdentity(folder, scope).id !== undefined) return null;
  return existsSync(join(folder, IDENTITY)) ? 'holds no id' : 'is not there';
}

function makeFolder(folder: string, what: string, options: MakeDirectoryOptions = { recursive: true }): void {
  try {
    mkdirSync(folder, options);
  } catch (error) {
    throw ioError(`${what} can't be made`, error);
  }
}
