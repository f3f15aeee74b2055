import { sha256 } from '../../files/sha256.ts';
import { fingerprintOf } from '../accounting/fingerprints.ts';
import { type AccountedLocation, readDecisions } from '../io/ledger-accounts.ts';
import type { StoredText } from '../ledger/entry.ts';
import { entryHash, fileOf, parseEntry } from '../ledger/ledger.ts';

export const asText = (text: string): StoredText => ({ text });

/** They say something of a block, and it came by another. */
const NO_ORIGIN: ReadonlySet<string> = new Set(['retire', 'remove', 'look_again']);

/** The last decision that one of these blocks came by: a retirement names what it ends, and so wins in any merge. */
export function decisionBehind(place: AccountedLocation, home: string, blocks: readonly string[]): string | null {
  const prints = new Set(blocks.map((block) => fingerprintOf(block, sha256)));
  const found = readDecisions(place, home)
    .flat()
    .filter(({ entry }) => fileOf(entry) === place.file && !NO_ORIGIN.has(entry.decision))
    .findLast(({ entry }) => entry.blocks?.some((print) => prints.has(print)));
  return found ? entryHash(found.line, parseEntry(found.line), sha256) : null;
}
