import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../src/loader/evaluate-past.ts';
import { bearings, environment } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const project = join(root, 'project');
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd,
      env: environment({ home }),
      encoding: 'utf8',
    },
  );
const NAMES = ['router', 'parser', 'cookie', 'stream', 'cache', 'logger'];
const moduleOf = (name: string, value: number) =>
  `// The ${name} of the server.\nexport function ${name}Options() {\n  return { ${name}Limit: ${value} };\n}\n`;
const evaluated = (cwd: string, ...words: string[]) => bearings({ home, cwd }, 'eval', ...words);

beforeAll(() => {
  put(project, {
    'README.md': 'A server.\n',
    ...Object.fromEntries(NAMES.map((name) => [`src/${name}.ts`, moduleOf(name, 1)])),
    '.gitignore': '.bearings/\n',
  });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'start');
  for (const [at, name] of NAMES.entries()) {
    put(project, { [`src/${name}.ts`]: moduleOf(name, at + 2) });
    git(project, 'commit', '-qam', `raise the limit of the ${name}`);
  }
});

describe('bearings eval', () => {
  it('L26 measures past changes beside BM25: a table, a plot with a character for each change', () => {
    const before = git(project, 'status', '--porcelain', '--ignored');
    const { code, stdout } = evaluated(project);
    expect(code).toBe(0);
    expect(stdout).toContain('What bundles would have contained of 6 past changes');
    expect(stdout).toMatch(/^bundle(?: +\d+\.\d %){5} +[\d,]+$/m);
    const plot = stdout.split('the oldest first')[1] ?? '';
    for (const name of ['bundle', 'bm25 files', 'bm25 chunks'])
      expect(plot).toMatch(new RegExp(`^${name} +[·▁▂▃▄▅▆▇█]{6}$`, 'm'));
    expect(git(project, 'status', '--porcelain', '--ignored')).toBe(before);
    const found: Evaluation & { passed: boolean } = JSON.parse(evaluated(project, '--json').stdout);
    expect(found).toMatchObject({ passed: true, shallow: false });
    expect(found.cases).toHaveLength(6);
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
  });

  it('L26 takes the texts of issues in place of subjects: a commit and a task on each line', () => {
    const ids = git(project, 'log', '--format=%H', '-n', '3').trim().split('\n');
    const tasks = ids.map((commit, at) => ({
      commit,
      task: `The ${NAMES.at(-1 - at)} gives up too early\n\nSee ${NAMES.at(-1 - at)}Options in the server.`,
    }));
    put(root, { 'issues.jsonl': `${tasks.map((each) => JSON.stringify(each)).join('\n\n')}\n` });
    const file = join(root, 'issues.jsonl');
    const found: Evaluation = JSON.parse(evaluated(project, '--tasks', file, '--json').stdout);
    expect(found.cases.map(({ commit, task }) => ({ commit, task }))).toEqual(tasks);
    expect(found.figures.bundle?.lines).toBe(1);
    const tooMuch = [
      ...tasks,
      { commit: git(project, 'commit-tree', '-p', 'HEAD', '-m', 'none', 'HEAD^{tree}').trim(), task: 'none' },
    ];
    put(root, { 'more.jsonl': tooMuch.map((each) => JSON.stringify(each)).join('\n') });
    expect(evaluated(project, '--tasks', join(root, 'more.jsonl')).stdout).toContain("1 of 4 tasks can't be measured");
    const { stdout } = evaluated(project, '--tasks', file, '--commits', '2');
    expect(stdout).not.toContain("can't be measured");
    expect(stdout).toContain('of 2 past changes');
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['Line 1 of the tasks has no commit or no task.', '{"commit": "main"}'],
    ['Line 2 of the tasks has no commit or no task.', '{"commit": "main", "task": "raise it"}\nnot json'],
    ['The file of tasks is empty.', '\n\n'],
    ['There is no commit --all with a commit before it.', '{"commit": "--all", "task": "raise it"}'],
    ['There is no commit abcdef0 with a commit before it.', '{"commit": "abcdef0", "task": "raise it"}'],
    ['There is no such file of tasks.', null],
  ])('L26 says what is wrong with a file of tasks: %s', (words, written) => {
    const file = join(root, written === null ? 'none.jsonl' : 'broken.jsonl');
    put(root, { 'broken.jsonl': written ?? '' });
    const { code, stderr } = evaluated(project, '--tasks', file);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain(root);
  });

  it('L28 a task of more than 100,000 characters is cut with a warning, not refused', () => {
    const commit = git(project, 'rev-parse', 'HEAD').trim();
    const log = (length: number) => `The ${NAMES.at(-1)} gives up too early\n${'at step\n'.repeat(length / 8)}`;
    for (const [length, warnings] of [
      [80_000, []],
      [160_000, [expect.stringContaining('100,000 characters')]],
    ] as const) {
      put(root, { 'long.jsonl': JSON.stringify({ commit, task: log(length) }) });
      const { code, stdout, stderr } = evaluated(project, '--tasks', join(root, 'long.jsonl'), '--json');
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as Evaluation).warnings).toEqual(warnings);
      expect(stderr.includes('100,000 characters')).toBe(warnings.length > 0);
    }
  });

  it('L26 --min-lines catches a policy that was made worse', () => {
    const held = (JSON.parse(evaluated(project, '--json').stdout) as Evaluation).figures.bundle?.lines ?? 0;
    expect(held).toBeGreaterThan(0.9);
    put(project, { '.bearings/policy.yaml': 'extends: repo\nexclude: ["src/**/*"]\n' });
    const { code, stdout } = evaluated(project, '--min-lines', '90');
    expect(code).toBe(1);
    expect(stdout).toMatch(/bundle holds 0\.0 % of the lines: fewer than the 90 % asked for/);
    put(project, { '.bearings/policy.yaml': 'extends: repo\n' });
    expect(evaluated(project, '--min-lines', '90').code).toBe(0);
  });

  it('L26 a shallow clone says that its history has to be fetched; nothing measured is no pass', () => {
    const clone = (depth: number) => {
      const folder = join(root, `depth-${depth}`);
      git(root, 'clone', '-q', '--depth', String(depth), pathToFileURL(project).href, folder);
      return folder;
    };
    const empty = clone(1);
    expect(evaluated(empty)).toMatchObject({ code: 0 });
    for (const words of [[], ['--min-lines', '60']]) {
      const { stdout } = evaluated(empty, ...words);
      expect(stdout).toContain('this clone is shallow, fetch its history first');
      expect(stdout).toContain('fetch-depth: 0');
      expect(stdout).not.toContain('0.0 %');
    }
    const checked = evaluated(empty, '--min-lines', '60');
    expect(checked).toMatchObject({ code: 1 });
    expect(checked.stdout).toContain('nothing is known of the 60 % asked for');
    expect(JSON.parse(evaluated(empty, '--min-lines', '60', '--json').stdout)).toMatchObject({
      ...{ passed: false, shallow: true, cases: [], figures: {} },
    });
    const some = evaluated(clone(3), '--min-lines', '1');
    expect(some.code).toBe(0);
    expect(some.stdout).toContain('only 2 of 50: this clone is shallow');
    expect(evaluated(clone(2), '--commits', '1').stdout).not.toContain('shallow');
  });
});
