import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256 } from '../../files/sha256.ts';

interface Signed {
  text: string;
  sig: string;
  publicKey: string;
  fingerprint: string;
}

export function isSignedBy(signed: Signed): boolean {
  return signatures()(signed);
}

/** The same for many: each key is read once. */
export function signatures(): (signed: Signed) => boolean {
  const keys = new Map<string, { key: KeyObject; fingerprint: string } | null>();
  return ({ text, sig, publicKey, fingerprint }) => {
    let known = keys.get(publicKey);
    if (known === undefined) {
      known = publicPart(publicKey);
      keys.set(publicKey, known);
    }
    if (known?.fingerprint !== fingerprint) return false;
    try {
      return verify(null, Buffer.from(text), known.key, Buffer.from(sig, 'base64'));
    } catch {
      return false;
    }
  };
}

function publicPart(publicKey: string): { key: KeyObject; fingerprint: string } | null {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? { key, fingerprint: fingerprintOf(publicKey) } : null;
  } catch {
    return null;
  }
}

export function fingerprintOf(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64')).slice(0, 16);
}
