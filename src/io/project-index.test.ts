import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { match } from '../matching/match.ts';
import { createTokenizer } from '../matching/terms.ts';
import { type ProjectIndex, ProjectIndexer } from './project-index.ts';

const RACY_MS = 30;
const tokenizer = createTokenizer();
let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-guess-')));
  root = join(folder, 'project');
  mkdirSync(root);
  for (const name of ['lantern', 'harbour', 'orchard'])
    writeFileSync(join(root, `${name}.md`), `The ${name} stands.\n`);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args]);
}

function indexer(guessFrom: number): ProjectIndexer {
  return new ProjectIndexer({ root, cacheFolder: join(folder, 'cache'), tokenizer, now: Date.now, sleep, guessFrom });
}

describe('an answer that is guessed while git looks', () => {
  it('T20 is given where the files stand as they were, and worked out anew where one changed', async () => {
    const asked = indexer(0);
    let uses = 0;
    const holders = async (word: string): Promise<string[]> =>
      asked.ask({}, ({ view }: ProjectIndex) => {
        uses += 1;
        return match(view, word, tokenizer).map(([path]) => path);
      });
    await holders('lantern');
    await sleep(RACY_MS);
    await holders('lantern');
    uses = 0;
    expect(await holders('lantern')).toEqual(['lantern.md']);
    expect(uses).toBe(1);

    for (const name of ['harbour.md', 'new/beacon.md']) {
      uses = 0;
      mkdirSync(join(root, 'new'), { recursive: true });
      writeFileSync(join(root, name), `A lantern hangs here: ${name}.\n`);
      expect(await holders('lantern')).toEqual(
        name === 'harbour.md' ? ['harbour.md', 'lantern.md'] : expect.anything(),
      );
      expect(uses).toBe(2);
    }
    expect((await holders('lantern')).sort()).toEqual(['harbour.md', 'lantern.md', 'new/beacon.md']);
    rmSync(join(root, 'lantern.md'));
    expect((await holders('lantern')).sort()).toEqual(['harbour.md', 'new/beacon.md']);
  });

  it('T20 is not made for few files, and is the same with and without', async () => {
    let uses = 0;
    const use = ({ view }: ProjectIndex) => {
      uses += 1;
      return match(view, 'the orchard stands', tokenizer);
    };
    const plain = await indexer(Number.POSITIVE_INFINITY).ask({}, use);
    await sleep(RACY_MS);
    uses = 0;
    expect(await indexer(Number.POSITIVE_INFINITY).ask({}, use)).toEqual(plain);
    expect(uses).toBe(1);
    expect(await indexer(0).ask({}, use)).toEqual(plain);
  });
});
