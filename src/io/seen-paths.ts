import { lstatSync, type Stats } from 'node:fs';
import { FINGERPRINT_NUMBERS, type Fingerprints, isSameFile, isTooYoung, putFingerprint } from './file-fingerprint.ts';

/** What stood at some paths, as `lstat` tells it: enough to ask later whether all is as it was. */
export interface Seen {
  paths: string[];
  /** Size, modified, changed, inode of each path, one after the other; all 0 where nothing stood. */
  stats: Fingerprints;
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
      const stats = new Float64Array(seen.size * FINGERPRINT_NUMBERS);
      let i = 0;
      for (const stat of seen.values()) {
        if (stat && isTooYoung(stat.ctimeMs, started)) return null;
        if (stat) putFingerprint(stats, i, stat, started);
        i += 1;
      }
      return isSure ? { paths: [...seen.keys()], stats } : null;
    },
  };
}

export function isStillSo({ paths, stats }: Seen): boolean {
  const now = new Float64Array(FINGERPRINT_NUMBERS);
  return paths.every((path, i) => {
    const stat = lstatSync(path, QUIET);
    if (stat) putFingerprint(now, 0, stat, Date.now());
    else now.fill(0);
    return isSameFile(now, 0, stats, i);
  });
}
