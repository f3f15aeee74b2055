import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, statSync } from 'node:fs';
import { isInside, realPath } from './path-scope.ts';
import { codeOf, reasonOf } from './system-error.ts';

export interface OpenFile {
  fd: number;
  size: number;
  stat: BigIntStats;
}

export type FileResult<T> =
  | { status: 'ok'; value: T }
  | { status: 'missing' }
  | { status: 'unreadable'; reason: string };

// Opens a regular file for reading and nothing else: never waits on a FIFO, never reads a device, and with a `scope`
// never a file whose real place is outside that folder.
export function withFile<T>(path: string, scope: string | null, use: (file: OpenFile) => T): FileResult<T> {
  let fd: number;
  try {
    // Asked first, because a failing open costs ten times as much, and a brief may name thousands of files.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { status: 'missing' };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'its link leads nowhere' : reasonOf(error);
    return { status: 'unreadable', reason };
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (stat.isDirectory()) return { status: 'unreadable', reason: 'it is a directory' };
    if (!stat.isFile()) return { status: 'unreadable', reason: 'it is not a regular file' };
    if (scope !== null && !isOpenedInside(scope, path, stat)) {
      return { status: 'unreadable', reason: 'its link leads out of the folder' };
    }
    return { status: 'ok', value: use({ fd, size: Number(stat.size), stat }) };
  } catch (error) {
    return { status: 'unreadable', reason: reasonOf(error) };
  } finally {
    closeSync(fd);
  }
}

// Checked after opening, on the opened inode: a link swapped between check and use changes nothing.
function isOpenedInside(scope: string, path: string, opened: BigIntStats): boolean {
  const root = realPath(scope);
  const real = realPath(path);
  if (root === null || real === null || !isInside(root, real)) return false;
  const there = statSync(real, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === opened.ino && there.dev === opened.dev;
}
