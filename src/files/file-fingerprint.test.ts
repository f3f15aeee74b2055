import { lstatSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { fingerprintsOf, isPlainFile, isSameFile, isTooYoung } from './file-fingerprint.ts';

const root = tempFolder();
put(root, { 'a.md': 'alpha', 'sub/b.md': 'beta' });
const old = new Date('2020-01-01T00:00:00.5Z');
const NAMES = ['a.md'];
const isOld = () => !Number.isNaN(fingerprintsOf(root, NAMES)[2]);

// A file becomes old enough to be told by waiting for nothing but the clock.
async function settled(): Promise<void> {
  while (!isOld()) await new Promise((resolve) => setImmediate(resolve));
}

describe('whether a file has changed', () => {
  it('T20 the same stat is the same file; another size, time or inode is another', async () => {
    await settled();
    const before = fingerprintsOf(root, NAMES);
    expect(isSameFile(before, 0, fingerprintsOf(root, NAMES), 0)).toBe(true);
    const changes = [
      () => writeFileSync(join(root, 'a.md'), 'gamma'),
      () => utimesSync(join(root, 'a.md'), old, old),
      () => {
        writeFileSync(join(root, 'new.md'), 'gamma');
        utimesSync(join(root, 'new.md'), old, old);
        renameSync(join(root, 'new.md'), join(root, 'a.md'));
      },
    ];
    for (const change of changes) {
      const last = fingerprintsOf(root, NAMES);
      change();
      expect(isSameFile(last, 0, fingerprintsOf(root, NAMES), 0)).toBe(false);
      await settled();
      expect(isSameFile(last, 0, fingerprintsOf(root, NAMES), 0)).toBe(false);
    }
  });

  it('T20 a file as young as a tick of its clock is never the same, not even as itself', () => {
    const young = fingerprintsOf(root, NAMES, Math.floor(lstatSync(join(root, 'a.md')).ctimeMs));
    expect(isPlainFile(young, 0)).toBe(true);
    expect(isSameFile(young, 0, young, 0)).toBe(false);
  });

  it('T20 nothing, a folder and what is below a file are not plain files', () => {
    const prints = fingerprintsOf(root, ['none', 'sub', 'a.md/x', 'a.md']);
    expect([0, 1, 2, 3].map((at) => isPlainFile(prints, at))).toEqual([false, false, false, true]);
  });

  it.each([
    [1_000.5, 1_050.4, true],
    [1_000.5, 1_050.6, false],
    [2_000, 3_999, true],
    [2_000, 4_000, false],
    [5_000.5, 1_000, true],
  ])('T20 changed at %d and seen at %d: too young is %s', (changed, seen, young) => {
    expect(isTooYoung(changed, seen)).toBe(young);
  });
});
