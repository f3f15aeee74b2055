import { lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import { tasteFolder } from './memory-files.ts';

const root = tempFolder();
const at = (name: string) => join(root, name);

describe('tasteFolder', () => {
  it('M3 lists plain .md files, _default first', () => {
    put(at('list'), {
      'b.md': '',
      '_default.md': '',
      'a.md': '',
      'Z.md': '',
      'x.txt': '',
      '.md': '',
      '.hidden.md': '',
    });
    expect(tasteFolder({ tastesFolder: at('list'), home: root }).list()).toEqual(['_default', 'Z', 'a', 'b']);
    expect(tasteFolder({ tastesFolder: at('none'), home: root }).list()).toEqual([]);
  });

  it('M3 the older file is the default taste where _default.md is absent; where both are there it is told', () => {
    put(root, { 'home/taste.md': 'old' });
    const tastes = tasteFolder({ tastesFolder: at('home/tastes'), home: at('home') });
    expect(tastes.readDefault()).toMatchObject({ name: 'taste.md', isDouble: false, file: { value: { text: 'old' } } });
    expect([tastes.list(), tastes.locate('_default')]).toEqual([
      ['_default'],
      { path: at('home/taste.md'), scope: null },
    ]);
    expect(() => tastes.create('_default')).toThrow(expect.objectContaining({ code: 'conflict' }));
    mkdirSync(at('home/tastes/_default.md'), { recursive: true });
    expect(tastes.readDefault()).toMatchObject({ name: '_default.md', isDouble: true, file: { status: 'unreadable' } });
    expect(readFileSync(at('home/taste.md'), 'utf8')).toBe('old');
    expect(tasteFolder({ tastesFolder: at('none'), home: at('none') }).readDefault()).toMatchObject({
      isDouble: false,
      file: { status: 'missing' },
    });
  });

  it('M9 follows a link within the folder and none out of it', () => {
    put(root, { secret: 'SECRET', 'tastes/a.md': 'a', 'tastes-not/b.md': 'SECRET' });
    symlinkSync('a.md', at('tastes/alias.md'));
    symlinkSync('../secret', at('tastes/out.md'));
    symlinkSync('../tastes-not/b.md', at('tastes/sibling.md'));
    const tastes = tasteFolder({ tastesFolder: at('tastes'), home: root });
    expect(tastes.read('alias')).toMatchObject({ value: { text: 'a' } });
    expect(tastes.read('out').status).toBe('unreadable');
    expect(tastes.read('sibling').status).toBe('unreadable');
  });

  it('M3 makes a taste once, never over a file or a link', () => {
    const tastes = tasteFolder({ tastesFolder: at('new'), home: root });
    tastes.create('a');
    expect(tastes.list()).toEqual(['a']);
    expect(() => tastes.create('a')).toThrow(expect.objectContaining({ code: 'conflict' }));
    symlinkSync('../nowhere', at('new/link.md'));
    expect(() => tastes.create('link')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(lstatSync(at('nowhere'), { throwIfNoEntry: false })).toBeUndefined();
    put(root, { file: '' });
    const blocked = () => tasteFolder({ tastesFolder: at('file'), home: root }).create('a');
    expect(blocked).toThrow(expect.objectContaining({ code: 'io_error' }));
    expect(blocked).not.toThrow(root);
  });
});
