import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { orNull } from '../errors.ts';
import { sha256 } from './file-fingerprint.ts';
import { namesIn, realPath, statOf } from './paths.ts';
import { textOf } from './read-file.ts';

// Whether anything below changed: times and sizes only, so that asking again and again costs little. Polled because the
// system's own notices are lost on network and container mounts.
export function changeStamp(folders: readonly string[]) {
  const parts: string[] = [];
  let newest = 0;
  const look = (path: string): boolean => {
    const stat = orNull(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    if (!stat) return false;
    parts.push(`${path} ${stat.mtimeNs} ${stat.size} ${stat.ino}`);
    newest = Math.max(newest, Number(stat.mtimeNs / 1_000_000n));
    return stat.isDirectory();
  };
  for (const folder of folders) {
    if (!look(folder)) continue;
    for (const name of namesIn(folder)) {
      if (name.startsWith('.')) continue;
      if (look(join(folder, name)) && name === 'ledger')
        for (const inside of namesIn(join(folder, name))) look(join(folder, name, inside));
    }
    // A session's folder changes when a proposal comes or goes; the proposals themselves never do.
    for (const name of namesIn(join(folder, 'sessions'))) {
      const inside = join(folder, 'sessions', name);
      if (look(inside)) look(join(inside, 'discarded'));
    }
  }
  // The newest: when something of it last changed, in milliseconds.
  return { value: sha256(parts.join('\n')), newest };
}

// Where a checkout keeps its state, `own` for this work tree, `shared` for all work trees of the repository. That is the nearest
// repository above; a linked work tree and a submodule have a file there that says where.
export function gitFolderOf(root: string) {
  for (let folder = root; ; folder = dirname(folder)) {
    const place = join(folder, '.git');
    const stat = statOf(place);
    if (stat) return stat.isDirectory() ? { own: place, shared: place } : linkedFolder(folder, place);
    if (folder === dirname(folder)) return null;
  }
}

function linkedFolder(folder: string, place: string) {
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

/** The commit that is checked out, read without git; null where there is none, or it can't be told. */
export function headOf(root: string): string | null {
  const folder = gitFolderOf(root);
  if (folder === null) return null;
  const head = textOf(join(folder.own, 'HEAD'))?.trim() ?? '';
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  const hash = ref === undefined ? head : (textOf(join(folder.shared, ref))?.trim() ?? packed(folder.shared, ref));
  return hash !== null && /^[0-9a-f]{40,64}$/.test(hash) ? hash : null;
}

function packed(shared: string, ref: string): string | null {
  const line = textOf(join(shared, 'packed-refs'))
    ?.split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}
