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
