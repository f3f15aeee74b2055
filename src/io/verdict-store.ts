import { type BigIntStats, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import { isFresh, keyOf } from './facts-store.ts';
import { ledgerPaths } from './ledger-paths.ts';

/** A file, and all that decides how many of its blocks are unaccounted. */
interface VerdictPlace {
  path: string;
  ledgerFolder: string;
  home: string;
}

/** How many blocks of a file have no decision behind them, kept while neither the file nor a ledger changes. */
export interface VerdictStore {
  get(place: VerdictPlace): number | null;
  /** `ours`: we wrote it ourselves a moment ago, under the lock. */
  put(place: VerdictPlace, count: number, ours?: boolean): void;
}

// Derived and disposable, like the facts on lines. Review, blame and verify never look here.
export function verdictStore(cacheFolder: string, nowNs: () => bigint): VerdictStore {
  const folder = join(cacheFolder, 'accounts');
  const pathOf = (stat: BigIntStats) => join(folder, `${stat.dev}-${stat.ino}.json`);
  return {
    get(place) {
      try {
        const stats = statsOf(place);
        const [target] = stats;
        if (!target) return null;
        const kept: unknown = JSON.parse(readFileSync(pathOf(target), 'utf8'));
        return isRecord(kept) && kept.key === keyFor(stats) && Number.isSafeInteger(kept.count)
          ? Number(kept.count)
          : null;
      } catch {
        return null;
      }
    },
    put(place, count, ours = false) {
      const stats = statsOf(place);
      const [target] = stats;
      if (!target || (!ours && stats.some((stat) => stat && isFresh(stat, nowNs())))) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const draft = `${pathOf(target)}.${process.pid}`;
        writeFileSync(draft, JSON.stringify({ key: keyFor(stats), count }), { mode: 0o600 });
        renameSync(draft, pathOf(target));
      } catch {
        // No cache folder: every read makes its own pass.
      }
    },
  };
}

/** Changes whenever a ledger or a key does; null while that was a moment ago. */
export function ledgersKey(ledgerFolder: string, home: string, nowNs: bigint): string | null {
  const stats = statsOf({ path: ledgerFolder, ledgerFolder, home });
  return stats.some((stat) => stat && isFresh(stat, nowNs)) ? null : keyFor(stats);
}

function statsOf({ path, ledgerFolder, home }: VerdictPlace): (BigIntStats | undefined)[] {
  const paths = [path, ...ledgerPaths(ledgerFolder), join(home, 'key.json'), join(home, 'trusted_keys.json')];
  return paths.map((each) => statSync(each, { bigint: true, throwIfNoEntry: false }));
}

function keyFor(stats: readonly (BigIntStats | undefined)[]): string {
  return stats.map((stat) => (stat ? keyOf(stat) : '-')).join('|');
}
