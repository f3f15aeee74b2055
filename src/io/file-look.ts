import { bytesOf, type FileStats, settledStats, statIdentity, statsOf } from './file-stats.ts';

/** Some files of a project, and what tells the content of each from another. */
export interface Listing {
  names: readonly string[];
  stats: FileStats;
}

/** The same, with the time just before they were looked at. */
export interface Look extends Listing {
  at: number;
}

export function lookAt(root: string, names: readonly string[]): Look {
  const at = Date.now();
  return { names, stats: statsOf(root, names), at };
}

export function identities({ names, stats }: Listing): Map<string, string | null> {
  return new Map(names.map((name, i) => [name, statIdentity(stats, i)]));
}

export function isSame(a: Listing, b: Listing): boolean {
  return (
    a.names.length === b.names.length &&
    bytesOf(a.stats).equals(bytesOf(b.stats)) &&
    a.names.every((name, i) => name === b.names[i])
  );
}

export function settled({ names, stats, at }: Look): Listing {
  return { names, stats: settledStats(stats, at) };
}
