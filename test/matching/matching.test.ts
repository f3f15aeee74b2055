import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { effort } from '../support/effort.ts';

let folder: string;
let made = 0;
const another = (kind: string): string => {
  made += 1;
  return join(folder, `${kind}-${made}`);
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bearings-matching-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKER = join(import.meta.dirname, '../support/matching-worker.mjs');

function newProject(files: Record<string, string | Buffer>, { git = false } = {}): string {
  const root = another('project');
  mkdirSync(root);
  if (git) execFileSync('git', ['init', '-q', root]);
  for (const [path, text] of Object.entries(files)) put(root, path, text);
  return root;
}

function put(root: string, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function open(cache = another('cache')) {
  return openRooms({ home: join(folder, 'home'), variables: { BEARINGS_CACHE: cache, HOME: folder } });
}

const paths = async (project: string, text: string, bearings = open()) =>
  (await (await bearings.matching()).rankedMatches(text, { project, top: 100 })).map(({ path }) => path);

describe('the index', () => {
  it('T20 same state, same bytes: built at once, or kept in step with every edit', async () => {
    const word = fc.constantFrom('alpha', 'betaGamma', 'delta_eps', 'zeta', 'eta');
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `${words.join(' ')}\n`);
    const path = fc.constantFrom('a.ts', 'b.md', 'lib/c.ts', 'lib/d/e.ts', 'notes/n1.md', 'notes/n2.md');
    const git = fc.constantFrom('', '', 'add -A', 'commit -qam x', 'checkout -q -f .', 'stash -q');
    const edits = fc.array(fc.tuple(path, fc.option(text, { nil: null }), git), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(edits, fc.boolean(), async (steps, tracked) => {
        const root = newProject({ 'base.ts': 'alpha zeta\n', 'lib/base.ts': "import './c';\n" }, { git: tracked });
        const kept = open();
        for (const [path, text, verb] of steps) {
          if (text === null) rmSync(join(root, path), { force: true });
          else put(root, path, text);
          await paths(root, 'zeta', kept);
          if (tracked && verb !== '') {
            spawnSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...verb.split(' ')]);
            await paths(root, 'zeta', kept);
          }
        }
        for (const query of ['alpha beta', 'fix(lib): eta zeta']) {
          const options = { project: root, top: 50 };
          const again = await (await open().matching()).rankedMatches(query, options);
          expect(await (await kept.matching()).rankedMatches(query, options)).toEqual(again);
          const input = { taskText: query };
          expect(await (await kept.matching()).relevantContext(input, { project: root })).toEqual(
            await (await open().matching()).relevantContext(input, { project: root }),
          );
        }
      }),
      { numRuns: effort(16, 6) },
    );
  });

  it('T20 read by several threads, as in a large project, or by one: the same scores', async () => {
    const words = ['alpha', 'betaGamma', 'delta_eps', 'zeta', 'eta', 'thetaIota'];
    const files = Array.from({ length: 2_100 }, (_, i): [string, string] => [
      `pkg${i % 30}/file${i}.ts`,
      `export const ${words[i % 6]}${i} = ${words[i % 5]}(${words[i % 4]});\n${words[i % 3]} `.repeat(1 + (i % 7)),
    ]);
    const root = newProject(Object.fromEntries(files));
    const built = await import(pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href);
    const options = { project: root, top: 100, history: false } as const;
    const inThreads = built.openBearings({
      home: join(folder, 'home'),
      variables: { BEARINGS_CACHE: another('cache'), HOME: folder },
    });
    for (const query of ['alpha zeta', 'fix(pkg3): delta eps of file33'])
      expect(await inThreads.matching.rank(query, options)).toEqual(
        await (await open().matching()).rankedMatches(query, options),
      );
  });

  it('T20 a linked work tree has its own index, and edits, adds and commits in it are seen', async () => {
    const main = newProject({ 'a.ts': 'alpha\n', 'b.ts': 'beta\n' }, { git: true });
    const git = (root: string, ...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { stdio: 'ignore' });
    git(main, 'add', '-A');
    git(main, 'commit', '-qm', 'first');
    const linked = another('linked');
    git(main, 'worktree', 'add', '-q', linked);
    const bearings = open();
    const found = async (project: string, text: string) =>
      (await (await bearings.matching()).rankedMatches(text, { project, history: false })).map(({ path }) => path);
    expect(await found(linked, 'alpha')).toEqual(['a.ts']);
    put(linked, 'a.ts', 'gamma\n');
    put(linked, 'c.ts', 'alpha delta\n');
    expect(await found(linked, 'alpha')).toEqual(['c.ts']);
    git(linked, 'add', '-A');
    git(linked, 'commit', '-qm', 'second');
    expect(await found(linked, 'gamma')).toEqual(['a.ts']);
    put(linked, '.gitignore', 'd.ts\n');
    put(linked, 'd.ts', 'delta\n');
    expect(await found(linked, 'delta')).toEqual(['c.ts']);
    expect(await found(main, 'alpha')).toEqual(['a.ts']);
  });

  it('T20 an edit that keeps size and time is still seen', async () => {
    const root = newProject({ 'a.md': 'alpha\n', 'b.md': 'other\n' });
    const bearings = open();
    expect(await paths(root, 'alpha', bearings)).toEqual(['a.md']);
    for (const text of ['gamma\n', 'alpha\n', 'delta\n']) {
      put(root, 'a.md', text);
      expect(await paths(root, text.trim(), bearings)).toEqual(['a.md']);
    }
  });

  it('T20 many small edits are folded together and stay right', async () => {
    const root = newProject(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}x.ts`, `word${i}x\n`])));
    const bearings = open();
    for (let i = 0; i < 16; i += 1) {
      put(root, `f${i}x.ts`, `changed${i}x\n`);
      expect(await paths(root, `changed${i}x`, bearings)).toEqual([`f${i}x.ts`]);
      expect(await paths(root, `word${i}x`, bearings)).toEqual([]);
    }
    expect((await (await bearings.matching()).indexStatus(root)).parts).toBeLessThanOrEqual(13);
    expect(await paths(root, 'changed3x', bearings)).toEqual(['f3x.ts']);
  });

  it('T20 a lost, cut, overwritten or foreign index is built again, never an error', async () => {
    const root = newProject({ 'a.ts': 'alpha\n', 'b.ts': 'beta\n' });
    const cache = join(folder, 'cache-broken');
    expect(await paths(root, 'alpha', open(cache))).toEqual(['a.ts']);
    const home = join(cache, 'index', readdirSync(join(cache, 'index'))[0] as string);
    const file = (kind: string) => join(home, readdirSync(home).find((name) => name.startsWith(kind)) as string);
    const filled = (path: string, from: number) => {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0x5a, Math.min(from, bytes.length - 1)));
    };
    const breakers: (() => void)[] = [
      () => truncateSync(file('segment'), 50),
      () => truncateSync(file('segment'), 0),
      () => writeFileSync(file('segment'), 'no segment'),
      () => filled(file('segment'), 0),
      () => filled(file('segment'), 80),
      // Only the last block: it is found out when a query comes to it.
      () => filled(file('segment'), statSync(file('segment')).size - 20),
      () => rmSync(file('segment')),
      () => writeFileSync(join(home, 'current'), '../../../../etc/passwd'),
      () => writeFileSync(join(home, 'current'), readFileSync(join(home, 'current')).subarray(0, 90)),
      () => filled(join(home, 'current'), 120),
      () => rmSync(home, { recursive: true }),
    ];
    for (const damage of breakers) {
      damage();
      expect(await paths(root, 'alpha', open(cache))).toEqual(['a.ts']);
      expect(await paths(root, 'alpha', open(cache))).toEqual(['a.ts']);
    }
  });

  it('T20 derived state lies only in the cache folder, for its owner alone', async () => {
    const root = newProject({ 'a.ts': 'alpha\n' }, { git: true });
    const cache = join(folder, 'cache-mode');
    await paths(root, 'alpha', open(cache));
    expect(readdirSync(root).sort()).toEqual(['.git', 'a.ts']);
    const index = join(cache, 'index');
    expect(statSync(index).mode & 0o777).toBe(0o700);
    expect(statSync(join(index, readdirSync(index)[0] as string)).mode & 0o777).toBe(0o700);
  });

  it('T20 where the cache cannot be written, the answer comes from memory', async () => {
    const root = newProject({ 'a.ts': 'alpha\n' });
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    expect(await paths(root, 'alpha', open(join(blocked, 'cache')))).toEqual(['a.ts']);
  });

  it('T20 an index planted in the project is never read', async () => {
    const cache = join(folder, 'cache-planted');
    const source = newProject({ 'planted.ts': 'alpha\n' });
    await paths(source, 'alpha', open(cache));
    const root = newProject({ 'real.ts': 'alpha\n' });
    for (const name of ['.cache', '.bearings', 'index', '.bearings/index'])
      cpSync(join(cache, 'index'), join(root, name), { recursive: true });
    expect(await paths(root, 'alpha')).toEqual(['real.ts']);
  });

  it('T20 two names of one folder share one index', async () => {
    const root = newProject({ 'a.ts': 'alpha\n' });
    symlinkSync(root, join(folder, 'other-name'));
    const cache = join(folder, 'cache-names');
    await paths(root, 'alpha', open(cache));
    expect(await paths(join(folder, 'other-name'), 'alpha', open(cache))).toEqual(['a.ts']);
    expect(readdirSync(join(cache, 'index'))).toHaveLength(1);
  });
});

describe('what is in the index', () => {
  it.each([true, false])('L19 links, devices, binaries, large and secret files are not (git: %s)', async (git) => {
    const secret = join(folder, 'outside.md');
    writeFileSync(secret, 'alpha outside\n');
    mkdirSync(join(folder, 'outside-folder'), { recursive: true });
    writeFileSync(join(folder, 'outside-folder/x.md'), 'alpha\n');
    const root = newProject(
      {
        'in.md': 'alpha\n',
        'binary.bin': Buffer.from('alpha\0\u0001'),
        'large.md': `alpha ${'x '.repeat(600_000)}`,
        '.env': 'ALPHA=alpha\n',
        'keys/server.key': 'alpha\n',
        'ignored/x.md': 'alpha\n',
        '.gitignore': 'ignored/\n',
      },
      { git },
    );
    symlinkSync(secret, join(root, 'link.md'));
    symlinkSync(join(folder, 'outside-folder'), join(root, 'linked'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe.md')]);
    expect(await paths(root, 'alpha')).toEqual(['in.md']);
  });

  it('L19 a tracked folder that turned into a link out is not followed', async () => {
    const root = newProject({ 'in.md': 'alpha\n', 'sub/x.md': 'alpha\n' }, { git: true });
    execFileSync('git', ['-C', root, 'add', '-A']);
    mkdirSync(join(folder, 'out-sub'));
    writeFileSync(join(folder, 'out-sub/x.md'), 'alpha\n');
    rmSync(join(root, 'sub'), { recursive: true });
    symlinkSync(join(folder, 'out-sub'), join(root, 'sub'));
    expect(await paths(root, 'alpha')).toEqual(['in.md']);
  });

  it('L19 hostile names are names, nothing more', async () => {
    const names = [
      'a b.md',
      "q'uote.md",
      '$(touch x).md',
      '-rf.md',
      'line\nbreak.md',
      'esc\u001b[31m.md',
      'ünï.md',
      '𝒳.md',
    ];
    for (const git of [true, false]) {
      const root = newProject(Object.fromEntries(names.map((name) => [name, 'alpha\n'])), { git });
      expect((await paths(root, 'alpha')).sort()).toEqual([...names].sort());
      expect(existsSync(join(root, 'x'))).toBe(false);
    }
  });

  it("L21 a repository's own settings start no program", async () => {
    const root = newProject({ 'a.md': 'alpha\n' }, { git: true });
    const mark = join(folder, 'ran');
    const program = join(folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
    chmodSync(program, 0o755);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('add', '-A');
    git('commit', '-qm', 'alpha');
    put(root, '.gitattributes', '*.md filter=evil diff=evil\n');
    for (const [key, value] of Object.entries({
      'core.fsmonitor': program,
      'core.pager': program,
      'core.hooksPath': folder,
      'diff.external': program,
      'diff.evil.textconv': program,
      'filter.evil.clean': program,
      'filter.evil.smudge': program,
      'log.showSignature': 'true',
      'gpg.program': program,
    }))
      git('config', key, value);
    put(root, 'a.md', 'alpha changed\n');
    expect(await paths(root, 'alpha')).toContain('a.md');
    expect(existsSync(mark)).toBe(false);
  });

  it('T20 a huge line, a NUL late in a file and broken UTF-8 do not stop a build', async () => {
    const root = newProject({
      'long.js': `alpha${'('.repeat(900_000)}`,
      'stars.js': `${'*'.repeat(500_000)} alpha`,
      'hostile.c': `${'a '.repeat(110)}\n`.repeat(3000),
      'hostile.java': `public ${'a '.repeat(110)}\n`.repeat(3000),
      'hostile.ts': `import${' '.repeat(200_000)}x`,
      'latin.md': Buffer.from([0x61, 0xff, 0xfe, 0x20, ...Buffer.from('alpha')]),
    });
    expect((await paths(root, 'alpha')).sort()).toEqual(['latin.md', 'long.js', 'stars.js']);
  });

  it('T20 task texts that blow up a regular expression do not', async () => {
    const root = newProject({ 'a.md': 'alpha\n' });
    const bearings = open();
    for (const text of [
      'a/'.repeat(50_000),
      '`'.repeat(50_000),
      `fix(${'('.repeat(10_000)}`,
      'aA'.repeat(50_000),
      '_'.repeat(99_999),
    ])
      await (await bearings.matching()).rankedMatches(text, { project: root });
  });
});

describe('several processes', () => {
  it('T20 two that build at once end with one good index', async () => {
    const root = newProject(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, i) => [`d${i % 7}/f${i}.ts`, `word${i} alpha ${'beta '.repeat(50)}`]),
      ),
    );
    const cache = join(folder, 'cache-two');
    const answers = await Promise.all(Array.from({ length: 3 }, () => runWorker([root, cache, 'word17 alpha'])));
    expect(new Set(answers.map(({ output }) => output)).size).toBe(1);
    expect(JSON.parse(answers[0]?.output ?? '[]')[0].path).toBe('d3/f17.ts');
    const home = join(cache, 'index', readdirSync(join(cache, 'index'))[0] as string);
    for (const kind of ['segment', 'draft'])
      expect(readdirSync(home).filter((name) => name.startsWith(kind))).toHaveLength(kind === 'draft' ? 0 : 1);
  });

  it('T20 a build that is killed leaves a good index or none', async () => {
    const root = newProject(
      Object.fromEntries(
        Array.from({ length: 800 }, (_, i) => [`f${i}.ts`, `word${i} alpha ${'beta gamma '.repeat(100)}`]),
      ),
    );
    const cache = join(folder, 'cache-killed');
    for (const files of [100, 700]) {
      expect((await runWorker([root, cache, 'word3', String(files)])).signal).toBe('SIGKILL');
      expect(await paths(root, 'word3', open(cache))).toEqual(['f3.ts']);
      // An update that is killed: what was there before, or what is there now.
      for (let i = 3; i < 20; i += 1) put(root, `f${i}.ts`, `word${i} fresh${files + i}`);
      expect((await runWorker([root, cache, 'word3', '1'])).signal).toBe('SIGKILL');
      expect(await paths(root, `fresh${files + 3}`, open(cache))).toEqual(['f3.ts']);
      rmSync(cache, { recursive: true });
    }
  });
});

describe('on the command line', () => {
  const bearings = (args: string[]) => {
    const variables = { PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache-cli') };
    const main = join(import.meta.dirname, '../../dist/bin/main.cjs');
    const { status, stdout } = spawnSync(process.execPath, [main, ...args], { env: variables, encoding: 'utf8' });
    return { status, stdout };
  };

  it('T23 match says what, where and why within 80 columns; index tells its state', () => {
    const long = `${'very-'.repeat(30)}long.ts`;
    const root = newProject({ 'src/retry.ts': 'export function retryLater() {}\n', [long]: 'retry timeout\n' });
    expect(bearings(['doctor', 'index', 'status', root]).stdout).toContain('no index yet');
    const { status, stdout } = bearings(['match', 'retry after a timeout', root]);
    expect(status).toBe(0);
    expect(stdout).toContain('src/retry.ts');
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
    expect(JSON.parse(bearings(['match', 'retry', root, '--json', '--top', '1']).stdout)).toHaveLength(1);
    expect(bearings(['doctor', 'index', 'status', root]).stdout).toContain('2 files in the index');
    expect(JSON.parse(bearings(['doctor', 'index', 'rebuild', root, '--json']).stdout)).toMatchObject({ documents: 2 });
  });

  it('T23 bad use ends with 2', () => {
    for (const args of [['match'], ['match', ' '], ['match', 'x', '.', '--top', '0'], ['doctor', 'index', 'drop']])
      expect(bearings(args).status, args.join(' ')).toBe(2);
  });
});

describe('what a task gets', () => {
  it('T20 context is the parent, filtered for subset; matches come beside it, unranked', async () => {
    const root = newProject({ 'b.md': 'roof leaks\n', 'a.md': 'the roof\n', 'c.md': 'walls\n' });
    const input = { taskText: 'repair the roof', inheritedContext: '## Roof\n\nOld roof.\n\n## Walls\n\nBlue.' };
    const whole = await (await open().matching()).relevantContext(input, { project: root });
    expect(whole.context).toBe(input.inheritedContext);
    expect(whole.matches.map(([path]) => path)).toEqual(['a.md', 'b.md']);
    const part = await (await open().matching()).relevantContext(input, { project: root, subset: true });
    expect(part.context).toBe('## Roof\n\nOld roof.');
  });

  it('T20 the fresh part holds the best passages and never more than its room', async () => {
    const root = newProject(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`n${i}x.md`, `# Part ${i}\n\nroof ${'text '.repeat(i * 20)}\n`]),
      ),
    );
    put(root, 'z/best.md', '# Roof\n\nMend the roof of the house.\n\n# Wall\n\nnothing here\n');
    const bearings = open();
    const taskText = 'mend the roof of the house';
    const ranked = await paths(root, taskText, bearings);
    expect(ranked[0]).toBe('z/best.md');
    const counts: number[] = [];
    for (const maxChars of [0, 60, 500, 5000]) {
      const { text, matches } = await (await bearings.matching()).freshContext(
        { taskText },
        { project: root, maxChars },
      );
      expect([...text].length).toBeLessThanOrEqual(maxChars);
      for (const path of matches) expect(text).toContain(path);
      // Best first, and of a file the passage that fits the task.
      expect(matches).toEqual(ranked.filter((path) => matches.includes(path)));
      if (maxChars > 0) expect(text.startsWith('z/best.md:')).toBe(true);
      expect(text).not.toContain('nothing here');
      counts.push(matches.length);
    }
    expect(counts.slice(0, 2)).toEqual([0, 1]);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
  });
});

function runWorker(args: string[]): Promise<{ output: string; signal: string | null }> {
  const child = spawn(process.execPath, [WORKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ output, signal })));
}
