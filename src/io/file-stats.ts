import type { Stats } from 'node:fs';
import { lstatOf } from './path-scope.ts';

/** Size, modified, changed, inode of each file, one after the other; all 0 for what is no plain file. */
export type FileStats = Float64Array;

/** How many numbers tell a file. */
export const NUMBERS = 4;
const CHANGED = 2;
// A file changed this shortly before it was looked at may change again within the same tick of its clock.
const RACY_MS = 20;
const MAY_CHANGE = -1;

export function statsOf(root: string, names: readonly string[]): FileStats {
  const stats = new Float64Array(names.length * NUMBERS);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (let i = 0; i < names.length; i += 1) {
    const stat = lstatOf(prefix + names[i]);
    if (!stat?.isFile()) continue;
    putStat(stats, i, stat);
  }
  return stats;
}

function putStat(stats: FileStats, at: number, { size, mtimeMs, ctimeMs, ino }: Stats): void {
  stats[at * NUMBERS] = size;
  stats[at * NUMBERS + 1] = mtimeMs;
  stats[at * NUMBERS + CHANGED] = ctimeMs;
  stats[at * NUMBERS + 3] = ino;
}

// What may still change within its clock's tick is kept with a time that never comes again.
export function settledStats(stats: FileStats, lookedAt: number): FileStats {
  const kept = stats.slice();
  for (let i = CHANGED; i < kept.length; i += NUMBERS)
    if ((kept[i] as number) > lookedAt - RACY_MS) kept[i] = MAY_CHANGE;
  return kept;
}

/** What tells a file's content by its stat; null for what is no plain file. */
export function statIdentity(stats: FileStats, at: number): string | null {
  const numbers = stats.subarray(at * NUMBERS, (at + 1) * NUMBERS);
  return numbers[3] === 0 ? null : numbers.join(' ');
}

export function bytesOf({ buffer, byteOffset, byteLength }: FileStats): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
