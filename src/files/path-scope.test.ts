import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { isInside, realPath, staysInside } from './paths.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);
put(folder, { 'a/file': '', 'ab/file': '' });
mkdirSync(at('a/sub'));
symlinkSync('../ab', at('a/out'));
symlinkSync('../ab/new', at('a/dangling'));
symlinkSync('sub', at('a/within'));

describe('path scope', () => {
  it('M9 compares by segments', () => {
    expect(isInside('/data/a', '/data/a')).toBe(true);
    expect(isInside('/data/a', '/data/a/b')).toBe(true);
    expect(isInside('/data/a', '/data/a/..b')).toBe(true);
    expect(isInside('/data/a', '/data/ab')).toBe(false);
    expect(isInside('/data/a', '/data')).toBe(false);
    expect(isInside('/data/a', '/')).toBe(false);
  });

  it('M9 has no real path where nothing exists', () => {
    expect(realPath(at('none'))).toBeNull();
    expect(realPath(at('a/out/file'))).toBe(at('ab/file'));
  });

  it.each([
    ['a/file', true],
    ['a/new', true],
    ['a/sub/new', true],
    ['a/within/new', true],
    ['a/out/file', false],
    ['a/out/new', false],
    ['a/out', false],
    ['a/dangling', false],
    ['a/none/new', true],
    ['a/dangling/new', false],
    ['a/out/none/new', false],
    ['ab/file', false],
  ])('M9 says whether a write to %s stays inside: %s', (name, inside) => {
    expect(staysInside(at('a'), at(name))).toBe(inside);
  });
});
