import type { LedgerEntry } from './entry.ts';

// Which lines are bound by the hashes of the chain to one that is known to be the person's: those before an anchor, link
// by link. What was put in or added later is not among them, whatever date it bears.
export function sealedLines(
  hashes: readonly string[],
  entries: readonly (LedgerEntry | null)[],
  isAnchor: (index: number) => boolean,
): boolean[] {
  const sealed = hashes.map(() => false);
  for (let index = hashes.length - 1; index >= 0; index -= 1) {
    const isLinked = sealed[index + 1] === true && entries[index + 1]?.prev === hashes[index];
    sealed[index] = isLinked || isAnchor(index);
  }
  return sealed;
}
