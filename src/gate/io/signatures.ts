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

/** Whether an entry's signature is that of the key it names. */
export const isSigned: IsSigned = (entry) =>
  isSignedBy({
    text: signedText(entry),
    sig: entry.sig,
    publicKey: String(entry.public_key),
    fingerprint: String(entry.key),
  });

export function isSignedBy({ text, sig, publicKey, fingerprint }: Signed): boolean {
  const key = publicPart(publicKey);
  if (key === null || fingerprint !== fingerprintOf(publicKey)) return false;
  try {
    return typeof sig === 'string' ? isEd25519(text, sig, key) : isPasskeySigned(text, sig, key, publicKey);
  } catch {
    return false;
  }
}

function isEd25519(text: string, sig: string, key: KeyObject): boolean {
  const bytes = Buffer.from(sig, 'base64');
  const isPlain = key.asymmetricKeyType === 'ed25519' && bytes.toString('base64') === sig;
  return isPlain && verify(null, Buffer.from(text), key, bytes);
}

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
function isPasskeySigned(text: string, sig: PasskeySignature, key: KeyObject, publicKey: string): boolean {
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
}

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
