import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** What a repository keeps its memory in. */
export const OWN_FOLDER = '.bearings';
export const NO_LINKS = "links are not followed in a repository's .bearings";
export const LEADS_OUT = 'its link leads out of the folder';
export const TWO_NAMES = 'it has a second name elsewhere (a hard link)';

// By segments, not by prefix: /data/ab is not inside /data/a.
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

// The path with every link followed, or null where nothing exists.
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** A repository's `.bearings/` is regular files in that one folder: in it no link counts, wherever it leads. */
export function isPlainOnly(root: string, path: string): boolean {
  const own = join(root, OWN_FOLDER);
  return path === own || path.startsWith(own + sep);
}

/** Where a path really is, if that is where it may be; else null. */
export function placeInside(root: string, path: string): string | null {
  const real = realPath(path);
  return real !== null && isPlaceInside(root, path, real) ? real : null;
}

/** Whether `real`, where `path` was found to lead, is where it may be. */
export function isPlaceInside(root: string, path: string, real: string): boolean {
  const realRoot = realPath(root);
  if (realRoot === null) return false;
  return isPlainOnly(root, path) ? real === join(realRoot, relative(root, path)) : isInside(realRoot, real);
}

// Whatever is there itself, a link not followed; undefined for nothing, and where a folder on the way is closed.
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// True when writing to `path` can't land outside `root`: also for a file or folders that are yet to be made, never by a dangling link.
export function staysInside(root: string, path: string): boolean {
  let there = path;
  while (there !== root && there !== dirname(there) && lstatSync(there, { throwIfNoEntry: false }) === undefined)
    there = dirname(there);
  return placeInside(root, there) !== null;
}

export function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

// In a shared folder such as /tmp another user could plant a `.bearings/` above ours.
export function isOwnDirectory(stat: Stats | null): boolean {
  if (!stat?.isDirectory()) return false;
  const me = process.getuid?.();
  return me === undefined || me === 0 || stat.uid === me || stat.uid === 0;
}

/** What a folder holds, in order; nothing where it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
