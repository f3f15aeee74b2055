import { createHash, type KeyObject, verify } from 'node:crypto';
import { canonicalLine } from '../../canonical-json.ts';
import { sha256 } from '../../files/sha256.ts';
import { isRecord } from '../../json-record.ts';
import type { PasskeySignature } from '../ledger/entry.ts';

// WebAuthn, as an authenticator signs at http://localhost: no other name of this machine can have a passkey.
const RELYING_PARTY = createHash('sha256').update('localhost').digest();
const ORIGIN = /^http:\/\/localhost:\d{1,5}$/;
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
export function isPasskeySigned({ text, sig, key }: { text: string; sig: PasskeySignature; key: KeyObject }): boolean {
  if (sig.alg !== 'webauthn' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false;
  const hash = sha256(text);
  const signed = sig.list ?? [hash];
  if (!signed.includes(hash)) return false;
  const clientData = Buffer.from(sig.client_data, 'base64url');
  const data: unknown = JSON.parse(clientData.toString('utf8'));
  if (!isRecord(data) || data.type !== 'webauthn.get' || data.crossOrigin === true) return false;
  if (data.challenge !== passkeyChallenge(signed) || !ORIGIN.test(String(data.origin))) return false;
  const authenticator = Buffer.from(sig.authenticator_data, 'base64url');
  if (authenticator.length < SHORTEST || !authenticator.subarray(0, FLAGS_AT).equals(RELYING_PARTY)) return false;
  if (((authenticator[FLAGS_AT] ?? 0) & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false;
  const over = Buffer.concat([authenticator, createHash('sha256').update(clientData).digest()]);
  return verify('sha256', over, key, Buffer.from(sig.signature, 'base64url'));
}
