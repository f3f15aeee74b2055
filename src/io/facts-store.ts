import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import type { FactsStore, FileState, LineFacts } from './line-facts.ts';

// A file changed within one tick of the file system's clock keeps its times: facts that fresh are not kept.
const TICK_NS = 20_000_000n;
const COARSE_TICK_NS = 2_000_000_000n;

// Derived and disposable: lost, broken or unwritable, the facts are simply found again.
export function factsStore(cacheFolder: string, nowNs: () => bigint): FactsStore {
  const folder = join(cacheFolder, 'lines');
  const pathOf = (stat: FileState) => join(folder, `${stat.dev}-${stat.ino}.json`);
  return {
    get(stat) {
      try {
        const kept: unknown = JSON.parse(readFileSync(pathOf(stat), 'utf8'));
        return isRecord(kept) && kept.key === keyOf(stat) && isFacts(kept.facts) ? kept.facts : null;
      } catch {
        return null;
      }
    },
    put(stat, facts) {
      if (isFresh(stat, nowNs())) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const draft = `${pathOf(stat)}.${process.pid}`;
        writeFileSync(draft, JSON.stringify({ key: keyOf(stat), facts }), { mode: 0o600 });
        renameSync(draft, pathOf(stat));
      } catch {
        // No cache folder: every read makes its own pass.
      }
    },
  };
}

export function isFresh(stat: FileState, now: bigint): boolean {
  const young = (time: bigint) => now - time < (time % 1_000_000_000n === 0n ? COARSE_TICK_NS : TICK_NS);
  return young(stat.mtimeNs) || young(stat.ctimeNs);
}

export function keyOf(stat: FileState): string {
  return `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

function isFacts(value: unknown): value is LineFacts {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.lines) &&
    Number.isSafeInteger(value.stride) &&
    Array.isArray(value.marks) &&
    value.marks.every((mark) => Number.isSafeInteger(mark))
  );
}
