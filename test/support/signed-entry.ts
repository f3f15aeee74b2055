import { createHash } from 'node:crypto';
import type { Anchor, EntryTexts, LedgerEntry } from '../../src/gate/ledger/entry.ts';
import { blocksOf, fingerprintOf } from '../../src/gate/ledger/text-blocks.ts';
import { accountsOf as accounts, type SignedEntry } from '../../src/gate/standing/accounts.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const accountsOf = (ledgers: readonly (readonly SignedEntry[])[]) => accounts(ledgers, sha256);

/** The entry of a decision on a text, as the ledgers give it once its signature is found right. */
export function signedEntry(
  seq: number,
  decision: LedgerEntry['decision'],
  text: string,
  more: Partial<Omit<LedgerEntry, 'blocks' | 'replaced'>> &
    Partial<Pick<EntryTexts, 'reason' | 'content_sha256' | 'gone'>> & {
      blocks?: readonly string[];
      replaced?: readonly string[];
      /** By fingerprint. */
      texts?: readonly (readonly [string, string])[];
      anchors?: readonly (readonly [string, readonly Anchor[]])[];
    } = {},
): SignedEntry {
  const blocks = blocksOf(text);
  const prints = blocks.map((block) => fingerprintOf(block, sha256));
  const { reason, content_sha256, blocks: own, replaced, texts, gone, anchors, ...fields } = more;
  const entry: LedgerEntry = {
    ...{ v: 3, ledger: 'workspace w', nonce: '', prev: '', sig: '', reason_hash: null, content_hash: null },
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
    edited: false,
    already_present: false,
    level: 'ask',
    seq,
    machine: 'm',
    key: 'k',
    public_key: '',
    ...fields,
  };
  const known = new Map(texts ?? blocks.map((block, at) => [prints[at] ?? '', block]));
  const cited = new Map(anchors ?? []);
  const knownText = (print: string) => {
    const found = cited.get(print);
    return { print, text: known.get(print) ?? null, ...(found && { anchors: found }) };
  };
  const said: EntryTexts = {
    ...{ reason: reason ?? null, content_sha256: content_sha256 ?? sha256(text) },
    ...{ blocks: (own ?? prints).map(knownText), replaced: (replaced ?? []).map(knownText) },
    gone: gone ?? 0,
  };
  return { entry, said, owner: 'you', hash: sha256(JSON.stringify([entry.machine, seq, text, decision])) };
}
