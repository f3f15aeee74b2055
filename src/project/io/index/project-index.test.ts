import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../../../test/support/temp-folder.ts';
import { fingerprintsOf } from '../../../files/file-fingerprint.ts';
import { match } from '../../../matching/match.ts';
import { createTokenizer } from '../../../matching/text/terms.ts';
import { listProject } from '../project-listing.ts';
import { packIndexFile, unpackIndexFile } from './index-store.ts';
import { ProjectIndex } from './project-index.ts';

const folder = tempFolder();
const tokenizer = createTokenizer();
let made = 0;

function project(files: Record<string, string>): string {
  made += 1;
  const root = join(folder, `project-${made}`);
  put(root, files);
  return root;
}

const indexOf = (root: string, cacheFolder = `${root}-cache`) => new ProjectIndex({ root, cacheFolder, tokenizer });

async function holders(index: ProjectIndex, root: string, word: string, some?: readonly string[]): Promise<string[]> {
  const names = some ?? (await listProject(root));
  const view = await index.view({ names, prints: fingerprintsOf(root, names) });
  return match(view, word, tokenizer).map(([path]) => path);
}

describe('one index for whoever asks', () => {
  it('T20 each question counts the files it names, and no other; what one has read another need not read', async () => {
    const root = project({ 'a.md': 'lantern', 'b.md': 'lantern', 'sub/c.md': 'lantern harbour' });
    const index = indexOf(root);
    expect(await holders(index, root, 'lantern', ['a.md'])).toEqual(['a.md']);
    expect(await holders(index, root, 'lantern')).toEqual(['a.md', 'b.md', 'sub/c.md']);
    expect(await holders(index, root, 'lantern', ['b.md', 'sub/c.md'])).toEqual(['b.md', 'sub/c.md']);
    const some = { names: ['b.md'], prints: fingerprintsOf(root, ['b.md']) };
    expect((await index.view(some)).documents).toBe(1);
  });

  it('T20 files that another question is about stay in the index when it is written again', async () => {
    const root = project(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.md`, `word${i}x lantern`])));
    const all = await listProject(root);
    while (fingerprintsOf(root, all).some(Number.isNaN)) await sleep(1);
    await holders(indexOf(root), root, 'lantern');
    put(root, { 'f1.md': 'harbour' });
    expect(await holders(indexOf(root), root, 'harbour', ['f1.md'])).toEqual(['f1.md']);
    const read: number[] = [];
    const files = { names: all, prints: fingerprintsOf(root, all) };
    await indexOf(root).view(files, (_, total) => read.push(total));
    // Only what changed just now, if that.
    expect(Math.max(0, ...read)).toBeLessThanOrEqual(1);
  });

  it('T20 a file that changes while the project is read is read again by the next question', async () => {
    const root = project({ 'a.md': 'lantern', 'b.md': 'lantern' });
    const index = indexOf(root);
    const names = await listProject(root);
    await index.view({ names, prints: fingerprintsOf(root, names) }, () => put(root, { 'a.md': 'harbour' }));
    expect(await holders(index, root, 'harbour')).toEqual(['a.md']);
    expect(await holders(indexOf(root), root, 'lantern')).toEqual(['b.md']);
  });
});

describe('the names of a project', () => {
  it('T20 with git: tracked and new files, without what is ignored; in conflict or not, each once', async () => {
    const root = project({ 'a.md': 'one', '.gitignore': 'out/\n', 'out/x.md': 'x', 'sub/b.md': 'b' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
        stdio: 'ignore',
      });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'one');
    git('checkout', '--quiet', '-b', 'other');
    put(root, { 'a.md': 'two' });
    git('commit', '--quiet', '--all', '--message', 'two');
    git('checkout', '--quiet', 'main');
    put(root, { 'a.md': 'three' });
    git('commit', '--quiet', '--all', '--message', 'three');
    expect(() => git('merge', 'other')).toThrow();
    put(root, { 'new.md': 'new' });
    expect(await listProject(root)).toEqual(['.gitignore', 'a.md', 'new.md', 'sub/b.md']);
    expect(await listProject(join(root, 'sub'))).toEqual(['b.md']);
  });

  it('T20 without git: all that no ignore file names, by code point', async () => {
    const root = project({ 'b.md': '', '\u{1f600}.md': '', '\uff00.md': '', 'node_modules/x.js': '', 'out/x': '' });
    put(root, { '.gitignore': 'out\n' });
    expect(await listProject(root)).toEqual(['.gitignore', 'b.md', '\uff00.md', '\u{1f600}.md']);
  });
});

describe('a file of an index', () => {
  const value = { text: 'a', bytes: Uint8Array.of(1, 2, 3), numbers: Uint32Array.of(7), times: Float64Array.of(0.5) };

  it('T20 comes back as it was written, and not at all where a byte is another', () => {
    const packed = packIndexFile(value);
    expect(unpackIndexFile(packed)).toEqual(value);
    for (let at = 0; at < packed.length; at += 1) {
      const bent = Buffer.from(packed);
      bent[at] = (bent[at] as number) ^ 1;
      expect(() => unpackIndexFile(bent), `byte ${at}`).toThrow();
    }
    for (let length = 0; length < packed.length; length += 1)
      expect(() => unpackIndexFile(packed.subarray(0, length))).toThrow();
  });

  it('T20 one that was planted with the right checksum leads to no other folder, and is made again', async () => {
    const root = project({ 'a.md': 'lantern' });
    const cache = `${root}-cache`;
    await holders(indexOf(root), root, 'lantern');
    const home = join(cache, 'index', readdirSync(join(cache, 'index'))[0] as string);
    mkdirSync(join(cache, 'else'));
    writeFileSync(join(cache, 'else', 'segment'), packIndexFile(value));
    for (const planted of [['../../else/segment'], [join(cache, 'else', 'segment')], [7], 'text', null]) {
      writeFileSync(join(home, 'current'), packIndexFile({ segments: planted }));
      expect(await holders(indexOf(root), root, 'lantern')).toEqual(['a.md']);
    }
    rmSync(cache, { recursive: true });
  });
});
