import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { orNull } from '../errors.ts';
import { lstatOf } from './paths.ts';

/**
 * Size, time of modification, time of change and inode of files, one after another; all 0 where there is no plain file. The
 * time of change is not a number where the file is too young to be told from its next version: such a file is never the same.
 */
export type Fingerprints = Float64Array;

/** How many numbers tell a file. */
export const FINGERPRINT_NUMBERS = 4;
const INODE = 3;

// Longer than the tick of the clock that dates a file. Where only seconds are kept, a tick is up to two of them.
const TICK_MS = { fine: 50, coarse: 2_000 };

/** Whoever changed a file so shortly before it was seen may change it again, and its stat would be the same. */
export function isTooYoung(changedMs: number, seenMs: number): boolean {
  return changedMs > seenMs - (changedMs % 1_000 === 0 ? TICK_MS.coarse : TICK_MS.fine);
}

export function fingerprintsOf(root: string, names: readonly string[], seenAt = Date.now()): Fingerprints {
  const prints = new Float64Array(names.length * FINGERPRINT_NUMBERS);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (const [at, name] of names.entries()) {
    const stat = lstatOf(prefix + name);
    if (!stat?.isFile()) continue;
    const changed = isTooYoung(stat.ctimeMs, seenAt) ? Number.NaN : stat.ctimeMs;
    prints.set([stat.size, stat.mtimeMs, changed, stat.ino], at * FINGERPRINT_NUMBERS);
  }
  return prints;
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

// In the types of the package, which name no module of Node.
type Stat = Record<'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint> | undefined;

/** What was worked out from some files, for as long as none of them changes. In the memory of this process only. */
export interface FileMemo<T> {
  get(stats: readonly Stat[], name?: string): T | null;
  /** `name` tells apart what comes from the same files, or from files that are not there: of each only the last is kept. */
  put(stats: readonly Stat[], value: T, name?: string): void;
}

// A file changed within one tick of the file system's clock keeps its times: what is that fresh is not remembered.
const MOST_ENTRIES = 64;

export function fileMemo<T>(now: () => Date, mostEntries = MOST_ENTRIES): FileMemo<T> {
  const known = new Map<string, { state: string; value: T }>();
  return {
    get(stats, name = '') {
      const state = keyOf(stats);
      const last = known.get(name || state);
      return last?.state === state ? last.value : null;
    },
    put(stats, value, name = '') {
      const times = stats.flatMap((stat) => (stat ? [stat.mtimeNs, stat.ctimeNs] : []));
      if (times.some((time) => isTooYoung(Number(time) / 1_000_000, now().getTime()))) return;
      const state = keyOf(stats);
      known.set(name || state, { state, value });
      const [oldest] = known.keys();
      if (known.size > mostEntries && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Of some files; undefined for one that is not there or not to be reached. */
export function statsOf(paths: readonly string[]): Stat[] {
  return paths.map((path) => orNull(() => statSync(path, { bigint: true, throwIfNoEntry: false })) ?? undefined);
}

function keyOf(stats: readonly Stat[]): string {
  return stats
    .map((stat) => (stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-'))
    .join('|');
}

export function sha256(whole: string | Uint8Array): string {
  return hash('sha256', whole);
}
