import { lstatSync, type Stats, statSync } from 'node:fs';

/** What some files were like at one moment: numbers only, since asking again must cost next to nothing. */
export interface FileStamp {
  readonly paths: readonly string[];
  readonly values: readonly number[];
}

// A file changed within one tick of the file system's clock keeps its times: what is that fresh is not kept.
const TICK_MS = 20;
const COARSE_TICK_MS = 2000;
const QUIET = { throwIfNoEntry: false } as const;
const FIELDS = ['ino', 'size', 'mtimeMs', 'ctimeMs', 'mode', 'dev'] as const;
// No file has such an inode.
const ABSENT = -1;

// Null: too fresh to say, or not to be looked at.
export function stampOf(paths: readonly string[], now: number): FileStamp | null {
  const values: number[] = [];
  const isKept = eachStat(paths, now, (stat) => {
    if (stat) for (const field of FIELDS) values.push(stat[field]);
    else values.push(ABSENT);
    return true;
  });
  return isKept ? { paths, values } : null;
}

/** True only if every file still is what it was: the same stamp, the same bytes. */
export function isUnchanged({ paths, values }: FileStamp, now: number): boolean {
  let at = 0;
  return eachStat(paths, now, (stat) => {
    if (!stat) return values[at++] === ABSENT;
    // Spelt out: a loop over names costs more than the look at the disk.
    return (
      values[at++] === stat.ino &&
      values[at++] === stat.size &&
      values[at++] === stat.mtimeMs &&
      values[at++] === stat.ctimeMs &&
      values[at++] === stat.mode &&
      values[at++] === stat.dev
    );
  });
}

// Of a link, the link itself and what it leads to.
function eachStat(paths: readonly string[], now: number, use: (stat: Stats | undefined) => boolean): boolean {
  try {
    for (const path of paths) {
      const own = lstatSync(path, QUIET);
      if (!isOld(own, now) || !use(own)) return false;
      if (!own?.isSymbolicLink()) continue;
      const target = statSync(path, QUIET);
      if (!isOld(target, now) || !use(target)) return false;
    }
    return true;
  } catch {
    // A link in a circle, a folder without permission: reading tells what is wrong.
    return false;
  }
}

function isOld(stat: Stats | undefined, now: number): boolean {
  return stat === undefined || !(isFresh(stat.mtimeMs, now) || isFresh(stat.ctimeMs, now));
}

function isFresh(time: number, now: number): boolean {
  return now - time < (time % 1000 === 0 ? COARSE_TICK_MS : TICK_MS);
}
