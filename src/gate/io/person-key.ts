import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
  verify,
} from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, ioError, ioFault, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { readPlainFile } from '../../files/read-file.ts';
import { atomicWrite, removeQuietly } from '../../files/write-file.ts';
import { canonicalLine, isRecord, parseJson } from '../../json.ts';
import type { IsSigned } from '../ledger/chain.ts';
import type { ConfirmLevel, PasskeySignature, Signature } from '../ledger/entry.ts';
import { type Signer, signedText } from '../ledger/ledger.ts';
import type { KeyInHome } from '../standing/standing.ts';
import { marksOf } from './marks.ts';

/** What the home knows of an authenticator, to ask for it. Which ones count is in the home's chain. */
export interface Authenticator {
  /** With the port that it signs at. */
  public_key: string;
  /** Id of the key in the authenticator, base64url. */
  credential: string;
  added_at: string;
}

/** What signs: the secret part of a key, open or locked, or the names of authenticators. Nothing here makes a key count. */
export interface KeyFile {
  version: 1;
  public_key: string;
  made_at: string;
  /** The level is the key's own state: an open key signs after a yes, a locked one only with the passphrase. */
  private_key?: string;
  locked?: LockedKey;
  passkeys?: Authenticator[];
  /** The key that is about to take its place: it does so once the home's chain says so. */
  next?: KeyFile;
}

/** The person's signing key in the home, made at the first decision. */
export type PersonKey = ReturnType<typeof personKey>;

/** `inForce`: keys that the home's chain names. Where there is no key file and none was ever used, one is made. */
export function personKey(home: string, inForce: ReadonlySet<string>) {
  const file = keyFile(home, inForce) ?? firstKey(home, inForce);
  const own = inHome(file);
  return {
    ...own,
    madeAt: file.made_at,
    inForce,
    /** Those that count: the file may name any. */
    authenticators: (file.passkeys ?? []).filter(({ public_key }) => inForce.has(public_key)),
    /** Null: the passphrase is wrong or missing. */
    unlock(passphrase: string | null): Signer | null {
      const key = privateKey(file, passphrase);
      if (!key || !fits(key, file)) return null;
      return {
        fingerprint: own.fingerprint,
        publicKey: file.public_key,
        level: own.level,
        sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
      };
    },
  };
}

// A swapped public part would let another key's entries pass for the person's.
function fits(key: KeyObject, { public_key }: KeyFile): boolean {
  return exportPublic(createPublicKey(key)) === public_key;
}

function privateKey(file: KeyFile, passphrase: string | null): KeyObject | null {
  if (file.private_key) return openPrivate(Buffer.from(file.private_key, 'base64'));
  if (!file.locked || passphrase === null) return null;
  const secret = unlockKey(file.locked, passphrase, file.public_key);
  return secret && openPrivate(secret);
}

/** Of the key in the home, where there is one: looking makes none. */
export function knownKey(home: string, inForce: ReadonlySet<string>): KeyInHome | null {
  // A damaged one is none: whoever is about to sign is told what is wrong with it.
  return orNull(() => {
    const file = keyFile(home, inForce);
    const key = file && privateKey(file, null);
    return file && (!key || fits(key, file)) ? inHome(file) : null;
  });
}

function inHome(file: KeyFile): KeyInHome {
  const level: ConfirmLevel = passkeyPort(file.public_key) !== null ? 'passkey' : file.locked ? 'passphrase' : 'ask';
  return { publicKey: file.public_key, fingerprint: fingerprintOf(file.public_key), level };
}

/** As it counts: a change of keys that a crash broke off is done where the chain names the new one. */
export function keyFile(home: string, inForce: ReadonlySet<string>): KeyFile | null {
  const file = readKey(join(home, 'key.json'));
  return file?.next && inForce.has(file.next.public_key) ? file.next : file;
}

export function saveKeyFile(home: string, file: KeyFile): void {
  atomicWrite(join(home, 'key.json'), `${JSON.stringify(file, null, 2)}\n`, 0o600);
}

/** For a key pair: open, or locked by a passphrase. */
export function keyFileFor({ publicKey, privateKey }: KeyPair, madeAt: string, passphrase: string | null): KeyFile {
  const file = { version: 1 as const, public_key: publicKey, made_at: madeAt };
  if (passphrase === null) return { ...file, private_key: privateKey };
  return { ...file, locked: lockKey(privateKey, passphrase, publicKey) };
}

// Never in silence where decisions were signed before: who deleted the key would get a new one that all believe.
function firstKey(home: string, inForce: ReadonlySet<string>): KeyFile {
  if (inForce.size === 0 && marksOf(home, sha256('home')).size === 0) return createKey(join(home, 'key.json'));
  // Another process may have been the first, and have decided, since we looked.
  const made = readKey(join(home, 'key.json'));
  if (made) return made;
  throw ioFault(
    'The key that signed your decisions is gone from the home (key.json).',
    'Restore it from a backup. If it is lost: bearings verify --new-key',
  );
}

/** The chains of a key that is lost: kept, and no longer read. */
export function setRecordAside(home: string, now: Date): void {
  const aside = join(home, 'lost', now.toISOString().replace(/[:.]/g, '-'));
  for (const folder of ['ledger', 'heads'])
    for (const name of namesIn(join(home, folder)).filter((each) => each !== '.lock')) {
      mkdirSync(join(aside, folder), { recursive: true, mode: 0o700 });
      renameSync(join(home, folder, name), join(aside, folder, name));
    }
}

function readKey(path: string): KeyFile | null {
  let text: string;
  try {
    text = readPlainFile(path).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw ioError("The key in the home can't be read", error);
  }
  const file = parseJson(text);
  if (isKeyFile(file)) return file;
  // A broken key is never replaced in silence.
  throw damaged();
}

function isKeyFile(value: unknown): value is KeyFile {
  if (!isRecord(value) || typeof value.public_key !== 'string') return false;
  if (value.next !== undefined && !isKeyFile(value.next)) return false;
  if (passkeyPort(value.public_key) === null) return Boolean(value.private_key || value.locked);
  const isWhole = (each: unknown) =>
    isRecord(each) && [each.public_key, each.credential, each.added_at].every((field) => typeof field === 'string');
  return Array.isArray(value.passkeys) && value.passkeys.every(isWhole);
}

function openPrivate(der: Buffer): KeyObject {
  const key = orNull(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  if (key === null) throw damaged();
  return key;
}

const damaged = () =>
  ioFault('The key in the home (key.json) is damaged.', 'Restore it from a backup: nothing can be signed without it.');

function createKey(path: string): KeyFile {
  const file = keyFileFor(newKeyPair(), new Date().toISOString(), null);
  // Two processes may be the first at once: a link never replaces, so one key wins and both use it.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // A folder that was there before may be open to others.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    chmodSync(dirname(path), 0o700);
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return file;
  } catch (error) {
    const winner = codeOf(error) === 'EEXIST' ? readKey(path) : null;
    if (winner) return winner;
    throw ioError("The key in the home can't be made", error);
  } finally {
    removeQuietly(draft);
  }
}

// 128 MiB of memory for each guess.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** A private key under a passphrase, each part in base64. */
type LockedKey = Record<'salt' | 'nonce' | 'tag' | 'secret', string>;

/** Ed25519; base64. */
interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ed25519');
  const secret = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  return { publicKey: exportPublic(pair.publicKey), privateKey: secret.toString('base64') };
}

function lockKey(privateKey: string, passphrase: string, publicKey: string): LockedKey {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT), nonce);
  cipher.setAAD(Buffer.from(publicKey));
  const secret = cipher.update(privateKey, 'base64', 'base64') + cipher.final('base64');
  const written = (bytes: Buffer): string => bytes.toString('base64');
  return { salt: written(salt), nonce: written(nonce), tag: written(cipher.getAuthTag()), secret };
}

/** Null: the passphrase is another one. */
function unlockKey(locked: LockedKey, passphrase: string, publicKey: string): Buffer | null {
  const bytes = (name: keyof LockedKey) => Buffer.from(locked[name], 'base64');
  return orNull(() => {
    const key = scryptSync(passphrase.normalize('NFC'), bytes('salt'), 32, SCRYPT);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes('nonce'));
    decipher.setAAD(Buffer.from(publicKey));
    decipher.setAuthTag(bytes('tag'));
    return Buffer.concat([decipher.update(bytes('secret')), decipher.final()]);
  });
}

function exportPublic(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Whether an entry's signature is that of the key it names. */
export const isSigned: IsSigned = (entry) => {
  const { sig, public_key, key } = entry;
  return isSignedBy({ text: signedText(entry), sig, publicKey: String(public_key), fingerprint: String(key) });
};

export function isSignedBy(signed: { text: string; sig: Signature; publicKey: string; fingerprint: string }): boolean {
  const { text, sig, publicKey, fingerprint } = signed;
  const key = publicPart(publicKey);
  if (key === null || fingerprint !== fingerprintOf(publicKey)) return false;
  const port = passkeyPort(publicKey);
  const isIts = () =>
    typeof sig === 'string' ? isEd25519(text, sig, key) : port !== null && isPasskeySigned(text, sig, key, port);
  return orNull(isIts) ?? false;
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
function isPasskeySigned(text: string, sig: PasskeySignature, key: KeyObject, port: number): boolean {
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
  const spki = PASSKEY.exec(publicKey)?.[2] ?? publicKey;
  return orNull(() => createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' }));
}

export function fingerprintOf(publicKey: string): string {
  return sha256(passkeyPort(publicKey) === null ? Buffer.from(publicKey, 'base64') : publicKey);
}
