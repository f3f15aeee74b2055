import { canonicalLine } from '../../canonical-json.ts';
import { sha256 } from '../../files/sha256.ts';
import { type LedgerEntry, parseEntry } from '../ledger/ledger.ts';
import { sealedLines } from '../ledger/sealed-lines.ts';
import type { EarlierKey, PersonKey } from './person-key.ts';
import { fingerprintOf, signatures } from './signatures.ts';
import { trustedKeys } from './trusted-keys.ts';

/** `retired`: by a key that the person gave up, where nothing shows that it was written before she did. */
type KeyOwner = 'you' | 'you, earlier' | 'a key you trust' | 'retired' | null;

/** Whose key signed the line of a chain. Says nothing of the signature itself. */
export type OwnerOfLine = (key: string, index: number) => KeyOwner;

export function keyOwners(
  home: string,
  own: Pick<PersonKey, 'publicKey' | 'fingerprint' | 'earlier'> | null,
): { inChain(lines: readonly string[]): OwnerOfLine; untilOf(key: string): string | null } {
  const trusted = new Set(trustedKeys(home, own).map(({ fingerprint }) => fingerprint));
  const earlier = new Map((own?.earlier ?? []).map((key) => [fingerprintOf(key.public_key), key]));
  return {
    untilOf: (key) => earlier.get(key)?.until ?? null,
    inChain(lines) {
      const isSealed =
        earlier.size === 0 ? () => false : sealedIn(lines, own?.fingerprint ?? '', [...earlier.values()]);
      return (key, index) => {
        if (key === own?.fingerprint) return 'you';
        if (earlier.has(key) && isSealed(index)) return 'you, earlier';
        if (trusted.has(key)) return 'a key you trust';
        return earlier.has(key) ? 'retired' : null;
      };
    },
  };
}

function sealedIn(lines: readonly string[], own: string, earlier: readonly EarlierKey[]): (index: number) => boolean {
  const heads = new Set(earlier.flatMap(({ sealed }) => sealed));
  const hashes = lines.map(sha256);
  const entries = lines.map(parseEntry);
  // By the key in force: whoever has a copy of an earlier one can't have written it.
  const isGenuine = signatureCheck();
  const isOwn = (index: number): boolean => {
    const entry = entries[index];
    return entry?.key === own && isGenuine(entry);
  };
  const sealed = sealedLines(hashes, entries, (index) => heads.has(hashes[index] ?? '') || isOwn(index));
  return (index) => sealed[index] ?? false;
}

/** Whether an entry's signature is that of the key it names. One for many entries: reading a key takes time. */
export function signatureCheck(): (entry: LedgerEntry) => boolean {
  const isSignedBy = signatures();
  return (entry) => {
    const { sig, ...unsigned } = entry;
    if (typeof sig !== 'string' || sig === '') return false;
    const publicKey = String(entry.public_key);
    return isSignedBy({ text: canonicalLine(unsigned), sig, publicKey, fingerprint: String(entry.key) });
  };
}
