import { sha256 } from '../../files/sha256.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { entryHash, parseEntry, signedText } from '../ledger/ledger.ts';
import { sealedLines } from '../ledger/sealed-lines.ts';
import type { EarlierKey, OwnKeys } from './person-key.ts';
import { fingerprintOf, SHORT_CHARS, signatures } from './signatures.ts';
import { trustedKeys } from './trusted-keys.ts';

/** `retired`: by a key that the person gave up, where nothing shows that it was written before she did. */
type KeyOwner = 'you' | 'you, earlier' | 'a key you trust' | 'retired' | null;

/** Whose key signed the line of a chain. Says nothing of the signature itself. */
export type OwnerOfLine = (entry: Pick<LedgerEntry, 'public_key'>, index: number) => KeyOwner;

export function keyOwners(
  home: string,
  own: OwnKeys | null,
): { inChain(lines: readonly string[]): OwnerOfLine; untilOf(publicKey: string): string | null } {
  const trusted = new Set(trustedKeys(home, own).map(({ fingerprint }) => fingerprint));
  const publicKeys = new Set(own?.publicKeys);
  const earlier = new Map((own?.earlier ?? []).map((key) => [key.public_key, key]));
  return {
    untilOf: (publicKey) => earlier.get(publicKey)?.until ?? null,
    inChain(lines) {
      const isSealed = earlier.size === 0 ? () => false : sealedIn(lines, publicKeys, [...earlier.values()]);
      // Keys are compared whole: of a start of its hash somebody may have another.
      return ({ public_key }, index) => {
        if (publicKeys.has(public_key)) return 'you';
        if (earlier.has(public_key) && isSealed(index)) return 'you, earlier';
        if (isTrusted(trusted, public_key)) return 'a key you trust';
        return earlier.has(public_key) ? 'retired' : null;
      };
    },
  };
}

// Keys trusted before the second format are named by the start of their fingerprint, until the next decision.
function isTrusted(trusted: ReadonlySet<string>, publicKey: string): boolean {
  if (trusted.size === 0) return false;
  const whole = fingerprintOf(publicKey);
  return trusted.has(whole) || trusted.has(whole.slice(0, SHORT_CHARS));
}

function sealedIn(
  lines: readonly string[],
  own: ReadonlySet<string>,
  earlier: readonly EarlierKey[],
): (index: number) => boolean {
  const heads = new Set(earlier.flatMap(({ sealed }) => sealed));
  const entries = lines.map(parseEntry);
  const hashes = lines.map((line, index) => entryHash(line, entries[index] ?? null, sha256));
  // By the key in force: whoever has a copy of an earlier one can't have written it.
  const isGenuine = signatureCheck();
  const isOwn = (index: number): boolean => {
    const entry = entries[index];
    return entry != null && own.has(entry.public_key) && isGenuine(entry);
  };
  const sealed = sealedLines(hashes, entries, (index) => heads.has(hashes[index] ?? '') || isOwn(index));
  return (index) => sealed[index] ?? false;
}

/** Whether an entry's signature is that of the key it names. One for many entries: reading a key takes time. */
export function signatureCheck(): (entry: LedgerEntry) => boolean {
  const isSignedBy = signatures();
  return (entry) =>
    Boolean(entry.sig) &&
    isSignedBy({
      text: signedText(entry),
      sig: entry.sig,
      publicKey: String(entry.public_key),
      fingerprint: String(entry.key),
    });
}
