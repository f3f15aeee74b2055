import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { atomicWrite } from './write-file.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);

describe('atomicWrite', () => {
  it('M1 writes a new file, its folders, and leaves no draft', () => {
    atomicWrite(at('a/b/file'), 'text é🐋');
    expect(readFileSync(at('a/b/file'), 'utf8')).toBe('text é🐋');
    expect(readdirSync(at('a/b'))).toEqual(['file']);
    atomicWrite(at('a/b/file'), 'other', 0o600);
    expect(readFileSync(at('a/b/file'), 'utf8')).toBe('other');
    expect(statSync(at('a/b/file')).mode & 0o777).toBe(0o600);
  });

  it('M1 leaves a link a link', () => {
    put(folder, { target: 'old' });
    symlinkSync('target', at('link'));
    atomicWrite(at('link'), 'new');
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target'), 'utf8')).toBe('new');
  });

  it('M12 leaves what was there and no draft when it fails', () => {
    put(folder, { 'taken/full/x': 'old' });
    expect(() => atomicWrite(at('taken/full'), 'text')).toThrow();
    expect(readdirSync(at('taken'))).toEqual(['full']);
    expect(readFileSync(at('taken/full/x'), 'utf8')).toBe('old');
  });

  it('M1 shows a reader the old text or the new one, never a part', async () => {
    const versions = ['a', 'b'].map((char) => char.repeat(300_000));
    atomicWrite(at('busy'), versions[0] ?? '');
    const reader = spawn(process.execPath, [
      '-e',
      `const fs = require('node:fs'); let bad = 0;
       for (let i = 0; i < 400; i += 1) { const t = fs.readFileSync(${JSON.stringify(at('busy'))}, 'utf8'); if (t.length !== 300000 || t[0] !== t[299999]) bad += 1; }
       console.log(bad);`,
    ]);
    let out = '';
    reader.stdout.on('data', (data) => {
      out += data;
    });
    const done = new Promise((resolve) => reader.once('close', resolve));
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    for (let i = 0; !ended; i += 1) {
      atomicWrite(at('busy'), versions[i % 2] ?? '');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(out.trim()).toBe('0');
  });
});
