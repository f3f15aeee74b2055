import { createHash } from 'node:crypto';
import type { ReadEntry } from '../../src/gate/ledger/entry.ts';
import { blocksOf, fingerprintOf } from '../../src/gate/ledger/text-blocks.ts';
import { accountsOf as accounts, type SignedEntry } from '../../src/gate/standing/accounts.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const accountsOf = (ledgers: readonly (readonly SignedEntry[])[], kept?: boolean) =>
  accounts(ledgers, sha256, kept);

/** The entry of a decision on a text, as the ledgers give it once its signature is found right. */
export function signedEntry(
  seq: number,
  decision: ReadEntry['decision'],
  text: string,
  more: Partial<ReadEntry> = {},
): SignedEntry {
  const blocks = blocksOf(text);
  const entry: ReadEntry = {
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
    edited: false,
    already_present: false,
    level: 'ask',
    seq,
    machine: 'm',
    key: 'k',
    public_key: '',
    blocks: blocks.map((block) => fingerprintOf(block, sha256)),
    texts: blocks.map((block) => [fingerprintOf(block, sha256), block]),
    ...more,
  };
  return { entry, owner: 'you', hash: sha256(JSON.stringify([entry.machine, seq, text, decision])) };
}
