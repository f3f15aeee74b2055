import { bytesOf, type FileStats, maySomeChange, settledStats, statIdentity, statsOf } from './file-stats.ts';
import { sha256Of } from './sha256.ts';

/** Some files of a project, and what tells the content of each from another. */
export interface Listing {
  names: readonly string[];
  stats: FileStats;
}

/** The same, with the time just before they were looked at. */
export interface Look extends Listing {
  at: number;
}

type StatAt = Parameters<typeof statsOf>[2];

export function lookAt(root: string, names: readonly string[], statAt: StatAt): Look {
  const at = Date.now();
  return { names, stats: statsOf(root, names, statAt), at };
}

// One text for one state of the files; null while one of them may still change unseen.
export function stateOf(look: Look): string | null {
  const { stats } = settled(look);
  if (maySomeChange(stats)) return null;
  return sha256Of([look.names.join('\0'), bytesOf(stats)]);
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
