import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

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

export function isLinkInside(path: string, scope: string): boolean {
  const real = realPath(path);
  const root = realPath(scope);
  return real !== null && root !== null && isInside(root, real);
}
