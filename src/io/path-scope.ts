import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';

// By segments, not by prefix: /data/ab is not inside /data/a.
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

// The path with every link followed, or null where nothing stands.
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

// Whatever stands there itself, a link not followed; undefined for nothing, and where a folder on the way is closed.
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// True when writing to `path` can't land outside `root`: also for a file that is yet to be made, never by a dangling link.
export function staysInside(root: string, path: string): boolean {
  const realRoot = realPath(root);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const real = realPath(isThere ? path : dirname(path));
  return realRoot !== null && real !== null && isInside(realRoot, real);
}
