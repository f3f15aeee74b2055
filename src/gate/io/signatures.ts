import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { canonicalLine } from '../../canonical-json.ts';
import { sha256 } from '../../files/sha256.ts';
import { isRecord } from '../../json-record.ts';
import type { IsSigned } from '../ledger/chain.ts';
import type { PasskeySignature, Signature } from '../ledger/entry.ts';
import { signedText } from '../ledger/ledger.ts';

interface Signed {
  text: string;
  sig: Signature;
  publicKey: string;
  fingerprint: string;
}

/** Checks one form of signature; the key is the one that was named. */
type SignatureCheck<S extends Signature> = (signed: {
  text: string;
  sig: S;
  key: KeyObject;
  publicKey: string;
}) => boolean;

export function isSignedBy(signed: Signed): boolean {
  return signatures()(signed);
}

/** Whether an entry's signature is that of the key it names. One for many entries: reading a key takes time. */
export function entrySignatures(): IsSigned {
  const isSigned = signatures();
  return (entry) =>
    isSigned({
      text: signedText(entry),
      sig: entry.sig,
      publicKey: String(entry.public_key),
      fingerprint: String(entry.key),
    });
}

/** The same for many: each key is read once. */
function signatures(): (signed: Signed) => boolean {
  const keys = new Map<string, KeyObject | null>();
  return ({ text, sig, publicKey, fingerprint }) => {
    let key = keys.get(publicKey);
    if (key === undefined) {
      key = publicPart(publicKey);
      keys.set(publicKey, key);
    }
    if (key === null || fingerprint !== fingerprintOf(publicKey)) return false;
    try {
      if (typeof sig === 'string') return isEd25519({ text, sig, key, publicKey });
      return isPasskeySigned({ text, sig, key, publicKey });
    } catch {
      return false;
    }
  };
}

const isEd25519: SignatureCheck<string> = ({ text, sig, key }) => {
  const bytes = Buffer.from(sig, 'base64');
  return (
    key.asymmetricKeyType === 'ed25519' &&
    bytes.toString('base64') === sig &&
    verify(null, Buffer.from(text), key, bytes)
  );
};

/** The key of an authenticator with the one port that it signs at: both are compared, and both are in the fingerprint. */
export function passkeyOf({ port, spki }: { port: number; spki: string }): string {
  return `passkey:${port}:${spki}`;
}

/** Null: not the key of an authenticator. */
export function passkeyPort(publicKey: string): number | null {
  const port = PASSKEY.exec(publicKey)?.[1];
  return port === undefined ? null : Number(port);
}

/** Of what a browser says that it registered. */
export function isPasskeyKey(spki: string): boolean {
  const key = publicPart(spki);
  return key?.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

// WebAuthn, as an authenticator signs at http://localhost: no other name of this machine can have a passkey.
const RELYING_PARTY = createHash('sha256').update('localhost').digest();
const PASSKEY = /^passkey:(\d{1,5}):([A-Za-z0-9+/]+=*)$/;
/** The person was there, and it was this person. */
const PRESENT_AND_VERIFIED = 0x01 | 0x04;
const FLAGS_AT = 32;
const SHORTEST = 37;

/** What an authenticator is given to sign for these texts: of one its hash, of several the hash of their list. */
export function passkeyChallenge(hashes: readonly string[]): string {
  const [only] = hashes;
  const hash = hashes.length === 1 && only !== undefined ? only : sha256(canonicalLine(hashes));
  return Buffer.from(hash, 'hex').toString('base64url');
}

// ES256 alone. What the browser says of the moment, and the authenticator of the person, is signed; each is looked at.
const isPasskeySigned: SignatureCheck<PasskeySignature> = ({ text, sig, key, publicKey }) => {
  const port = passkeyPort(publicKey);
  if (port === null) return false;
  if (sig.alg !== 'webauthn' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false;
  const hash = sha256(text);
  const signed = sig.list ?? [hash];
  if (!signed.includes(hash)) return false;
  const clientData = Buffer.from(sig.client_data, 'base64url');
  const data: unknown = JSON.parse(clientData.toString('utf8'));
  if (!isRecord(data) || data.type !== 'webauthn.get' || data.crossOrigin === true) return false;
  if (data.challenge !== passkeyChallenge(signed) || data.origin !== `http://localhost:${port}`) return false;
  const authenticator = Buffer.from(sig.authenticator_data, 'base64url');
  if (authenticator.length < SHORTEST || !authenticator.subarray(0, FLAGS_AT).equals(RELYING_PARTY)) return false;
  if (((authenticator[FLAGS_AT] ?? 0) & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false;
  const over = Buffer.concat([authenticator, createHash('sha256').update(clientData).digest()]);
  return verify('sha256', over, key, Buffer.from(sig.signature, 'base64url'));
};

function publicPart(publicKey: string): KeyObject | null {
  try {
    const spki = PASSKEY.exec(publicKey)?.[2] ?? publicKey;
    return createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

export function fingerprintOf(publicKey: string): string {
  return sha256(passkeyPort(publicKey) === null ? Buffer.from(publicKey, 'base64') : publicKey);
}
