import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
  verify,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BearingsError } from '../errors.ts';
import type { ConfirmLevel, Signer } from '../proposals/ledger.ts';
import { atomicWrite, removeQuietly } from './atomic-write.ts';
import { sha256 } from './sha256.ts';
import { codeOf, reasonOf } from './system-error.ts';

// 128 MiB of memory for each guess.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

interface KeyFile {
  version: 1;
  public_key: string;
  /** The level is the key's own state: an open key signs after a yes, a locked one only with the passphrase. */
  private_key?: string;
  locked?: { salt: string; nonce: string; tag: string; secret: string };
}

/** The person's signing key in the home, made at the first decision. */
export interface PersonKey {
  level: ConfirmLevel;
  fingerprint: string;
  publicKey: string;
  /** Null: the passphrase is wrong or missing. */
  unlock(passphrase: string | null): Signer | null;
  lock(passphrase: string): void;
  /** Takes the lock off; false when the passphrase is wrong. */
  open(passphrase: string): boolean;
}

export function personKey(home: string): PersonKey {
  const path = join(home, 'key.json');
  const file = readKey(path) ?? createKey(path);
  const fingerprint = fingerprintOf(file.public_key);
  const level: ConfirmLevel = file.locked ? 'passphrase' : 'ask';
  const privateKey = (passphrase: string | null): KeyObject | null => {
    if (file.private_key) return importPrivate(Buffer.from(file.private_key, 'base64'));
    if (!file.locked || passphrase === null) return null;
    const secret = decrypt(file.locked, passphrase, file.public_key);
    return secret && importPrivate(secret);
  };
  const save = (next: KeyFile) => atomicWrite(path, `${JSON.stringify(next, null, 2)}\n`, 0o600);
  return {
    level,
    fingerprint,
    publicKey: file.public_key,
    unlock(passphrase) {
      const key = privateKey(passphrase);
      // A swapped public part would let another key's entries pass for the person's.
      if (!key || exportPublic(createPublicKey(key)) !== file.public_key) return null;
      return {
        fingerprint,
        publicKey: file.public_key,
        level,
        sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
      };
    },
    lock(passphrase) {
      if (!file.private_key) return;
      const secret = Buffer.from(file.private_key, 'base64');
      save({ version: 1, public_key: file.public_key, locked: encrypt(secret, passphrase, file.public_key) });
    },
    open(passphrase) {
      const key = privateKey(passphrase);
      if (!key) return false;
      save({ version: 1, public_key: file.public_key, private_key: exportPrivate(key).toString('base64') });
      return true;
    },
  };
}

/** Of the key in the home, where there is one: looking makes none. */
export function knownKey(home: string): { publicKey: string; fingerprint: string } | null {
  const file = readKey(join(home, 'key.json'));
  return file && { publicKey: file.public_key, fingerprint: fingerprintOf(file.public_key) };
}

export function isSignedBy(options: { text: string; sig: string; publicKey: string; fingerprint: string }): boolean {
  try {
    if (fingerprintOf(options.publicKey) !== options.fingerprint) return false;
    const key = createPublicKey({ key: Buffer.from(options.publicKey, 'base64'), format: 'der', type: 'spki' });
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(options.text), key, Buffer.from(options.sig, 'base64'))
    );
  } catch {
    return false;
  }
}

function readKey(path: string): KeyFile | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new BearingsError('io_error', `The key in the home can't be read: ${reasonOf(error)}.`, { cause: error });
  }
  try {
    const file = JSON.parse(text) as KeyFile;
    if (typeof file.public_key === 'string' && (file.private_key || file.locked)) return file;
  } catch {
    // falls through: a broken key is never replaced in silence
  }
  throw new BearingsError('io_error', 'The key in the home (key.json) is damaged.', {
    hint: 'Put it back from a backup. Without it no decision can be signed.',
  });
}

function createKey(path: string): KeyFile {
  const pair = generateKeyPairSync('ed25519');
  const file: KeyFile = {
    version: 1,
    public_key: exportPublic(pair.publicKey),
    private_key: exportPrivate(pair.privateKey).toString('base64'),
  };
  // Two processes may be the first at once: a link never replaces, so one key wins and both use it.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return file;
  } catch (error) {
    const winner = codeOf(error) === 'EEXIST' ? readKey(path) : null;
    if (winner) return winner;
    throw new BearingsError('io_error', `The key in the home can't be made: ${reasonOf(error)}.`, { cause: error });
  } finally {
    removeQuietly(draft);
  }
}

function encrypt(secret: Buffer, passphrase: string, publicKey: string): NonNullable<KeyFile['locked']> {
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

function decrypt(locked: NonNullable<KeyFile['locked']>, passphrase: string, publicKey: string): Buffer | null {
  const bytes = (name: keyof typeof locked) => Buffer.from(locked[name], 'base64');
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

function importPrivate(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function exportPrivate(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'pkcs8' });
}

function exportPublic(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

function fingerprintOf(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'base64')).slice(0, 16);
}
