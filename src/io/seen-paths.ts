import { lstatSync, type Stats } from 'node:fs';
import { mayChangeUnseen } from './clock-tick.ts';
import { type FileStats, NUMBERS, putStat } from './file-stats.ts';

/** What stood at some paths, as `lstat` tells it: enough to ask later whether all is as it was. */
export interface Seen {
  paths: string[];
  /** Size, modified, changed, inode of each path, one after the other; all 0 where nothing stood. */
  stats: FileStats;
}

export interface SeenPaths {
  /** Whatever stands there itself; a link is not followed. */
  at(path: string): Stats | undefined;
  /** Something mattered that no stat of these paths tells. */
  unsure(): void;
  /** Null where the same stats may not mean the same contents. */
  all(): Seen | null;
}

const QUIET = { throwIfNoEntry: false } as const;

// Each path is remembered as it was at the first look: a change while it is read shows as one since.
export function seenPaths(): SeenPaths {
  const started = Date.now();
  const seen = new Map<string, Stats | undefined>();
  let isSure = true;
  const unsure = () => {
    isSure = false;
  };
  return {
    at(path) {
      let stat: Stats | undefined;
      try {
        stat = lstatSync(path, QUIET);
      } catch {
        unsure();
      }
      if (!seen.has(path)) seen.set(path, stat);
      return stat;
    },
    unsure,
    all() {
      const stats = new Float64Array(seen.size * NUMBERS);
      let i = 0;
      for (const stat of seen.values()) {
        if (stat && mayChangeUnseen(stat.ctimeMs, started)) return null;
        if (stat) putStat(stats, i, stat);
        i += 1;
      }
      return isSure ? { paths: [...seen.keys()], stats } : null;
    },
  };
}

export function isStillSo({ paths, stats }: Seen): boolean {
  const now = new Float64Array(NUMBERS);
  for (let i = 0; i < paths.length; i += 1) {
    const stat = lstatSync(paths[i] as string, QUIET);
    if (stat) putStat(now, 0, stat);
    else now.fill(0);
    for (let k = 0; k < NUMBERS; k += 1) if (now[k] !== stats[i * NUMBERS + k]) return false;
  }
  return true;
}
