import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { personKey, replaceLostKey } from './person-key.ts';
import { isSignedBy } from './signatures.ts';

const root = tempFolder();
const WORDS = 'correct horse battery';

describe('the person’s key', () => {
  it('M26 is made once, for the person alone, and signs what only it can have signed', () => {
    const home = join(root, 'made');
    const signer = personKey(home).unlock(null);
    if (!signer) throw new Error('not open');
    expect(personKey(home).fingerprint).toBe(signer.fingerprint);
    expect([statSync(home).mode & 0o777, statSync(join(home, 'key.json')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(home)).toEqual(['key.json']);
    const signed = {
      text: 'yes',
      sig: signer.sign('yes'),
      publicKey: signer.publicKey,
      fingerprint: signer.fingerprint,
    };
    const other = personKey(join(root, 'other'));
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

  it('M18 locked, it opens with its passphrase alone, and the secret is nowhere on disk', () => {
    const home = join(root, 'locked');
    const before = personKey(home);
    const open = JSON.parse(readFileSync(join(home, 'key.json'), 'utf8'));
    before.lock(WORDS, { until: '2026-01-01T00:00:00.000Z', sealed: ['abc'] });
    const text = readFileSync(join(home, 'key.json'), 'utf8');
    for (const secret of [
      WORDS,
      open.private_key,
      Buffer.from(open.private_key, 'base64').subarray(-32).toString('base64'),
    ])
      expect(text).not.toContain(secret);
    const key = personKey(home);
    const { fingerprint } = key;
    expect([key.level, fingerprint === before.fingerprint]).toEqual(['passphrase', false]);
    const given = { public_key: before.publicKey, until: '2026-01-01T00:00:00.000Z', sealed: ['abc'] };
    expect(key.earlier).toEqual([given]);
    expect([key.unlock(null), key.unlock('wrong'), key.unlock('')]).toEqual([null, null, null]);
    expect(key.unlock(WORDS)?.level).toBe('passphrase');
    expect(key.open('wrong')).toBe(false);
    expect(key.open(WORDS)).toBe(true);
    expect([personKey(home).level, personKey(home).unlock(null)?.fingerprint]).toEqual(['ask', fingerprint]);
    expect(personKey(home).earlier).toEqual([given]);
  });

  it('M18 a key can be called an earlier one of the person’s only by the key in force', () => {
    const home = join(root, 'earlier');
    personKey(home).lock(WORDS, { until: '2026-01-01T00:00:00.000Z', sealed: ['abc'] });
    const path = join(home, 'key.json');
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const other = personKey(join(root, 'other')).publicKey;
    for (const change of [{ public_key: other }, { until: '2027-01-01' }, { sealed: ['abc', 'def'] }, { sig: '' }, 5]) {
      const [entry] = file.earlier;
      const changed = typeof change === 'number' ? change : { ...entry, ...change };
      writeFileSync(path, JSON.stringify({ ...file, earlier: [changed] }));
      expect(personKey(home).earlier).toEqual([]);
    }
  });

  it('M18 a swapped public part is seen, open or locked', () => {
    const home = join(root, 'swapped');
    personKey(home);
    const path = join(home, 'key.json');
    const { publicKey } = personKey(join(root, 'other'));
    const swap = () =>
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), public_key: publicKey }));
    const original = readFileSync(path);
    swap();
    expect(personKey(home).unlock(null)).toBeNull();
    writeFileSync(path, original);
    personKey(home).lock(WORDS, { until: '2026-01-01T00:00:00.000Z', sealed: [] });
    swap();
    expect(personKey(home).unlock(WORDS)).toBeNull();
  });

  it('M26 a damaged or unreadable key is said, and never replaced in silence', () => {
    const home = join(root, 'damaged');
    personKey(home);
    for (const text of ['', '{', '{}', 'null', '{"public_key":5,"private_key":"x"}']) {
      writeFileSync(join(home, 'key.json'), text);
      expect(() => personKey(home)).toThrow(/key\.json/);
      expect(readFileSync(join(home, 'key.json'), 'utf8')).toBe(text);
    }
    writeFileSync(join(home, 'key.json'), '{"public_key":"x","private_key":"x"}');
    expect(() => personKey(home).unlock(null)).toThrow(/key\.json\) is damaged/);
    writeFileSync(join(home, 'key.json'), '{"public_key":"x","locked":{}}');
    expect(personKey(home).unlock(WORDS)).toBeNull();
  });

  it('M26 says when it was made, and has authenticators only at the level that asks them', () => {
    const home = join(root, 'dated');
    const path = join(home, 'key.json');
    const made = personKey(home).madeAt;
    expect(Math.abs(Date.parse(made ?? '') - Date.now())).toBeLessThan(3_600_000);
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const { made_at: _, ...undated } = file;
    writeFileSync(path, JSON.stringify({ ...undated, passkeys: [{ public_key: file.public_key }] }));
    expect(personKey(home)).toMatchObject({ madeAt: null, level: 'ask', authenticators: [] });
    // Neither open nor locked: nothing can sign with it.
    writeFileSync(path, JSON.stringify({ ...undated, private_key: undefined, passkeys: [] }));
    expect(() => personKey(home)).toThrow(/damaged/);
  });

  it('M26 a key that is gone is made again in silence only where nothing was ever decided', () => {
    const home = join(root, 'gone');
    const heads = join(home, 'heads');
    const gone = () => rmSync(join(home, 'key.json'), { force: true });
    personKey(home);
    gone();
    mkdirSync(heads);
    // Who only read a shared chain has decided nothing.
    writeFileSync(join(heads, 'read'), '{"seq":0,"hash":""}');
    expect(() => personKey(home)).not.toThrow();
    for (const head of ['{"seq":1,"hash":"x"}', '5', '{', 'null']) {
      gone();
      writeFileSync(join(heads, 'decided'), head);
      expect(() => personKey(home)).toThrow(/gone from the home/);
    }
    replaceLostKey(home);
    const { fingerprint } = personKey(home);
    expect(() => replaceLostKey(home)).toThrow(/already a key/);
    expect(personKey(home).fingerprint).toBe(fingerprint);
  });
});
