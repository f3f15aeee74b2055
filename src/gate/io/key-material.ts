import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';

// 128 MiB of memory for each guess.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** A private key under a passphrase, each part in base64. */
export interface LockedKey {
  salt: string;
  nonce: string;
  tag: string;
  secret: string;
}

/** Ed25519; base64. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ed25519');
  return { publicKey: exportPublic(pair.publicKey), privateKey: exportPrivate(pair.privateKey).toString('base64') };
}

export function lockKey(secret: Buffer, passphrase: string, publicKey: string): LockedKey {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT), nonce);
  cipher.setAAD(Buffer.from(publicKey));
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  return {
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    secret: body.toString('base64'),
  };
}

/** Null: the passphrase is another one. */
export function unlockKey(locked: LockedKey, passphrase: string, publicKey: string): Buffer | null {
  const bytes = (name: keyof LockedKey) => Buffer.from(locked[name], 'base64');
  try {
    const key = scryptSync(passphrase.normalize('NFC'), bytes('salt'), 32, SCRYPT);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes('nonce'));
    decipher.setAAD(Buffer.from(publicKey));
    decipher.setAuthTag(bytes('tag'));
    return Buffer.concat([decipher.update(bytes('secret')), decipher.final()]);
  } catch {
    return null;
  }
}

export function importPrivate(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export function exportPrivate(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'pkcs8' });
}

export function exportPublic(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
