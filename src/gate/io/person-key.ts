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
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalLine } from '../../canonical-json.ts';
import { BearingsError } from '../../errors.ts';
import { atomicWrite, removeQuietly } from '../../files/atomic-write.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { isRecord } from '../../json-record.ts';
import type { ConfirmLevel } from '../ledger/entry.ts';
import type { Signer } from '../ledger/ledger.ts';
import { fingerprintOf, isSignedBy } from './signatures.ts';

// 128 MiB of memory for each guess.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

interface KeyFile {
  version: 1;
  public_key: string;
  /** When it was made; keys of the first format do not say. */
  made_at?: string;
  /** The level is the key's own state: an open key signs after a yes, a locked one only with the passphrase. */
  private_key?: string;
  locked?: { salt: string; nonce: string; tag: string; secret: string };
  earlier?: SignedEarlierKey[];
}

/** A key of the person's own that she no longer uses: it counts for what stood on the chains when she gave it up. */
export interface EarlierKey {
  public_key: string;
  until: string;
  /** SHA-256 of the last line of each chain at that time. */
  sealed: string[];
}

/** Signed by the key in force: nobody else can add one. */
type SignedEarlierKey = EarlierKey & { sig: string };

/** The person's signing key in the home, made at the first decision. */
export interface PersonKey {
  level: ConfirmLevel;
  fingerprint: string;
  publicKey: string;
  madeAt: string | null;
  earlier: readonly EarlierKey[];
  /** Null: the passphrase is wrong or missing. */
  unlock(passphrase: string | null): Signer | null;
  /** Puts a new, locked key in the place of this one: a copy of the open key can then sign nothing that counts. */
  lock(passphrase: string, giveUp: Omit<EarlierKey, 'public_key'>): void;
  /** Takes the lock off; false when the passphrase is wrong. */
  open(passphrase: string): boolean;
}

export function personKey(home: string): PersonKey {
  const path = join(home, 'key.json');
  const file = readKey(path) ?? firstKey(home, path);
  const fingerprint = fingerprintOf(file.public_key);
  const level: ConfirmLevel = file.locked ? 'passphrase' : 'ask';
  const privateKey = (passphrase: string | null): KeyObject | null => {
    if (file.private_key) return openPrivate(file.private_key);
    if (!file.locked || passphrase === null) return null;
    const secret = decrypt(file.locked, passphrase, file.public_key);
    return secret && importPrivate(secret);
  };
  const save = (next: KeyFile) => atomicWrite(path, `${JSON.stringify(next, null, 2)}\n`, 0o600);
  return {
    level,
    fingerprint,
    publicKey: file.public_key,
    madeAt: file.made_at ?? null,
    earlier: earlierKeys(file),
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
    lock(passphrase, giveUp) {
      if (!file.private_key) return;
      const { publicKey, privateKey: next } = generateKeyPairSync('ed25519');
      const public_key = exportPublic(publicKey);
      // A key that never signed anything needs no remembering.
      const given = giveUp.sealed.length === 0 ? [] : [{ public_key: file.public_key, ...giveUp }];
      const earlier = [...earlierKeys(file), ...given].map((key) => ({
        ...key,
        sig: sign(null, Buffer.from(earlierText(key)), next).toString('base64'),
      }));
      const made_at = giveUp.until;
      save({ version: 1, public_key, made_at, locked: encrypt(exportPrivate(next), passphrase, public_key), earlier });
    },
    open(passphrase) {
      const key = privateKey(passphrase);
      if (!key) return false;
      const { locked: _, ...rest } = file;
      save({ ...rest, private_key: exportPrivate(key).toString('base64') });
      return true;
    },
  };
}

// Never in silence where decisions were signed before: who deleted the key would get a new one that all believe.
function firstKey(home: string, path: string): KeyFile {
  if (!showsUse(home)) return createKey(path);
  // Another process may have been the first, and have decided, since we looked.
  const made = readKey(path);
  if (made) return made;
  throw new BearingsError('io_error', 'The key that signed your decisions is gone from the home (key.json).', {
    hint: 'Put it back from a backup. If it is lost: bearings verify --new-key',
  });
}

/** What decisions leave in a home beside the key. */
function showsUse(home: string): boolean {
  if (existsSync(join(home, 'trusted_keys.json'))) return true;
  return ['heads', 'intents', 'earlier'].some((name) => {
    try {
      return readdirSync(join(home, name)).length > 0;
    } catch {
      return false;
    }
  });
}

/** After the person has said that the earlier one is lost. */
export function replaceLostKey(home: string): void {
  if (readKey(join(home, 'key.json')) !== null)
    throw new BearingsError('conflict', 'There is a key in the home.', { hint: 'See it: bearings verify' });
  createKey(join(home, 'key.json'));
}

/** Of the key in the home, where there is one: looking makes none. */
export function knownKey(home: string): Pick<PersonKey, 'publicKey' | 'fingerprint' | 'earlier' | 'madeAt'> | null {
  const file = readKey(join(home, 'key.json'));
  return (
    file && {
      publicKey: file.public_key,
      fingerprint: fingerprintOf(file.public_key),
      earlier: earlierKeys(file),
      madeAt: file.made_at ?? null,
    }
  );
}

function earlierKeys(file: KeyFile): EarlierKey[] {
  const owner = { publicKey: file.public_key, fingerprint: fingerprintOf(file.public_key) };
  return (Array.isArray(file.earlier) ? file.earlier : [])
    .filter(isEarlierKey)
    .filter((key) => isSignedBy({ text: earlierText(key), sig: key.sig, ...owner }))
    .map(({ public_key, until, sealed }) => ({ public_key, until, sealed }));
}

function earlierText({ public_key, until, sealed }: EarlierKey): string {
  return canonicalLine({ earlier: public_key, until, sealed });
}

function isEarlierKey(value: unknown): value is SignedEarlierKey {
  return (
    isRecord(value) &&
    [value.public_key, value.until, value.sig].every((field) => typeof field === 'string') &&
    Array.isArray(value.sealed) &&
    value.sealed.every((hash) => typeof hash === 'string')
  );
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
  throw damaged();
}

function openPrivate(written: string): KeyObject {
  try {
    return importPrivate(Buffer.from(written, 'base64'));
  } catch {
    throw damaged();
  }
}

function damaged(): BearingsError {
  return new BearingsError('io_error', 'The key in the home (key.json) is damaged.', {
    hint: 'Put it back from a backup. Without it no decision can be signed.',
  });
}

function createKey(path: string): KeyFile {
  const pair = generateKeyPairSync('ed25519');
  const file: KeyFile = {
    version: 1,
    public_key: exportPublic(pair.publicKey),
    made_at: new Date().toISOString(),
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
