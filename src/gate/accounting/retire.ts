import { sha256 } from '../../files/sha256.ts';
import type { AccountedFile } from '../domains/accounted-files.ts';
import { decisionsOn } from '../domains/read-accounts.ts';
import type { StoredText } from '../ledger/entry.ts';
import { fingerprintOf } from '../ledger/fingerprints.ts';

export const asText = (text: string): StoredText => ({ text });

/** They say something of a block, and it came by another. */
const NO_ORIGIN: ReadonlySet<string> = new Set(['retire', 'remove', 'look_again']);

/** The last decision that one of these blocks came by: a retirement names what it ends, and so wins in any merge. */
export function decisionBehind(place: AccountedFile, blocks: readonly string[]): string | null {
  const prints = new Set(blocks.map((block) => fingerprintOf(block, sha256)));
  const found = decisionsOn(place)
    .flat()
    .filter(({ entry }) => !NO_ORIGIN.has(entry.decision))
    .findLast(({ entry }) => entry.blocks?.some((print) => prints.has(print)));
  return found?.hash ?? null;
}
