import { statSync } from 'node:fs';

// A file changed within one tick of the file system's clock keeps its times: what is that fresh is not kept.
const TICK_MS = 20;
const COARSE_TICK_MS = 2000;

// Says of some files whether they are still what they were: the same stamp, the same bytes. Null: too fresh to say, or not to be looked at.
export function stampOf(paths: readonly string[], now: number): string | null {
  try {
    let stamp = '';
    for (const path of paths) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) stamp += '-;';
      else {
        if (isFresh(stat.mtimeMs, now) || isFresh(stat.ctimeMs, now)) return null;
        stamp += `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.mode};`;
      }
    }
    return stamp;
  } catch {
    // A link in a circle, a folder without permission: reading tells what is wrong.
    return null;
  }
}

function isFresh(time: number, now: number): boolean {
  return now - time < (time % 1000 === 0 ? COARSE_TICK_MS : TICK_MS);
}
