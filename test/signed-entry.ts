import { createHash } from 'node:crypto';
import { accountsOf as accounts, type SignedEntry } from '../src/gate/accounting/accounts.ts';
import { fingerprintOf, lineHash } from '../src/gate/accounting/fingerprints.ts';
import type { LedgerEntry } from '../src/gate/ledger/entry.ts';
import { blocksOf } from '../src/gate/text-blocks.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const accountsOf = (ledgers: readonly (readonly SignedEntry[])[], kept?: boolean) =>
  accounts(ledgers, sha256, kept);

/** What an entry of the first format keeps of a text: its blocks, and the lines of those that have several. */
export function blocksRecord(text: string): { blocks: string[]; lines?: Record<string, string[]> } {
  const blocks = blocksOf(text);
  const lines: Record<string, string[]> = {};
  for (const block of blocks) {
    const parts = block.split('\n');
    if (parts.length > 1) lines[fingerprintOf(block, sha256)] = parts.map((line) => lineHash(line, sha256));
  }
  const fingerprints = blocks.map((block) => fingerprintOf(block, sha256));
  return Object.keys(lines).length > 0 ? { blocks: fingerprints, lines } : { blocks: fingerprints };
}

/** The entry of a decision on a text, as the ledgers give it once its signature is found right. */
export function signedEntry(
  seq: number,
  decision: LedgerEntry['decision'],
  text: string,
  more: Partial<LedgerEntry> = {},
): SignedEntry & { entry: LedgerEntry } {
  const entry = {
    decision,
    at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}Z`,
    who: 'me',
    via: 'review',
    client: 'test',
    proposal_id: `p_${seq}`,
    session_id: 's',
    image_id: 'w',
    file: 'notes.md',
    category: null,
    reason: null,
    content_sha256: sha256(text),
    written_sha256: sha256(text),
    edited: false,
    already_present: false,
    level: 'ask',
    seq,
    prev: '',
    machine: 'm',
    key: 'k',
    public_key: '',
    sig: '',
    ...blocksRecord(text),
    ...more,
  } as LedgerEntry;
  return { entry, owner: 'you' };
}
