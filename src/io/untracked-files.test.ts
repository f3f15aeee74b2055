import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitFolderOf, indexMark } from './git-folder.ts';
import { type KnownListings, scanProject } from './project-scan.ts';
import { type KnownUntracked, type NotKnown, stillUntracked, untrackedState } from './untracked-files.ts';

// Longer than a tick of the clock that dates files here.
const TICK_MS = 12;
const HOME = process.env.HOME;
let folder: string;
let home: string;
let top: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-untracked-')));
  [home, top] = [join(folder, 'home'), join(folder, 'project')];
  process.env.HOME = home;
  mkdirSync(join(home, '.config', 'git'), { recursive: true });
  for (const name of ['a/b', 'c']) mkdirSync(join(top, name), { recursive: true });
  for (const name of ['one.md', 'a/two.md', 'a/b/three.md', 'c/four.md']) writeFileSync(join(top, name), name);
  git(top, 'init', '--quiet');
  git(top, 'add', '--all');
  git(top, 'commit', '--quiet', '--message', 'all');
});

afterEach(() => {
  process.env.HOME = HOME;
  rmSync(folder, { recursive: true, force: true });
});

function git(root: string, ...args: string[]): string {
  const safe = ['-c', 'user.name=a', '-c', 'user.email=a@localhost', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', ['-C', root, ...safe, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Looks at a project as a large one is looked at, with its own memory. */
function looker(root: string, ahead = 10_000) {
  let kept: KnownUntracked | NotKnown | null = null;
  const listings: KnownListings = {
    ...{ known: () => null, learn: () => undefined, from: 0 },
    untracked: () => kept,
    learnUntracked: (known) => {
      kept = known;
    },
    isLarge: () => true,
    // What has just changed counts as settled: the test itself waits for a tick.
    now: () => Date.now() + ahead,
  };
  return {
    /** Whether git need not be asked. */
    knows: (): boolean => {
      const place = gitFolderOf(root);
      const state = place && untrackedState(place, indexMark(place) ?? '');
      return stillUntracked(root, kept, state) !== null;
    },
    others: async (): Promise<string[]> => {
      const { loose } = await scanProject(root, () => null, listings);
      return loose.flatMap(({ name, other }) => (other ? [name] : [])).sort();
    },
  };
}

function gitsOthers(root: string): string[] {
  return git(root, 'ls-files', '-z', '-o', '--exclude-standard', '--', '.').split('\0').slice(0, -1).sort();
}

async function expectAsGit(root: string, look: ReturnType<typeof looker>): Promise<void> {
  await sleep(TICK_MS);
  expect(await look.others()).toEqual(gitsOthers(root));
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // It is not there, or stands in the way: nothing is changed.
  }
};

const FOLDERS = ['', 'a', 'a/b', 'c', 'new', 'a/new', 'build', 'sub'];
const FILES = ['x.md', 'y.log', 'build', 'new', 'keep.log'];
const RULES = ['*.log\n', 'build/\n', 'new\n', '!keep.log\n', '/a/new\n', ''];
const place = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...FILES)).map((names) => names.join('/'));
const rule = fc.constantFrom(...RULES);
const inFolder = fc.constantFrom(...FOLDERS.slice(1));

type Change = (top: string) => void;
const CHANGES: fc.Arbitrary<[string, Change]> = fc.oneof(
  place.map((name): [string, Change] => [`write ${name}`, (top) => put(join(top, name), 'text')]),
  place.map((name): [string, Change] => [`remove ${name}`, (top) => rmSync(join(top, name), { recursive: true })]),
  inFolder.map((name): [string, Change] => [`folder ${name}`, (top) => mkdirSync(join(top, name))]),
  fc
    .tuple(inFolder, inFolder)
    .map(([from, to]): [string, Change] => [`${from} to ${to}`, (top) => renameSync(join(top, from), join(top, to))]),
  fc
    .tuple(fc.constantFrom(...FOLDERS), rule)
    .map(([name, rule]): [string, Change] => [
      `ignore ${rule.trim()} in ${name}`,
      (top) => put(join(top, name, '.gitignore'), rule),
    ]),
  fc
    .constantFrom(...FOLDERS)
    .map((name): [string, Change] => [`no ignore file in ${name}`, (top) => rmSync(join(top, name, '.gitignore'))]),
  rule.map((rule): [string, Change] => [`exclude ${rule}`, (top) => put(join(top, '.git/info/exclude'), rule)]),
  rule.map((rule): [string, Change] => [`user ${rule}`, () => put(join(home, '.config/git/ignore'), rule)]),
  fc
    .constantFrom('mine', 'other')
    .map((name): [string, Change] => [
      `settings name ${name}`,
      () => put(join(home, '.gitconfig'), `[core]\n\texcludesFile = ~/${name}\n`),
    ]),
  fc
    .tuple(fc.constantFrom('mine', 'other'), rule)
    .map(([name, rule]): [string, Change] => [`list ${name} ${rule}`, () => put(join(home, name), rule)]),
  fc.constant<[string, Change]>(['include', () => put(join(home, '.gitconfig'), '[include]\n\tpath = more\n')]),
  fc.constant<[string, Change]>(['included', () => put(join(home, 'more'), '[core]\n\texcludesFile = ~/mine\n')]),
  place.map((name): [string, Change] => [`add ${name}`, (top) => git(top, 'add', '--force', name)]),
  place.map((name): [string, Change] => [
    `untrack ${name}`,
    (top) => git(top, 'rm', '-r', '--cached', '--quiet', name),
  ]),
  fc
    .constantFrom('new', 'a/new', 'build')
    .map((name): [string, Change] => [`repository ${name}`, (top) => git(top, 'init', '--quiet', name)]),
  fc
    .constantFrom('new', 'a/new', 'build')
    .map((name): [string, Change] => [
      `no repository ${name}`,
      (top) => rmSync(join(top, name, '.git'), { recursive: true }),
    ]),
  inFolder.map((name): [string, Change] => [
    `link ${name}`,
    (top) => {
      rmSync(join(top, name), { recursive: true });
      symlinkSync(join(top, 'c'), join(top, name));
    },
  ]),
  fc
    .constantFrom(...FOLDERS)
    .map((name): [string, Change] => [`old times ${name}`, (top) => utimesSync(join(top, name), 1_000_000, 1_000_000)]),
  fc.constant<[string, Change]>([
    'old folder from elsewhere',
    (top) => {
      put(join(folder, 'elsewhere/x.md'), 'text');
      utimesSync(join(folder, 'elsewhere'), 1_000_000, 1_000_000);
      renameSync(join(folder, 'elsewhere'), join(top, 'new'));
    },
  ]),
);

describe('what git does not track, known by the times of folders', () => {
  it('T20 is what git says, over any changes, at the top, in a folder below and in a linked work tree', async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(CHANGES, { minLength: 4, maxLength: 9 }),
        fc.constantFrom('top', 'below', 'linked'),
        async (changes, where) => {
          rmSync(home, { recursive: true });
          mkdirSync(join(home, '.config', 'git'), { recursive: true });
          const tree = join(folder, 'tree');
          rmSync(tree, { recursive: true, force: true });
          if (where === 'linked') {
            git(top, 'worktree', 'prune');
            git(top, 'worktree', 'add', '--quiet', '--detach', tree);
          } else execFileSync('cp', ['-r', top, tree]);
          const root = where === 'below' ? join(tree, 'a') : tree;
          const look = looker(root);
          await expectAsGit(root, look);
          for (const [, change] of changes) {
            await sleep(TICK_MS);
            quietly(() => change(tree));
            if (!existsSync(root) || lstatSync(root).isSymbolicLink()) return;
            await expectAsGit(root, look);
            if (look.knows()) known += 1;
            await expectAsGit(root, look);
          }
        },
      ),
      { numRuns: 25 },
    );
    expect(known).toBeGreaterThan(25);
  }, 120_000);
});

describe('what git does not track is asked again', () => {
  const learnt = async (root = top): Promise<ReturnType<typeof looker>> => {
    const look = looker(root);
    await expectAsGit(root, look);
    expect(look.knows()).toBe(true);
    await sleep(TICK_MS);
    return look;
  };

  it('T20 where a file comes into a folder that is empty, or holds ignored files only', async () => {
    for (const name of ['empty', 'logs']) mkdirSync(join(top, name));
    writeFileSync(join(top, '.gitignore'), '*.log\n');
    writeFileSync(join(top, 'logs/a.log'), '');
    for (const name of ['empty', 'logs']) {
      const look = await learnt();
      writeFileSync(join(top, name, 'x.md'), 'x');
      expect(look.knows()).toBe(false);
      await expectAsGit(top, look);
      expect(await look.others()).toContain(`${name}/x.md`);
    }
  });

  it('T20 not where something changes in an ignored folder, or in git itself', async () => {
    put(join(top, '.gitignore'), 'dist/\n');
    put(join(top, 'dist/deep/x.md'), 'x');
    const look = await learnt();
    put(join(top, 'dist/deep/y.md'), 'y');
    put(join(top, 'dist/other/.gitignore'), '!x.md\n');
    git(top, 'branch', 'other');
    expect(look.knows()).toBe(true);
    await expectAsGit(top, look);
  });

  it('T20 where an ignore file changes in its place, keeps its size and gets its old times back', async () => {
    writeFileSync(join(top, 'x.md'), 'x');
    writeFileSync(join(top, '.gitignore'), '*.tmp\n');
    const look = await learnt();
    const { atime, mtime } = lstatSync(join(top, '.gitignore'));
    writeFileSync(join(top, '.gitignore'), 'x.md \n');
    utimesSync(join(top, '.gitignore'), atime, mtime);
    expect(look.knows()).toBe(false);
    await expectAsGit(top, look);
  });

  it('T20 where an ignore file is a link, a folder holds a repository or a submodule: always', async () => {
    writeFileSync(join(folder, 'rules'), 'x.md\n');
    symlinkSync(join(folder, 'rules'), join(top, 'a', '.gitignore'));
    const linked = looker(top);
    await expectAsGit(top, linked);
    expect(linked.knows()).toBe(false);
    rmSync(join(top, 'a', '.gitignore'));

    git(top, 'init', '--quiet', 'nested');
    const nested = looker(top);
    await expectAsGit(top, nested);
    expect(nested.knows()).toBe(false);
    rmSync(join(top, 'nested'), { recursive: true });

    execFileSync('cp', ['-r', top, join(folder, 'module')]);
    git(top, 'submodule', '--quiet', 'add', join(folder, 'module'), 'module');
    writeFileSync(join(top, 'module/x.md'), 'x');
    const module = looker(top);
    await expectAsGit(top, module);
    expect(module.knows()).toBe(false);
  });

  it('T20 where settings include by branch: always; where an included file comes to be', async () => {
    put(join(home, '.gitconfig'), '[includeIf "onbranch:x"]\n\tpath = more\n');
    const fickle = looker(top);
    await expectAsGit(top, fickle);
    expect(fickle.knows()).toBe(false);

    put(join(home, '.gitconfig'), `[includeIf "gitdir:${folder}/"]\n\tpath = more\n`);
    const look = await learnt();
    put(join(home, 'more'), '[core]\n\texcludesFile = ~/mine\n');
    expect(look.knows()).toBe(false);
  });

  it('T20 where a link to the list of patterns leads to another text', async () => {
    writeFileSync(join(top, 'x.md'), 'x');
    put(join(folder, 'dotfiles/ignore'), '*.tmp\n');
    symlinkSync(join(folder, 'dotfiles/ignore'), join(home, '.config/git/ignore'));
    const look = await learnt();
    appendFileSync(join(folder, 'dotfiles/ignore'), 'x.md\n');
    expect(look.knows()).toBe(false);
    await expectAsGit(top, look);
    expect(await look.others()).toEqual([]);
  });

  it('T20 where an ignore file above the project comes to be', async () => {
    writeFileSync(join(top, 'a/x.md'), 'x');
    const root = join(top, 'a');
    const look = await learnt(root);
    writeFileSync(join(top, '.gitignore'), 'x.md\n');
    expect(look.knows()).toBe(false);
    await expectAsGit(root, look);
  });

  it('T20 as long as a folder may change within the tick of its clock', async () => {
    mkdirSync(join(top, 'young'));
    const look = looker(top, 0);
    expect(await look.others()).toEqual(gitsOthers(top));
    expect(look.knows()).toBe(false);
    await sleep(100);
    await look.others();
    expect(look.knows()).toBe(true);
  });
});
