import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalLine } from '../../canonical-json.ts';
import { BearingsError } from '../../errors.ts';
import { atomicWrite, removeQuietly } from '../../files/atomic-write.ts';
import { readPlainFile } from '../../files/open-file.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { isRecord } from '../../json-record.ts';
import {
  type Authenticator,
  isAuthenticator,
  type SignedAuthenticator,
  vouchedFor,
} from '../keys/io/authenticators.ts';
import {
  exportPrivate,
  exportPublic,
  importPrivate,
  type KeyPair,
  type LockedKey,
  lockKey,
  newKeyPair,
  unlockKey,
} from '../keys/io/key-material.ts';
import type { ConfirmLevel, Signature } from '../ledger/entry.ts';
import type { Signer } from '../ledger/ledger.ts';
import { fingerprintOf, isSignedBy, passkeyPort } from './signatures.ts';

interface KeyFile {
  version: 1;
  public_key: string;
  /** When it was made; keys of the first format do not say. */
  made_at?: string;
  /** The level is the key's own state: an open key signs after a yes, a locked one only with the passphrase. */
  private_key?: string;
  locked?: LockedKey;
  /** At `passkey`: the person's authenticators. The first is the key itself, each later one is vouched for by one before. */
  passkeys?: SignedAuthenticator[];
  earlier?: SignedEarlierKey[];
}

/** A key of the person's own that she no longer uses: it counts for what was on the chains when she gave it up. */
export interface EarlierKey {
  public_key: string;
  until: string;
  /** SHA-256 of the last line of each chain at that time. */
  sealed: string[];
}

/** Signed by the key in force: nobody else can add one. */
export type SignedEarlierKey = EarlierKey & { sig: Signature };

/** All keys that sign for the person now: one, or one for each of her authenticators. */
export interface OwnKeys {
  level: ConfirmLevel;
  publicKey: string;
  fingerprint: string;
  publicKeys: readonly string[];
  earlier: readonly EarlierKey[];
}

/** The person's signing key in the home, made at the first decision. */
export interface PersonKey extends OwnKeys {
  madeAt: string | null;
  authenticators: readonly Authenticator[];
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
  const own = ownKeys(file);
  const { fingerprint, level } = own;
  const privateKey = (passphrase: string | null): KeyObject | null => {
    if (file.private_key) return openPrivate(file.private_key);
    if (!file.locked || passphrase === null) return null;
    const secret = unlockKey(file.locked, passphrase, file.public_key);
    return secret && importPrivate(secret);
  };
  return {
    ...own,
    madeAt: file.made_at ?? null,
    authenticators: level === 'passkey' ? vouchedFor(file.passkeys ?? [], file.public_key) : [],
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
      // A key that never signed anything needs no remembering.
      const given = giveUp.sealed.length === 0 ? [] : [{ public_key: file.public_key, ...giveUp }];
      replaceKey(home, newKeyPair(), { passphrase, madeAt: giveUp.until, earlier: [...own.earlier, ...given] });
    },
    open(passphrase) {
      const key = privateKey(passphrase);
      if (!key) return false;
      const { locked: _, ...rest } = file;
      saveKey(home, { ...rest, private_key: exportPrivate(key).toString('base64') });
      return true;
    },
  };
}

function saveKey(home: string, file: KeyFile): void {
  atomicWrite(join(home, 'key.json'), `${JSON.stringify(file, null, 2)}\n`, 0o600);
}

/** Another key in the place of the one in force, open or locked; it signs which keys came before it. */
export function replaceKey(
  home: string,
  next: KeyPair,
  { passphrase, madeAt, earlier }: { passphrase: string | null; madeAt: string; earlier: readonly EarlierKey[] },
): void {
  const privateKey = importPrivate(Buffer.from(next.privateKey, 'base64'));
  saveKey(home, {
    version: 1,
    public_key: next.publicKey,
    made_at: madeAt,
    ...(passphrase === null
      ? { private_key: next.privateKey }
      : { locked: lockKey(exportPrivate(privateKey), passphrase, next.publicKey) }),
    earlier: earlier.map((key) => ({
      ...key,
      sig: sign(null, Buffer.from(earlierText(key)), privateKey).toString('base64'),
    })),
  });
}

/** Authenticators in the place of the key in force, or one more of them. */
export function savePasskeys(
  home: string,
  { passkeys, madeAt, earlier }: { passkeys: SignedAuthenticator[]; madeAt: string; earlier?: SignedEarlierKey[] },
): void {
  const [first] = passkeys;
  if (!first) return;
  const before = earlier ?? readKey(join(home, 'key.json'))?.earlier ?? [];
  saveKey(home, { version: 1, public_key: first.public_key, made_at: madeAt, passkeys, earlier: before });
}

/** As they are in the file, with what vouches for each. */
export function writtenPasskeys(home: string): SignedAuthenticator[] {
  return readKey(join(home, 'key.json'))?.passkeys ?? [];
}

// Never in silence where decisions were signed before: who deleted the key would get a new one that all believe.
function firstKey(home: string, path: string): KeyFile {
  if (!showsUse(home)) return createKey(path);
  // Another process may have been the first, and have decided, since we looked.
  const made = readKey(path);
  if (made) return made;
  throw new BearingsError('io_error', 'The key that signed your decisions is gone from the home (key.json).', {
    hint: 'Restore it from a backup. If it is lost: bearings verify --new-key',
  });
}

/** What decisions leave in a home beside the key. */
function showsUse(home: string): boolean {
  if (existsSync(join(home, 'trusted_keys.json'))) return true;
  const namesIn = (folder: string): string[] => {
    try {
      return readdirSync(join(home, folder));
    } catch {
      return [];
    }
  };
  if (namesIn('intents').length > 0 || namesIn('earlier').length > 0) return true;
  return namesIn('heads').some((name) => !isOnlyRead(join(home, 'heads', name)));
}

// Who only read the chain of a shared workspace has checked it, and written nothing to it.
function isOnlyRead(headPath: string): boolean {
  try {
    const head: unknown = JSON.parse(readPlainFile(headPath).toString('utf8'));
    return isRecord(head) && head.seq === 0;
  } catch {
    return false;
  }
}

/** After the person has said that the earlier one is lost. */
export function replaceLostKey(home: string): void {
  if (readKey(join(home, 'key.json')) !== null)
    throw new BearingsError('conflict', 'There is already a key in the home.', { hint: 'See it: bearings verify' });
  createKey(join(home, 'key.json'));
}

/** Of the key in the home, where there is one: looking makes none. */
export function knownKey(home: string): OwnKeys | null {
  const file = readKey(join(home, 'key.json'));
  return file && ownKeys(file);
}

function ownKeys(file: KeyFile): OwnKeys {
  // By the key itself: nothing that is written beside it can lower the level.
  const level = passkeyPort(file.public_key) !== null ? 'passkey' : file.locked ? 'passphrase' : 'ask';
  const publicKeys =
    level !== 'passkey'
      ? [file.public_key]
      : vouchedFor(file.passkeys ?? [], file.public_key).map(({ public_key }) => public_key);
  const own = { publicKey: file.public_key, fingerprint: fingerprintOf(file.public_key), publicKeys };
  const earlier = (Array.isArray(file.earlier) ? file.earlier : [])
    .filter(isEarlierKey)
    .filter((key) => isSignedByOwn(own, earlierText(key), key.sig))
    .map(({ public_key, until, sealed }) => ({ public_key, until, sealed }));
  return { ...own, level, earlier };
}

/** By any key that signs for the person now. */
export function isSignedByOwn({ publicKeys }: Pick<OwnKeys, 'publicKeys'>, text: string, sig: Signature): boolean {
  return publicKeys.some((publicKey) => isSignedBy({ text, sig, publicKey, fingerprint: fingerprintOf(publicKey) }));
}

export function earlierText({ public_key, until, sealed }: EarlierKey): string {
  return canonicalLine({ earlier: public_key, until, sealed });
}

function isEarlierKey(value: unknown): value is SignedEarlierKey {
  return (
    isRecord(value) &&
    [value.public_key, value.until].every((field) => typeof field === 'string') &&
    (typeof value.sig === 'string' || isRecord(value.sig)) &&
    Array.isArray(value.sealed) &&
    value.sealed.every((hash) => typeof hash === 'string')
  );
}

function readKey(path: string): KeyFile | null {
  let text: string;
  try {
    text = readPlainFile(path).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new BearingsError('io_error', `The key in the home can't be read: ${reasonOf(error)}.`, { cause: error });
  }
  try {
    const file = JSON.parse(text) as KeyFile;
    if (typeof file.public_key === 'string' && isUsable(file)) return file;
  } catch {
    // falls through: a broken key is never replaced in silence
  }
  throw damaged();
}

function isUsable(file: KeyFile): boolean {
  if (passkeyPort(file.public_key) === null) return Boolean(file.private_key || file.locked);
  return Array.isArray(file.passkeys) && file.passkeys.every(isAuthenticator);
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
    hint: 'Restore it from a backup. Without it no decision can be signed.',
  });
}

function createKey(path: string): KeyFile {
  const pair = newKeyPair();
  const file: KeyFile = {
    version: 1,
    public_key: pair.publicKey,
    made_at: new Date().toISOString(),
    private_key: pair.privateKey,
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
