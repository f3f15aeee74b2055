import { type BigIntStats, statSync } from 'node:fs';
import { isTooYoung } from './file-fingerprint.ts';

type Stat = BigIntStats | undefined;

/** What was worked out from some files, for as long as none of them changes. In the memory of this process only. */
export interface FileMemo<T> {
  get(stats: readonly Stat[], name?: string): T | null;
  /** `name` tells apart what comes from the same files, or from files that are not there. */
  put(stats: readonly Stat[], value: T, name?: string): void;
}

// A file changed within one tick of the file system's clock keeps its times: what is that fresh is not remembered.
const MOST_ENTRIES = 64;

export function fileMemo<T>(now: () => Date, mostEntries = MOST_ENTRIES): FileMemo<T> {
  const known = new Map<string, T>();
  return {
    get: (stats, name = '') => known.get(`${name}|${keyOf(stats)}`) ?? null,
    put(stats, value, name = '') {
      if (stats.some((stat) => stat && isFresh(stat, now().getTime()))) return;
      known.set(`${name}|${keyOf(stats)}`, value);
      const [oldest] = known.keys();
      if (known.size > mostEntries && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Of things that come from one file: which of them hold, for as long as that file stays as it is. */
export interface FileFacts<K extends object> {
  holds(of: K, stat: Stat): boolean;
  put(of: K, stat: Stat): void;
}

export function fileFacts<K extends object>(now: () => Date): FileFacts<K> {
  const known = new WeakMap<K, BigIntStats>();
  return {
    holds(of, stat) {
      const before = known.get(of);
      return stat !== undefined && before !== undefined && isSame(before, stat);
    },
    put(of, stat) {
      if (stat && !isFresh(stat, now().getTime())) known.set(of, stat);
    },
  };
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.dev === b.dev;
}

/** Of some files; undefined for one that is not there or not to be reached. */
export function statsOf(paths: readonly string[]): Stat[] {
  return paths.map((path) => {
    try {
      return statSync(path, { bigint: true, throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  });
}

function keyOf(stats: readonly Stat[]): string {
  return stats
    .map((stat) => (stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-'))
    .join('|');
}

function isFresh(stat: BigIntStats, now: number): boolean {
  return [stat.mtimeNs, stat.ctimeNs].some((time) => isTooYoung(Number(time) / 1_000_000, now));
}
