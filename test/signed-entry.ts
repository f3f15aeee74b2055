import { createHash } from 'node:crypto';
import { blocksRecord, type SignedEntry } from '../src/gate/accounting/accounts.ts';
import type { LedgerEntry } from '../src/gate/ledger/ledger.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The entry of a decision on a text, as the ledgers give it once its signature is found right. */
export function signedEntry(
  seq: number,
  decision: LedgerEntry['decision'],
  text: string,
  more: Partial<LedgerEntry> = {},
): SignedEntry {
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
    ...blocksRecord(text, sha256),
    ...more,
  } as LedgerEntry;
  return { entry, owner: 'you' };
}
