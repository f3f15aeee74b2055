import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256 } from '../../files/sha256.ts';
import type { Signature } from '../ledger/entry.ts';
import { isPasskeySigned } from './passkey-signature.ts';

interface Signed {
  text: string;
  sig: Signature;
  publicKey: string;
  fingerprint: string;
}

/** Checks one form of signature; the key is the one that was named. */
type SignatureCheck<S extends Signature> = (signed: { text: string; sig: S; key: KeyObject }) => boolean;

export function isSignedBy(signed: Signed): boolean {
  return signatures()(signed);
}

/** The same for many: each key is read once. */
export function signatures(): (signed: Signed) => boolean {
  const keys = new Map<string, KeyObject | null>();
  return ({ text, sig, publicKey, fingerprint }) => {
    let key = keys.get(publicKey);
    if (key === undefined) {
      key = publicPart(publicKey);
      keys.set(publicKey, key);
    }
    if (key === null || !isFingerprintOf(fingerprint, publicKey)) return false;
    try {
      return typeof sig === 'string' ? isEd25519({ text, sig, key }) : isPasskeySigned({ text, sig, key });
    } catch {
      return false;
    }
  };
}

const isEd25519: SignatureCheck<string> = ({ text, sig, key }) =>
  key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(sig, 'base64'));

function publicPart(publicKey: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

export function fingerprintOf(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64'));
}

export const SHORT_CHARS = 16;

/** Entries of the first format name a key by the start of its fingerprint; what is compared is the key they bring. */
function isFingerprintOf(written: string, publicKey: string): boolean {
  const whole = fingerprintOf(publicKey);
  return written === whole || written === whole.slice(0, SHORT_CHARS);
}
