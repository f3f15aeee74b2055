import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { put, rewriteUnderOldTime, tempFolder } from '../../test/temp-folder.ts';
import { createTokenizer } from '../matching/terms.ts';
import { listFolder } from './folder-listing.ts';
import { ProjectIndexer } from './project-index.ts';

const SETTLED_MS = 80;
// Only GNU's find tells times and inodes; elsewhere JavaScript looks.
const hasFind = spawnSync('find', [tmpdir(), '-maxdepth', '0', '-printf', '%C@']).status === 0;
const tokenizer = createTokenizer();
const folder = realpathSync(tempFolder());
let made = 0;

const FILES = {
  '.gitignore': 'logs/\n*.tmp\n',
  'top.md': 'The lantern stands.\n',
  'docs/a.md': 'The harbour stands.\n',
  'docs/deep/b.md': 'The orchard stands.\n',
  'src/[odd] *name?/c.ts': 'export const lantern = 1;\n',
  'logs/today': 'lantern\n',
  'src/scratch.tmp': 'lantern\n',
  'node_modules/x/index.js': 'lantern\n',
};

const CHANGES: Record<string, (root: string) => void> = {
  nothing: () => {},
  'other words of the same size under the old time': (root) =>
    rewriteUnderOldTime(join(root, 'docs/a.md'), 'The lantern stands.\n'),
  'a new file deep down': (root) => put(root, { 'docs/deep/er/d.md': 'lantern\n' }),
  'a new file at the top': (root) => put(root, { 'e.md': 'lantern\n' }),
  'a file less': (root) => rmSync(join(root, 'docs/deep/b.md')),
  'another name of a folder': (root) => renameSync(join(root, 'docs/deep'), join(root, 'docs/other')),
  'a folder less': (root) => rmSync(join(root, 'docs'), { recursive: true }),
  'a link in place of a file': (root) => {
    rmSync(join(root, 'top.md'));
    symlinkSync('docs/a.md', join(root, 'top.md'));
  },
  'a file in place of a folder': (root) => {
    rmSync(join(root, 'docs/deep'), { recursive: true });
    put(root, { 'docs/deep': 'lantern\n' });
  },
  'an ignore file that lets more in': (root) => writeFileSync(join(root, '.gitignore'), '*.tmp\n'),
  'an ignore file that leaves more out': (root) => put(root, { 'docs/.gitignore': 'deep\n' }),
  'what is left out anyway': (root) => put(root, { 'logs/more': 'lantern\n', 'node_modules/y.js': 'lantern\n' }),
  'a file in a folder that was empty': (root) => put(root, { 'empty/f.md': 'lantern\n' }),
};

function house() {
  const home = join(folder, `house-${made++}`);
  const root = join(home, 'project');
  put(root, FILES);
  mkdirSync(join(root, 'empty'));
  const indexer = (cache: string, guessFrom: number) =>
    new ProjectIndexer({ root, cacheFolder: join(home, cache), tokenizer, now: Date.now, sleep, guessFrom });
  const paths = async (cache: string, guessFrom = 1) =>
    indexer(cache, guessFrom).ask({}, ({ view }) =>
      Array.from({ length: view.size }, (_, id) => id)
        .filter((id) => view.isLive(id))
        .map((id) => `${view.path(id)}: ${view.postings('blantern').ids.includes(id)}`)
        .sort(),
    );
  const found = () => {
    const [place] = readdirSync(join(home, 'cache/index'));
    const text = readFileSync(join(home, 'cache/index', place as string, 'found'), 'utf8');
    return JSON.parse(text.slice(text.indexOf('\n') + 1)) as { sha256: string; out: string[] };
  };
  return { root, paths, found };
}

describe.runIf(hasFind)('a large folder without git', () => {
  it.each(Object.entries(CHANGES))('T20 is told by one listing, and a change is seen: %s', async (_, change) => {
    const { root, paths, found } = house();
    await sleep(SETTLED_MS);
    // Built, then listed, then listed without what is left out.
    for (let time = 0; time < 3; time += 1) await paths('cache');
    expect(found()).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), out: ['logs'] });
    expect((await paths('cache')).length).toBe(5);
    change(root);
    expect(await paths('cache')).toEqual(await paths('other', Number.POSITIVE_INFINITY));
    await sleep(SETTLED_MS);
    for (let time = 0; time < 3; time += 1) expect(await paths('cache')).toEqual(await paths('other'));
  });

  it('T20 a listing is the same twice, another after every change, and none where find can not look', async () => {
    const { root } = house();
    const list = (out: string[] = []) => listFolder(root, { out });
    await sleep(SETTLED_MS);
    const first = await list(['logs', 'src/[odd] *name?']);
    expect(first?.isSettled()).toBe(true);
    expect((await list(['logs', 'src/[odd] *name?']))?.sha256).toBe(first?.sha256);
    put(root, { 'src/[odd] *name?/c.ts': 'else\n', 'logs/today': 'else\n' });
    expect((await list(['logs', 'src/[odd] *name?']))?.sha256).toBe(first?.sha256);
    put(root, { 'top.md': 'else\n' });
    const other = await list(['logs']);
    expect(other?.isSettled()).toBe(false);
    expect(other?.sha256).not.toBe(first?.sha256);
    expect(readdirSync(folder).filter((name) => name.startsWith('draft'))).toEqual([]);
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      expect(await list()).toBeNull();
    } finally {
      process.env.PATH = path;
    }
  });
});
