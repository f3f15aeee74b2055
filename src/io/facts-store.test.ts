import { appendFileSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dateBack, put, tempFolder } from '../../test/temp-folder.ts';
import { factsStore } from './facts-store.ts';

const folder = tempFolder();
const path = join(folder, 'notes.md');
const statOf = () => statSync(path, { bigint: true });
const FACTS = { lines: 3, stride: 65_536, marks: [0] };
const SECOND = 1_000_000_000n;
// A store that looks at the file an hour later: nothing is fresh.
const later = () => BigInt(Date.now()) * 1_000_000n + 3600n * SECOND;
const storeAt = (name: string, now = later) => factsStore(join(folder, name), now);

describe('factsStore', () => {
  it('M14 keeps facts between stores, keyed by inode, size, mtime and ctime', () => {
    put(folder, { 'notes.md': 'a\nb\nc\n' });
    const store = storeAt('keyed');
    expect(store.get(statOf())).toBeNull();
    store.put(statOf(), FACTS);
    expect(storeAt('keyed').get(statOf())).toEqual(FACTS);
    appendFileSync(path, 'd\n');
    expect(store.get(statOf())).toBeNull();
    store.put(statOf(), FACTS);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'x\ny\nz\nd\n');
    utimesSync(path, atime, mtime);
    expect(store.get(statOf())).toBeNull();
    store.put(statOf(), FACTS);
    put(folder, { other: 'a\nb\nc\nd\n' });
    renameSync(join(folder, 'other'), path);
    expect(store.get(statOf())).toBeNull();
  });

  it('M14 keeps nothing of a file that changed within the tick of its clock', () => {
    put(folder, { 'notes.md': 'a\n' });
    dateBack(path);
    const store = storeAt('fresh', () => statOf().ctimeNs + 1_000_000n);
    store.put(statOf(), FACTS);
    expect(store.get(statOf())).toBeNull();
    const patient = storeAt('fresh', () => statOf().ctimeNs + 3n * SECOND);
    patient.put(statOf(), FACTS);
    expect(patient.get(statOf())).toEqual(FACTS);
  });

  it('M14 takes a clock that goes backwards for a fresh file', () => {
    put(folder, { 'notes.md': 'a\n' });
    const store = storeAt('backwards', () => 0n);
    store.put(statOf(), FACTS);
    expect(store.get(statOf())).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"key":1}', '{"facts":{"lines":1}}'])(
    'M12 finds %j in the cache no facts',
    (broken) => {
      put(folder, { 'notes.md': 'a\n' });
      const store = storeAt('broken');
      store.put(statOf(), FACTS);
      const [name = ''] = readdirSync(join(folder, 'broken/lines'));
      put(folder, { [`broken/lines/${statOf().dev}-${statOf().ino}.json`]: broken });
      expect(name).not.toBe('');
      expect(store.get(statOf())).toBeNull();
    },
  );

  it('M12 works without a cache folder', () => {
    put(folder, { 'notes.md': 'a\n', blocked: 'a file' });
    const store = storeAt('blocked');
    expect(() => store.put(statOf(), FACTS)).not.toThrow();
    expect(store.get(statOf())).toBeNull();
  });
});
