import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { realFiles } from '../../files/write-file.ts';
import { NOTHING_DECIDED } from '../domains/domains.ts';
import { draftEntry, type Signer, signedLine } from '../ledger/ledger.ts';
import { ledgerFile } from './ledger-file.ts';
import {
  isSignedBy,
  keyFile,
  keyFileFor,
  knownKey,
  newKeyPair,
  type PersonKey,
  passkeyOf,
  personKey,
  saveKeyFile,
  setRecordAside,
} from './person-key.ts';
import { homeLedger, readHome } from './read-standing.ts';

const root = tempFolder();
const WORDS = 'correct horse battery';
const NONE: ReadonlySet<string> = new Set();
const MADE = '2026-01-01T00:00:00.000Z';

function opened(key: PersonKey): Signer {
  const signer = key.unlock(null);
  if (!signer) throw new Error('not open');
  return signer;
}
/** As the first decision in a home does. */
function firstWord(home: string): void {
  const key = opened(personKey(home, NONE));
  const record = { ...NOTHING_DECIDED, decision: 'key', subject: key.publicKey, at: MADE, who: 'ada' } as const;
  const own = ledgerFile(homeLedger(home), realFiles);
  own.append(signedLine(draftEntry({ ...record, level: 'ask' }, { ...own.end(), key }, { seed: home, sha256 }), key));
}

describe('the person’s key', () => {
  it('M26 is made once, for the person alone, and signs what only it can have signed', () => {
    const home = join(root, 'made');
    expect([knownKey(home, NONE), existsSync(home)]).toEqual([null, false]);
    const signer = opened(personKey(home, NONE));
    expect(personKey(home, NONE).fingerprint).toBe(signer.fingerprint);
    expect(knownKey(home, NONE)).toEqual({
      publicKey: signer.publicKey,
      fingerprint: signer.fingerprint,
      level: 'ask',
    });
    expect([statSync(home).mode & 0o777, statSync(join(home, 'key.json')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(home)).toEqual(['key.json']);
    const signed = {
      text: 'yes',
      sig: signer.sign('yes'),
      publicKey: signer.publicKey,
      fingerprint: signer.fingerprint,
    };
    const other = personKey(join(root, 'other'), NONE);
    expect(isSignedBy(signed)).toBe(true);
    for (const change of [
      { text: 'no' },
      { sig: signer.sign('no') },
      { sig: '' },
      { publicKey: other.publicKey },
      { fingerprint: other.fingerprint },
      { publicKey: 'x' },
    ])
      expect(isSignedBy({ ...signed, ...change })).toBe(false);
  });

  it('M50 a signature counts in the one form that it was written in', () => {
    const signer = opened(personKey(join(root, 'forms'), NONE));
    const { publicKey, fingerprint } = signer;
    const sig = String(signer.sign('yes'));
    const isSigned = (written: string) => isSignedBy({ text: 'yes', sig: written, publicKey, fingerprint });
    expect([isSigned(sig), sig.endsWith('==')]).toEqual([true, true]);
    // The last character before the padding holds four bits that belong to no byte.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const last = letters[letters.indexOf(sig.at(-3) ?? '') ^ 1];
    for (const form of [
      `${sig.slice(0, -3)}${last}==`,
      sig.slice(0, -2),
      `${sig}!`,
      `${sig} `,
      ` ${sig}`,
      `${sig}AAAA`,
    ])
      expect([form, isSigned(form)]).toEqual([form, false]);
  });

  it('M18 locked, it opens with its passphrase alone, and the secret is nowhere on disk', () => {
    const home = join(root, 'locked');
    const pair = newKeyPair();
    saveKeyFile(home, keyFileFor(pair, MADE, WORDS));
    const text = readFileSync(join(home, 'key.json'), 'utf8');
    expect(statSync(join(home, 'key.json')).mode & 0o777).toBe(0o600);
    for (const secret of [
      WORDS,
      pair.privateKey,
      Buffer.from(pair.privateKey, 'base64').subarray(-32).toString('base64'),
      Buffer.from(pair.privateKey, 'base64').subarray(-32).toString('hex'),
    ])
      expect(text).not.toContain(secret);
    const key = personKey(home, NONE);
    expect([key.level, key.publicKey, key.madeAt]).toEqual(['passphrase', pair.publicKey, MADE]);
    expect([key.unlock(null), key.unlock('wrong'), key.unlock('')]).toEqual([null, null, null]);
    expect(key.unlock(WORDS)?.level).toBe('passphrase');
    saveKeyFile(home, keyFileFor(pair, MADE, null));
    expect([personKey(home, NONE).level, personKey(home, NONE).unlock(null)?.publicKey]).toEqual([
      'ask',
      pair.publicKey,
    ]);
  });

  it('M18 M24 the next key takes its place once the home’s chain names it, and not before', () => {
    const home = join(root, 'next');
    const [now, then] = [newKeyPair(), newKeyPair()];
    const next = keyFileFor(then, MADE, WORDS);
    saveKeyFile(home, { ...keyFileFor(now, MADE, null), next });
    for (const inForce of [NONE, new Set([now.publicKey]), new Set(['other'])])
      expect([personKey(home, inForce).publicKey, personKey(home, inForce).level]).toEqual([now.publicKey, 'ask']);
    const inForce = new Set([then.publicKey]);
    expect(personKey(home, inForce)).toMatchObject({ publicKey: then.publicKey, level: 'passphrase' });
    expect([personKey(home, inForce).unlock(null), keyFile(home, inForce)]).toEqual([null, next]);
    // One that is none is not waited for.
    writeFileSync(
      join(home, 'key.json'),
      JSON.stringify({ ...keyFileFor(now, MADE, null), next: { public_key: 'x' } }),
    );
    expect(() => personKey(home, inForce)).toThrow(/damaged/);
  });

  it('M18 a swapped public part is seen, open or locked', () => {
    const home = join(root, 'swapped');
    const path = join(home, 'key.json');
    const { publicKey } = personKey(join(root, 'other'), NONE);
    const pair = newKeyPair();
    for (const [words, given] of [
      [null, null],
      [WORDS, WORDS],
    ]) {
      const file = keyFileFor(pair, MADE, words ?? null);
      saveKeyFile(home, file);
      expect(personKey(home, NONE).unlock(given ?? null)?.publicKey).toBe(pair.publicKey);
      writeFileSync(path, JSON.stringify({ ...file, public_key: publicKey }));
      expect(personKey(home, NONE).unlock(given ?? null)).toBeNull();
    }
  });

  it('M26 a damaged or unreadable key is said, and never replaced in silence', () => {
    const home = join(root, 'damaged');
    personKey(home, NONE);
    for (const text of ['', '{', '{}', 'null', '{"public_key":5,"private_key":"x"}']) {
      writeFileSync(join(home, 'key.json'), text);
      expect(() => personKey(home, NONE)).toThrow(/key\.json/);
      expect(knownKey(home, NONE)).toBeNull();
      expect(readFileSync(join(home, 'key.json'), 'utf8')).toBe(text);
    }
    writeFileSync(join(home, 'key.json'), '{"public_key":"x","private_key":"x"}');
    expect(() => personKey(home, NONE).unlock(null)).toThrow(/key\.json\) is damaged/);
    writeFileSync(join(home, 'key.json'), '{"public_key":"x","locked":{}}');
    expect(personKey(home, NONE).unlock(WORDS)).toBeNull();
  });

  it('M26 says when it was made, and has authenticators only at the level that asks them', () => {
    const home = join(root, 'dated');
    const path = join(home, 'key.json');
    const { madeAt } = personKey(home, NONE);
    expect(Math.abs(Date.parse(madeAt) - Date.now())).toBeLessThan(3_600_000);
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const authenticator = { public_key: passkeyOf({ port: 4321, spki: 'AAAA' }), credential: 'c', added_at: MADE };
    writeFileSync(path, JSON.stringify({ ...file, passkeys: [authenticator] }));
    expect(personKey(home, NONE)).toMatchObject({ level: 'ask', authenticators: [] });
    // Neither open nor locked: nothing can sign with it.
    writeFileSync(path, JSON.stringify({ ...file, private_key: undefined, passkeys: [authenticator] }));
    expect(() => personKey(home, NONE)).toThrow(/damaged/);
    const own = { version: 1, public_key: authenticator.public_key, made_at: MADE };
    writeFileSync(path, JSON.stringify({ ...own, passkeys: [authenticator] }));
    // Those that the chain names: the file may name any.
    expect(personKey(home, NONE).authenticators).toEqual([]);
    const key = personKey(home, new Set([authenticator.public_key]));
    expect([key.level, key.authenticators, key.unlock(null), key.unlock(WORDS)]).toEqual([
      ...['passkey', [authenticator], null, null],
    ]);
    for (const passkeys of [undefined, 5, [{}], [{ ...authenticator, credential: 5 }]]) {
      writeFileSync(path, JSON.stringify({ ...own, passkeys }));
      expect(() => personKey(home, NONE)).toThrow(/damaged/);
    }
  });

  it('M26 a key that is gone is made again in silence only where nothing was ever decided', () => {
    const home = join(root, 'gone');
    const gone = () => rmSync(join(home, 'key.json'), { force: true });
    const first = personKey(home, NONE).fingerprint;
    gone();
    expect(personKey(home, readHome(home).state.keys).fingerprint).not.toBe(first);
    firstWord(home);
    gone();
    expect(() => personKey(home, readHome(home).state.keys)).toThrow(/gone from the home/);
    expect([knownKey(home, readHome(home).state.keys), existsSync(join(home, 'key.json'))]).toEqual([null, false]);
    // The person has said that it is lost: what it signed is kept, and read no more.
    setRecordAside(home, new Date(MADE));
    expect(readHome(home).state.isNew).toBe(true);
    expect(readdirSync(join(home, 'lost/2026-01-01T00-00-00-000Z/ledger'))).toHaveLength(1);
    expect(() => personKey(home, readHome(home).state.keys)).not.toThrow();
  });

  it.each([
    ['deleted', (ledger: string) => rmSync(ledger, { recursive: true })],
    ['damaged', (ledger: string) => writeFileSync(join(ledger, readdirSync(ledger)[0] ?? ''), 'junk\n')],
  ])('M26 nor where the home’s chain was %s with it: the marks still show earlier use', (how, change) => {
    const home = join(root, `gone-${how}`);
    firstWord(home);
    rmSync(join(home, 'key.json'));
    change(join(home, 'ledger'));
    expect(() => personKey(home, readHome(home).state.keys)).toThrow(/gone from the home/);
  });
});
