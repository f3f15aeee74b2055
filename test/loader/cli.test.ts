import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/cli/views/columns.ts';
import { tokenCounter } from '../../src/tokens.ts';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { agent, BINARY, bearings, environment, onScreen, onTerminal, PATIENCE_MS } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const project = join(root, 'project');
put(project, {
  'AGENTS.md': 'rules\n',
  'README.md': 'a line of the readme\n'.repeat(400),
  'docs/guide.md': 'guide\n',
  'docs/design/colour.md': 'colours\n',
  'docs/a very long name that goes on and on until no terminal has the room for it.md': 'x',
  'src/other.ts': 'x',
  'SECURITY.md': 'x',
  '.bearings/policy.yaml':
    'extends: repo\nname: ours\nadapters:\n  - {name: work, kind: file, path: work.json}\n  - {name: lost, kind: file, path: lost.json}\n',
  '.bearings/notes.md': 'WB runs cool\n',
  'work.json':
    '{"fetched_at": "2026-11-15T11:00:00Z", "items": [{"id": "W-1", "title": "contrast check", "state": "blocked"}]}',
});
const load = (...words: string[]) => bearings({ home, cwd: project }, 'load', ...words);
const json = (...words: string[]) => JSON.parse(load(...words).stdout);

describe('bearings load', () => {
  it('L16 JSON into a pipe, and the same with --json', () => {
    expect(load('--task', 'docs').stdout).toBe(load('--task', 'docs', '--json').stdout);
    expect(json('--task', 'docs')).toMatchObject({ version: 1, task: 'docs', task_key: 'docs', history: null });
  });

  it('L28 a task of 100,000 characters is taken whole, from standard input too; a longer one is cut with a warning', () => {
    const log = `fix docs/guide.md\n${'at Object.<anonymous> (src/other.ts:1:1)\n'.repeat(4_000)}`;
    const CUT = 'The task is cut to 100,000 characters: its first and its last 50,000 are looked at.';
    const given = (input: string, ...words: string[]) => bearings({ home, cwd: project, input }, ...words);
    const [fits, long] = [log.slice(0, 99_999), log].map((task) => given(task, 'load', '--task', '-', '--json'));
    expect([fits?.code, long?.code]).toEqual([0, 0]);
    expect(JSON.parse(fits?.stdout ?? '')).toMatchObject({ task: log.slice(0, 99_999).trim() });
    expect(JSON.parse(fits?.stdout ?? '').warnings).not.toContain(CUT);
    const bundle = JSON.parse(long?.stdout ?? '');
    expect(bundle).toMatchObject({
      task: `${log.trim().slice(0, 50_000)}…${log.trim().slice(-50_000)}`,
      warnings: expect.arrayContaining([CUT]),
    });
    expect(bundle.files.map(({ path }: { path: string }) => path)).toContain('src/other.ts');
    put(root, { 'long.json': long?.stdout ?? '' });
    expect(bearings({ home, cwd: project }, 'drift', join(root, 'long.json')).code).toBe(0);
    expect(given(log, 'explain', 'docs/guide.md', '--task', '-').stdout).toContain(CUT);
    expect(given(log, 'match', '-')).toMatchObject({ code: 0, stderr: expect.stringContaining(CUT) });
    expect(given(log.slice(0, 99_999), 'match', '-').stderr).toBe('');
  });

  it('L28 what a stack frame at the end of a long log points at is in, and a rendering shows of the log its ends', () => {
    const framed = join(root, 'framed');
    const steps = Array.from({ length: 12 }, (_, at) => `step${at}`);
    put(framed, {
      ...Object.fromEntries(
        steps.map((name) => [`src/${name}.js`, `// ${name} of the build\nqueue.run('${name}');\n`]),
      ),
      'src/cookies.js': 'export function parseCookies(header) {\n  return header\n    .trim()\n    .split(";");\n}\n',
    });
    const lines = Array.from(
      { length: 2_000 },
      (_, at) => `[info] queue run of step${at % 12} in the build: ok, ${at}`,
    );
    const log = ['The build fails', ...lines, '    at parseCookies (src/cookies.js:4:3)', ''].join('\n');
    for (const input of [log.slice(-20_000), `${log}${log}`]) {
      const given = (...words: string[]) =>
        bearings({ home, cwd: framed, input }, 'load', '--task', '-', ...words).stdout;
      const { files } = JSON.parse(given('--json'));
      const cookies = files.find(({ path }: { path: string }) => path === 'src/cookies.js');
      expect(cookies).toMatchObject({ truncated: false });
      for (const rendering of [given('--markdown'), given('--xml')]) {
        expect(rendering.length).toBeLessThan(12_000);
        expect(rendering).toMatch(/ … \([\d]+ characters in all\) … .*at parseCookies \(src\/cookies\.js:4:3\)/s);
      }
    }
    const empty = bearings({ home, cwd: framed, input: '' }, 'load', '--task', '-');
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--task is empty.')]);
  });

  it('L28 an endless standard input ends', () => {
    const line = `yes "fix the guide" | "${process.execPath}" "${BINARY}" load --task - --json`;
    const { status, stdout } = spawnSync('sh', ['-c', line], {
      cwd: project,
      env: environment({ home }),
      timeout: PATIENCE_MS,
      maxBuffer: 2 ** 26,
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString()).task).toMatch(/^fix the guide\n/);
  });

  it('L13 every part of a bundle is there', () => {
    const bundle = json(
      '--task',
      'docs',
      '--tactical',
      '--adapter',
      'work',
      '--adapter',
      'lost',
      '--now',
      '2026-11-15T12:00:00Z',
    );
    expect(Object.keys(bundle)).toEqual([
      ...['adapters', 'arguments', 'budget', 'bundle_sha256', 'control_plane', 'dropped', 'dropped_beyond', 'fallback'],
      ...['files', 'history', 'policy', 'task', 'task_key', 'version', 'warnings'],
    ]);
    expect(Object.keys(bundle.files[0])).toEqual([
      ...['chars', 'excerpt', 'path', 'provenance', 'ranges', 'rank', 'selected_by', 'sha256', 'source_class'],
      ...['total_bytes', 'total_chars', 'truncated'],
    ]);
    expect(bundle.adapters).toEqual([
      {
        id: 'work',
        kind: 'file',
        status: 'loaded',
        reason: null,
        fetched_at: '2026-11-15T11:00:00Z',
        items: 1,
        selected: 1,
        stale: false,
      },
      {
        id: 'lost',
        kind: 'file',
        status: 'degraded',
        reason: 'lost.json is not there',
        fetched_at: null,
        items: 0,
        selected: 0,
        stale: null,
      },
    ]);
    expect(bundle.fallback).toMatchObject({ level: 'none', degraded: [{ adapter: 'lost' }] });
    expect(bundle.budget.partitions.tactical).toEqual({
      max_files: 1,
      max_chars: 3000,
      used_files: 1,
      used_chars: 87,
      dropped: 0,
    });
    const last = bundle.files.at(-1);
    expect(last).toMatchObject({ path: 'adapter/work', source_class: 'adapter', selected_by: 'adapter:work:blocked' });
    expect(bundle.files.at(-2)).toMatchObject({
      path: 'tactical/memory',
      selected_by: 'tactical:memory',
      excerpt: 'This lies in the repository, and the person has not confirmed all of it:\n> WB runs cool',
    });
    expect(bundle.arguments).toMatchObject({
      adapters: ['lost', 'work'],
      now: '2026-11-15T12:00:00Z',
      max_files: null,
    });
  });

  it('L8 a token budget names its tokenizer and holds', async () => {
    const bundle = json('--task', 'docs', '--max-tokens', '300');
    expect(bundle.budget).toMatchObject({ max_tokens: 300, tokenizer: 'o200k_base' });
    const count = await tokenCounter();
    let sum = 0;
    for (const { excerpt } of bundle.files) sum += count(excerpt);
    expect(sum).toBe(bundle.budget.used_tokens);
    expect(sum).toBeLessThanOrEqual(300);
  });

  it.each([
    [['--max-files', '0']],
    [['--max-files', '-1']],
    [['--max-files=-1']],
    [['--max-chars-per-file', '1.5']],
    [['--max-total-chars', 'many']],
    [['--max-tokens', '1e3']],
    [['--max-files', '99999999999']],
    [['--max-files', '2000000000']],
    [['--fallback', 'maybe']],
    [['--now', 'today']],
    [['--now', '2026-13-01']],
    [['--adapter', 'none']],
    [['--markdown', '--xml']],
    [['--workspace', '../x']],
    [['--workspace', 'nobody']],
    [['no/such/folder']],
  ])('L8 L16 bad use ends with 2 and one sentence: %j', (words) => {
    const { code, stdout, stderr } = load(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^bearings: .+\.\n {10}\S/);
    expect(stderr).not.toContain(root);
  });

  it('L6 tactical without a workspace is an empty slice that says so', () => {
    put(join(root, 'bare'), { 'README.md': 'x' });
    const { code, stdout } = bearings({ home, cwd: join(root, 'bare') }, 'load', '--tactical');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings.join()).toContain('there is no workspace here');
  });

  it('L16 the first screen: 80 columns, every slice, every file, what is out, what next', async () => {
    const printed = await onTerminal({ home, cwd: project, variables: { NO_COLOR: '1', COLUMNS: '80' } }, [
      'load',
      '--task',
      'review the visual rules',
      '--tactical',
      '--adapter',
      'work',
      '--now',
      '2026-11-15T12:00:00Z',
    ]);
    const stdout = onScreen(printed.stdout);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe('What an agent gets of this project for "review the visual rules"');
    expect(lines[1]).toMatch(/^policy ours {3}task key design {3}bundle [0-9a-f]{4}…[0-9a-f]{2}$/);
    expect(stdout).toMatch(/^ {2}control plane +█+░+ +2\/7 +\d+\/12,000$/m);
    expect(stdout).toMatch(/^ {2}adapter {2}work +█+░+ +1\/1 +\d+\/3,000 +fresh$/m);
    expect(stdout).toMatch(/^ {3}2 {2}control {2}README\.md +\d{3} {3}cut at \d{3} of 8,400$/m);
    expect(stdout).toMatch(/^ {3}\d {2}adapter {2}adapter\/work +\d+ {3}blocked: contrast check$/m);
    expect(lines.at(-1)).toMatch(/--markdown$/);
  });

  it('L16 a folder with nothing in it, and one without a task, make sense too', async () => {
    put(join(root, 'nothing'), { 'x.bin': 'x' });
    const { stdout, code } = await onTerminal({ home, cwd: join(root, 'nothing') }, ['load']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing: no file of this folder');
    expect(stdout).toContain('bearings load --task');
  });
});

describe('bearings explain', () => {
  const explain = (path: string, ...words: string[]) =>
    JSON.parse(bearings({ home, cwd: project }, 'explain', path, '--json', ...words).stdout);

  it.each([
    ['AGENTS.md', [], 'in', 'control plane'],
    ['README.md', [], 'cut', 'of 8400 characters'],
    ['docs/guide.md', ['--max-files', '2'], 'dropped', 'the files of its slice are used up'],
    ['SECURITY.md', ['--task', 'fix the ui'], 'out', 'the words of the task choose the files'],
    ['work.json', [], 'out', 'no pattern of the policy selects it'],
    ['none.md', [], 'out', 'no such file'],
    ['../x', [], 'out', 'outside'],
    ['adapter/work/W-1', ['--adapter', 'work'], 'in', 'blocked'],
    ['tactical/memory', ['--tactical'], 'in', 'memory of the workspace'],
  ])('L16 %s %j is %s', (path, words, verdict, why) => {
    const answer = explain(path, ...words);
    expect(answer.verdict).toBe(verdict);
    expect(answer.reasons.join('\n')).toContain(why);
  });

  it('L16 a decision that is out of force says why', () => {
    const folder = join(root, 'cortex');
    put(folder, { ...CORTEX_FILES, '.cortex/artifacts/decisions/decision_loader_v10.md': 'Status: retired\n' });
    const { stdout } = bearings({ home, cwd: folder }, 'explain', '.cortex/artifacts/decisions/decision_loader_v10.md');
    expect(stdout).toContain('it is marked retired');
  });

  it('L16 explain needs a path', () => {
    expect(bearings({ home, cwd: project }, 'explain').code).toBe(2);
  });
});

describe('bearings drift and policy', () => {
  it('L16 diff names what differs, and refuses what is no bundle', () => {
    load('--task', 'docs', '--out', join(root, 'a.json'));
    load('--task', 'ui', '--max-files', '3', '--out', join(root, 'b.json'));
    const diff = (...words: string[]) => bearings({ home, cwd: root }, 'drift', ...words);
    expect(diff('a.json', 'a.json').stdout).toBe('the same bundle, byte by byte\n');
    const { code, stdout } = diff('a.json', 'b.json');
    expect(code).toBe(0);
    for (const words of ['max_files  null → 3', '~ task_key', '- files', '+ dropped']) expect(stdout).toContain(words);
    put(root, {
      'no.json': '[]',
      'half.json': '{"version": 1',
      'deep.json': `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'odd.json':
        '{"version": 1, "arguments": {"task": "", "policy": null, "workspace": null, "now": null, "tactical": false, "adapters": []}, "files": 7, "dropped": {"a": 1}, "control_plane": null}',
    });
    for (const name of ['no.json', 'half.json', 'deep.json', 'none.json', '.'])
      expect(diff('a.json', name).code).toBe(2);
    expect(diff('a.json', 'odd.json')).toMatchObject({ code: 0, stderr: '' });
    expect(diff().code).toBe(2);
  });

  it('L2 policy show prints YAML that check accepts; check ends with 1 and names the place', () => {
    const shown = bearings({ home, cwd: project }, 'policy', 'show');
    expect(shown.stdout).toContain('# source: .bearings/policy.yaml');
    put(join(root, 'own'), {
      '.bearings/policy.yaml': shown.stdout,
      'bad.yaml': 'extends: repo\nbudget: {max_files: none}\n',
    });
    const check = (...words: string[]) => bearings({ home, cwd: join(root, 'own') }, 'policy', 'check', ...words);
    expect(check()).toMatchObject({ code: 0, stderr: '' });
    expect(check('bad.yaml')).toMatchObject({ code: 1, stdout: expect.stringMatching(/^bad\.yaml:2:21 {2}/) });
    expect(check('none.yaml').code).toBe(2);
    expect(bearings({ home, cwd: project }, 'policy', 'eat').code).toBe(2);
  });
});

describe('load_context over MCP', () => {
  it('L16 L28 gives the bundle of the client’s root, bounded, without an absolute path', async () => {
    const { call, client } = await agent({ home, cwd: root }, { roots: [`file://${encodeURI(project)}`] });
    const answer = await call('load_context', { task: 'rewrite the docs', adapters: ['work'] });
    expect(answer.isError).toBe(false);
    // L30: code as text, and the budget in one line.
    expect(answer.texts[0]).toContain('\n### AGENTS.md\n\n```\nrules\n```\n');
    expect(answer.texts[0]).toMatch(
      /^- budget: fallback none; characters control_plane \d+\/\d+, task .*; left out \d+$/m,
    );
    expect(answer.value).toMatchObject({
      fallback: { level: 'none', attempts: ['none: a control-plane and a task file are in'], degraded: [] },
      partitions: { control_plane: { used_files: expect.any(Number), max_chars: expect.any(Number) } },
    });
    expect(answer.value).toMatchObject({
      task_key: 'docs',
      policy: 'ours',
      control_plane: { status: 'complete', health: null },
    });
    expect((answer.value.files as { path: string }[]).map(({ path }) => path)).toContain('adapter/work');
    expect(answer.texts.join()).not.toContain(root);
    // A workspace chooses the memory, never the project.
    bearings({ home, cwd: root }, 'init', 'elsewhere');
    const named = await call('load_context', { task: 'rewrite the docs', image_id: 'elsewhere', adapters: ['work'] });
    expect(named.value).toMatchObject({ policy: 'ours', control_plane: { status: 'complete' } });
    const pinned = await agent(
      { home, cwd: root },
      { roots: [`file://${encodeURI(project)}`], args: ['--workspace', 'elsewhere'] },
    );
    expect((await pinned.call('load_context', { task: 'rewrite the docs' })).value).toMatchObject({ policy: 'ours' });
    expect((await call('load_context', { task: 'x', max_total_chars: 0 })).isError).toBe(true);
    expect((await call('load_context', { task: 'x', max_total_chars: 10_000_000 })).isError).toBe(true);
    const cheap = await call('load_context', { task: 'rewrite the docs', max_tokens: 1 });
    expect((cheap.value.files as { excerpt: string }[]).map(({ excerpt }) => excerpt)).toEqual(['ru']);
    expect((await call('load_context', { task: 'x', adapters: ['none'] })).value).toMatchObject({
      error: { code: 'invalid_input' },
    });
    const long = await call('load_context', { task: `docs\n${'at step\n'.repeat(20_000)}` });
    expect(long.isError).toBe(false);
    expect(long.texts.join()).toContain('The task is cut');
    expect(long.texts.join()).not.toContain('at step at step');
    put(root, {
      'greedy/.bearings/policy.yaml':
        'extends: repo\nbudget: {max_files: 100000, max_total_chars: 10000000, max_chars_per_file: 10000000}\n',
      ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`greedy/docs/${at}.md`, 'x'.repeat(5000)])),
    });
    const greedy = await agent({ home, cwd: join(root, 'greedy') });
    const filled = (await greedy.call('load_context', { task: 'docs' })).value.files as { excerpt: string }[];
    expect(filled.reduce((sum, { excerpt }) => sum + excerpt.length, 0)).toBeLessThanOrEqual(60_000);
    expect(filled.length).toBeLessThanOrEqual(100);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'load_context');
    expect((await tokenCounter())(JSON.stringify(tool))).toBeLessThanOrEqual(600);
  });
});
