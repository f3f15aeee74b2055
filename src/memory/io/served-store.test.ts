import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { servedStore } from './memory-files.ts';

const DAY_MS = 86_400_000;

describe('M49 served texts', () => {
  it('each is kept once, by its hash, for the person alone, and comes back byte for byte', () => {
    const home = tempFolder();
    const store = servedStore(home, 50, () => new Date());
    const text = 'A context.\r\nWith \u{1f5ff} and a last line';
    for (let times = 0; times < 3; times++) store.keep(text, sha256(text));
    expect(readdirSync(join(home, 'served'))).toEqual([`${sha256(text)}.txt`]);
    expect(statSync(join(home, 'served')).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'served', `${sha256(text)}.txt`)).mode & 0o777).toBe(0o600);
    expect(store.read(sha256(text))).toBe(text);
  });

  it('what was changed, is not there, or is no hash reads as nothing', () => {
    const home = tempFolder();
    const store = servedStore(home, 50, () => new Date());
    store.keep('true', sha256('true'));
    chmodSync(join(home, 'served', `${sha256('true')}.txt`), 0o600);
    writeFileSync(join(home, 'served', `${sha256('true')}.txt`), 'false');
    writeFileSync(join(home, 'secret.txt'), 'secret');
    expect([store.read(sha256('true')), store.read(sha256('never')), store.read('../secret')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('with 0 nothing is kept', () => {
    const home = tempFolder();
    servedStore(home, 0, () => new Date()).keep('x', sha256('x'));
    expect(readdirSync(home)).toEqual([]);
  });

  it('stays within its size, the longest unserved going first, and within 90 days', () => {
    const home = tempFolder();
    let time = Date.parse('2026-01-01T00:00:00Z');
    const store = servedStore(home, 1, () => new Date(time));
    const texts = Array.from({ length: 400 }, (_, at) => `${at} ${'x'.repeat(9_990)}`);
    for (const text of texts) {
      time += 60_000;
      store.keep(text, sha256(text));
    }
    const total = readdirSync(join(home, 'served')).reduce(
      (sum, name) => sum + statSync(join(home, 'served', name)).size,
      0,
    );
    // Between two sweeps fifty new texts may come on top.
    expect(total).toBeLessThanOrEqual(1_000_000 + 50 * 10_000);
    expect(store.read(sha256(texts.at(-1) ?? ''))).not.toBeNull();
    expect(store.read(sha256(texts[0] ?? ''))).toBeNull();
    time += 91 * DAY_MS;
    servedStore(home, 1, () => new Date(time)).keep('new', sha256('new'));
    expect(readdirSync(join(home, 'served'))).toEqual([`${sha256('new')}.txt`]);
  });

  it('a sweep goes down to nine tenths and no further, and takes what nobody was given for 90 days', () => {
    const home = tempFolder();
    let time = Date.parse('2026-01-01T00:00:00Z');
    const store = (megabytes: number) => servedStore(home, megabytes, () => new Date(time));
    const texts = Array.from({ length: 120 }, (_, at) => `${at} `.padEnd(10_000, 'x'));
    const kept = () => texts.flatMap((text, at) => (store(50).read(sha256(text)) === null ? [] : [at]));
    const large = store(50);
    for (const text of texts.slice(0, 118)) {
      time += DAY_MS / 10;
      large.keep(text, sha256(text));
    }
    store(1).keep(texts[118] ?? '', sha256(texts[118] ?? ''));
    // 90 that were there, and the new one.
    expect(kept()).toEqual(Array.from({ length: 91 }, (_, at) => at + 28));
    time += 85 * DAY_MS;
    store(1).keep(texts[119] ?? '', sha256(texts[119] ?? ''));
    expect(kept()[0]).toBe(68);
    expect(kept().at(-1)).toBe(119);
  });
});
