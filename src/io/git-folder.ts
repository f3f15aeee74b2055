import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { withFile } from './open-file.ts';
import { realPath } from './path-scope.ts';
import { readRange, readText } from './read-text.ts';

/** Where a checkout keeps its state: `own` for this work tree, `shared` for all work trees of the repository. */
export interface GitFolder {
  own: string;
  shared: string;
}

const CHECKSUM = 20;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

// The nearest repository above; a linked work tree and a submodule have a file there that says where.
export function gitFolderOf(root: string): GitFolder | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const place = join(folder, '.git');
    const kind = kindOf(place);
    if (kind === 'folder') return { own: place, shared: place };
    if (kind === 'file') return linkedFolder(folder, place);
    if (folder === dirname(folder)) return null;
  }
}

function kindOf(place: string): 'folder' | 'file' | null {
  try {
    return statSync(place).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

function linkedFolder(folder: string, place: string): GitFolder | null {
  const named = /^gitdir: (.+)/.exec(textOf(place) ?? '')?.[1];
  if (named === undefined) return null;
  const own = resolve(folder, named);
  const shared = textOf(join(own, 'commondir'))?.trim();
  return { own, shared: shared ? resolve(own, shared) : own };
}

/** The tops of all work trees of a repository, the first one first: only such as the repository and the folder agree on. */
export function workTrees(root: string): string[] {
  const shared = realPath(gitFolderOf(root)?.shared ?? '');
  if (shared === null) return [];
  const main = basename(shared) === '.git' ? [dirname(shared)] : [];
  const linked = namesIn(join(shared, 'worktrees')).flatMap((name) => {
    const own = join(shared, 'worktrees', name);
    const place = realPath(resolve(own, textOf(join(own, 'gitdir'))?.trim() ?? ''));
    return place !== null && basename(place) === '.git' ? [dirname(place)] : [];
  });
  const isOne = (folder: string) => realPath(gitFolderOf(folder)?.shared ?? '') === shared;
  return [...main, ...linked].filter(isOne);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False where the repository's own settings could make git run a program while it compares files. */
export function hasPlainSettings({ own, shared }: GitFolder): boolean {
  const settings = textOf(join(shared, 'config'));
  const more = textOf(join(own, 'config.worktree')) ?? '';
  return settings !== null && !/filter|include/i.test(settings + more);
}

/** Tells one state of git's index from another; null where there is none. */
export function indexMark({ own }: GitFolder): string | null {
  const read = withFile(join(own, 'index'), null, ({ fd, size, stat: { mtimeNs, ctimeNs, ino } }) => {
    const checksum = readRange(fd, Math.max(0, size - CHECKSUM), CHECKSUM).toString('hex');
    return [size, mtimeNs, ctimeNs, ino, checksum].join(' ');
  });
  return read.status === 'ok' ? read.value : null;
}

/** The commit that is checked out, as far as plain files tell it: null means ask git. */
export function headIn({ own, shared }: GitFolder): string | null {
  const head = textOf(join(own, 'HEAD'))?.trim() ?? '';
  if (COMMIT.test(head)) return head;
  const branch = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (branch === undefined || branch.includes('..')) return null;
  const loose = textOf(join(shared, branch))?.trim();
  if (loose !== undefined) return COMMIT.test(loose) ? loose : null;
  const packed = (textOf(join(shared, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${branch}`));
  const commit = packed?.split(' ')[0] ?? '';
  return COMMIT.test(commit) ? commit : null;
}

function textOf(path: string): string | null {
  const read = readText(path, null);
  return read.status === 'ok' ? read.value.text : null;
}
