import { canonicalLine } from '../../../canonical-json.ts';
import { isRecord } from '../../../json-record.ts';
import { fingerprintOf, isSignedBy } from '../../io/signatures.ts';
import type { Signature } from '../../ledger/entry.ts';

/** What the home knows of an authenticator: its public key and the name it knows it by. */
export interface Authenticator {
  /** With the port that it signs at. */
  public_key: string;
  /** Id of the key in the authenticator, base64url. */
  credential: string;
  added_at: string;
}

/** With the signature of one that was there before; the first signs itself. */
export type SignedAuthenticator = Authenticator & { sig: Signature };

export function authenticatorText({ public_key, credential, added_at }: Authenticator): string {
  return canonicalLine({ authenticator: public_key, credential, added_at });
}

// The first is the key that the home names. Another one counts where one that counts has signed it.
export function vouchedFor(written: readonly SignedAuthenticator[], first: string): Authenticator[] {
  const known: Authenticator[] = [];
  for (const each of written) {
    const { public_key, credential, added_at, sig } = each;
    const vouchers = known.length === 0 ? [first] : known.map((other) => other.public_key);
    const text = authenticatorText(each);
    const isVouched = vouchers.some((publicKey) =>
      isSignedBy({ text, sig, publicKey, fingerprint: fingerprintOf(publicKey) }),
    );
    if (isVouched && (known.length > 0 || public_key === first)) known.push({ public_key, credential, added_at });
  }
  return known;
}

export function isAuthenticator(value: unknown): value is SignedAuthenticator {
  return (
    isRecord(value) &&
    [value.public_key, value.credential, value.added_at].every((field) => typeof field === 'string') &&
    (typeof value.sig === 'string' || isRecord(value.sig))
  );
}
