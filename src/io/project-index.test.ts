import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

    mkdirSync(join(root, 'new'));
    for (const [name, found] of [
      ['harbour.md', ['harbour.md', 'lantern.md']],
      ['new/beacon.md', ['harbour.md', 'lantern.md', 'new/beacon.md']],
    ] as const) {
      uses = 0;
      writeFileSync(join(root, name), `A lantern hangs here: ${name}.\n`);
      expect((await holders('lantern')).sort()).toEqual(found);
      expect(uses).toBe(2);
    }
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

describe('a first build, which reads while git looks', () => {
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  // A git that lets others work on the project once before it looks at the files.
  function lateGit(meanwhile: string): void {
    const [bin, done] = [join(folder, 'bin'), join(folder, 'done')];
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    const script = `#!/bin/sh
case "$*" in *diff-files*) if [ ! -e '${done}' ]; then touch '${done}'; sleep 0.4; cd '${root}'; ${meanwhile}; fi ;; esac
exec '${real}' "$@"
`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    process.env.PATH = `${bin}:${path}`;
  }

  const COMMIT = "git -c user.name=a -c user.email=a@localhost commit --quiet --all --message 'more'";
  it.each([
    ['a file changes', "printf 'A beacon burns.\\n' > harbour.md"],
    ['a file changes, of the same size', "printf 'The beacons stands.\\n' > harbour.md"],
    ['a file changes and is committed', `printf 'A beacon burns.\\n' > harbour.md; ${COMMIT}`],
    ['a file comes, one goes', "printf 'A beacon burns.\\n' > new.md; rm harbour.md"],
    ['a file takes the place of another', "printf 'A beacon burns.\\n' > other.md; mv other.md harbour.md"],
    [
      'an old file takes its place',
      "printf 'A beacon burns.\\n' > other.md; touch -d 2001-01-01 other.md; mv other.md harbour.md",
    ],
  ])('T20 is as good as one that reads afterwards: %s', async (_, meanwhile) => {
    lateGit(meanwhile);
    const own = indexer(Number.POSITIVE_INFINITY);
    const holders = (asked: ProjectIndexer, word: string) =>
      asked.ask({}, ({ view }: ProjectIndex) => match(view, word, tokenizer).map(([name]) => name));
    await holders(own, 'beacon');
    expect(readFileSync(join(folder, 'done'), 'utf8')).toBe('');
    await sleep(RACY_MS);
    // Whoever asks next, in this process or in another, sees what stands there now.
    for (const asked of [own, indexer(Number.POSITIVE_INFINITY)]) {
      expect(await holders(asked, 'beacon')).toHaveLength(1);
      expect(await holders(asked, 'harbour')).toEqual(meanwhile.includes('rm') ? [] : ['harbour.md']);
    }
  });

  it('T20 whoever waited for the build of another looks at the files after it', async () => {
    lateGit("printf 'A beacon burns.\\n' > harbour.md");
    const [first, second] = [indexer(Number.POSITIVE_INFINITY), indexer(Number.POSITIVE_INFINITY)];
    const beacons = (asked: ProjectIndexer) =>
      asked.ask({}, ({ view }: ProjectIndex) => match(view, 'beacon', tokenizer).map(([name]) => name));
    const building = beacons(first);
    await sleep(RACY_MS);
    expect(await beacons(second)).toEqual(['harbour.md']);
    await building;
  });
});
