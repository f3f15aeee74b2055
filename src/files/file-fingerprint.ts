import type { Stats } from 'node:fs';
import { lstatOf } from './path-scope.ts';

/**
 * Size, time of modification, time of change and inode of files, one after another; all 0 where there is no plain file. The
 * time of change is not a number where the file is too young to be told from its next version: such a file is never the same.
 */
export type Fingerprints = Float64Array;

/** How many numbers tell a file. */
export const FINGERPRINT_NUMBERS = 4;
const [SIZE, MODIFIED, CHANGED, INODE] = [0, 1, 2, 3];

// Longer than the tick of the clock that dates a file. Where only seconds are kept, a tick is up to two of them.
const TICK_MS = { fine: 50, coarse: 2_000 };

/** Whoever changed a file so shortly before it was seen may change it again, and its stat would be the same. */
export function isTooYoung(changedMs: number, seenMs: number): boolean {
  return changedMs > seenMs - (changedMs % 1_000 === 0 ? TICK_MS.coarse : TICK_MS.fine);
}

export function fingerprintsOf(root: string, names: readonly string[], seenAt = Date.now()): Fingerprints {
  const prints = new Float64Array(names.length * FINGERPRINT_NUMBERS);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (let i = 0; i < names.length; i += 1) {
    const stat = lstatOf(prefix + names[i]);
    if (stat?.isFile()) putFingerprint(prints, i, stat, seenAt);
  }
  return prints;
}

function putFingerprint(prints: Fingerprints, at: number, stat: Stats, seenAt: number): void {
  const start = at * FINGERPRINT_NUMBERS;
  prints[start + SIZE] = stat.size;
  prints[start + MODIFIED] = stat.mtimeMs;
  prints[start + CHANGED] = isTooYoung(stat.ctimeMs, seenAt) ? Number.NaN : stat.ctimeMs;
  prints[start + INODE] = stat.ino;
}

export function isPlainFile(prints: Fingerprints, at: number): boolean {
  return prints[at * FINGERPRINT_NUMBERS + INODE] !== 0;
}

/** Whether two fingerprints are of the same content. */
export function isSameFile(a: Fingerprints, atA: number, b: Fingerprints, atB: number): boolean {
  for (let i = 0; i < FINGERPRINT_NUMBERS; i += 1)
    if (a[atA * FINGERPRINT_NUMBERS + i] !== b[atB * FINGERPRINT_NUMBERS + i]) return false;
  return true;
}
