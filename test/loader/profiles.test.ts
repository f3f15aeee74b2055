import { execFileSync } from 'node:child_process';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { assertContextShape } from '../support/context-shape.ts';
import { person } from '../support/person.ts';
import { agent, bearings, MODERN } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const TOKEN = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
const PROFILES = `extends: repo
name: ours
adapters:
  - {name: work, kind: file, path: work.json}
  - {name: run, kind: command, command: [touch, ran.txt]}
profiles:
  - {name: reviewer, slices: [task, tactical], adapters: [work], budget: {max_files: 3, max_tokens: 700}, memory: {parts: [notes], max_tokens: 300}}
  - {name: greedy, slices: [control_plane, task, tactical], adapters: [run], budget: {max_files: 1000, max_total_chars: 9000000, max_tokens: null}}
`;
const { place, at } = person({
  'home/config.yaml': '',
  '.bearings/tastes/_default.md': 'Keep it calm.\n'.repeat(400),
  'repo/.bearings/workspace.json': '{"id":"reefs"}',
  'repo/.bearings/policy.yaml': PROFILES,
  'repo/.bearings/brief.md': 'A guide to reefs.\n'.repeat(200),
  'repo/.bearings/notes.md': Array.from(
    { length: 38 },
    (_, line) => `Note ${line}: ${'a reef is old. '.repeat(20)}`,
  ).join('\n'),
  'repo/.bearings/log.jsonl': '{"timestamp":"t","op":"looked"}\n',
  'repo/.gitignore': 'ignored.md\n',
  'repo/.env': `TOKEN=${TOKEN}\n`,
  'repo/ignored.md': 'The reef that git ignores.\n',
  'repo/AGENTS.md': 'The rules of the reef.\n'.repeat(300),
  'repo/README.md': 'Reefs.\n',
  'repo/docs/reef.md': `# Reef\n\nThe reef in the morning, token ${TOKEN}.\n${'More of the reef.\n'.repeat(900)}`,
  'repo/docs/tide.md': 'The tide at the reef.\n'.repeat(900),
  'repo/work.json': '{"items": [{"id": "W-1", "title": "look at the reef", "state": "ready"}]}',
});
const here = () => ({ ...place, cwd: at('repo') });
const git = (...args: string[]) => execFileSync('git', args, { cwd: at('repo') });
const library = () => openRooms({ cwd: at('repo'), home: at('.bearings'), variables: { BEARINGS_CACHE: at('cache') } });
const TASK = { task: 'the reef in the morning' };

describe('L2 L16 --for NAME', () => {
  it('L8 a helper gets at most 3,000 tokens, of project and memory together, over MCP', async () => {
    const { call } = await agent(here(), { client: MODERN });
    const loaded = await call('load_context', { ...TASK, for: 'helper' });
    const read = await call('read_context', { for: 'helper' });
    assertContextShape(read.value);
    const [project, memory] = [loaded, read].map(({ texts }) => countTokens(texts[0] ?? ''));
    console.log(`a helper gets ${project} tokens of the project and ${memory} of memory`);
    expect(Number(memory)).toBeLessThanOrEqual(1_000);
    expect(Number(project) + Number(memory)).toBeLessThanOrEqual(3_000);
    const { files } = loaded.value as { files: { source_class: string }[] };
    expect(new Set(files.map(({ source_class }) => source_class))).toEqual(new Set(['control_plane', 'task']));
    const value = read.value as { notes: { summary: string }; recent_log: unknown[] };
    expect(value.notes.summary).toContain('Note 37');
    expect(value.recent_log).toEqual([]);
    expect(read.texts.join('\n')).toContain(
      'The profile helper leaves out log and cuts tastes, brief, notes: 1000 tokens.',
    );
    const [whole, wholeMemory] = [await call('load_context', TASK), await call('read_context')].map(({ texts }) =>
      countTokens(texts[0] ?? ''),
    );
    expect(Number(whole) + Number(wholeMemory)).toBeGreaterThan(9_000);
  });

  it('L13 L16 slices, adapters and budget come from the profile; flags go before it; the bundle says so and drift holds', () => {
    const load = (...more: string[]) =>
      JSON.parse(bearings(here(), 'load', '--task', TASK.task, '--for', 'reviewer', ...more).stdout);
    const bundle = load();
    expect(bundle.arguments).toMatchObject({ for: 'reviewer', tactical: false, adapters: [], max_files: null });
    expect(bundle.budget).toMatchObject({ max_files: 3, max_tokens: 700 });
    expect(bundle.budget.used_tokens).toBeLessThanOrEqual(700);
    const classes = bundle.files.map(({ source_class }: { source_class: string }) => source_class);
    expect(classes).toEqual(['task', 'tactical', 'adapter']);
    expect(load('--max-files', '2').budget.max_files).toBe(2);
    put(at('.'), { 'bundle.json': JSON.stringify(bundle) });
    expect(bearings(here(), 'drift', '../bundle.json').code).toBe(0);
    const without = JSON.parse(bearings(here(), 'load', '--task', TASK.task).stdout);
    expect(without.arguments).not.toHaveProperty('for');
    expect(bearings(here(), 'explain', 'AGENTS.md', '--for', 'reviewer').stdout).not.toMatch(/^in\b/);
  });

  it('M5 read --for gives that profile’s parts, as JSON, Markdown and a picture', () => {
    const read = (...more: string[]) => bearings(here(), 'read', '--for', 'reviewer', ...more);
    const context = JSON.parse(read('--json').stdout);
    assertContextShape(context);
    expect(context.tastes.default).toBe('');
    expect(context.notes.summary).toContain('Note 37');
    expect(countTokens(JSON.stringify(context))).toBeLessThanOrEqual(300);
    expect(read('--json').stderr).toContain('The profile reviewer leaves out tastes, brief, log and cuts notes');
    expect(read('--markdown').stdout).not.toContain('Keep it calm');
    expect(read().code).toBe(0);
  });

  it('M31 an unknown profile is an error with the nearest name, on every face', async () => {
    for (const command of [
      ['load', '--for', 'reviewr'],
      ['read', '--for', 'reviewr'],
    ]) {
      const { code, stderr } = bearings(here(), ...command);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('The policy ours has no profile "reviewr".'),
      });
      expect(stderr).toContain('Did you mean: reviewer');
    }
    const { call } = await agent(here(), { client: MODERN });
    for (const [tool, input] of [
      ['load_context', TASK],
      ['read_context', {}],
    ] as const) {
      const { isError, value } = await call(tool, { ...input, for: 'nobody at all' });
      expect(isError).toBe(true);
      expect(value).toMatchObject({ error: { code: 'invalid_input', hint: 'Profiles: reviewer, greedy, helper' } });
    }
    await expect((await library().loader()).loadContext({ for: 'helpr' })).rejects.toMatchObject({
      hint: 'Did you mean: helper',
    });
    await expect((await library().memory()).readContext({}, { for: 'helpr' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('L24 L25 L21 a clone’s greedy profile brings in no ignored file, no secret, no program, and floods no agent', async () => {
    git('init', '-q');
    const { call } = await agent(here(), { client: MODERN });
    const { texts, value } = await call('load_context', { ...TASK, for: 'greedy' });
    const { files } = value as { files: { path: string; excerpt: string }[] };
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('docs/reef.md');
    expect(paths).not.toContain('ignored.md');
    expect(paths).not.toContain('.env');
    expect(texts.join()).not.toContain(TOKEN);
    expect(texts.join()).toContain('[redacted:github_token]');
    expect(files.reduce((sum, { excerpt }) => sum + excerpt.length, 0)).toBeLessThanOrEqual(60_000);
    expect(texts.join()).toContain('bearings policy allow run');
    expect(bearings(here(), 'load', '.', '--for', 'greedy').code).toBe(0);
    expect(() => execFileSync('test', ['-e', at('repo/ran.txt')])).toThrow();
  });

  it('L2 what is wrong with a profile is told with its place', async () => {
    const check = async (profiles: string) => {
      put(at('repo'), { '.bearings/policy.yaml': `extends: repo\nprofiles:\n${profiles}` });
      return (await (await library().loader()).checkPolicy()).problems.map(
        ({ line, column, message }) => `${line}:${column} ${message}`,
      );
    };
    expect(await check('  - {slices: [task]}\n')).toEqual(['3:5 needs a name']);
    expect(await check('  - {name: a, slices: []}\n')).toEqual(['3:23 must not be empty']);
    expect(await check('  - {name: a, slices: [adapter]}\n')).toEqual([
      '3:24 must be control_plane or task or tactical',
    ]);
    expect(await check('  - {name: a, budget: {tokens: 3}}\n')).toEqual([
      '3:24 there is no "tokens" here; known: max_files, max_chars_per_file, max_total_chars, max_tokens',
    ]);
    expect(await check('  - {name: a, memory: {max_tokens: 5}}\n')).toEqual([
      '3:36 must be a whole number from 200 to 10000000',
    ]);
    expect(await check('  - {name: a}\n  - {name: a}\n')).toEqual(['2:1 the same name appears twice in profiles']);
    expect(await check('  - {name: helper, budget: {max_files: 2}}\n')).toEqual([]);
    expect((await (await library().loader()).loadContext({ ...TASK, for: 'helper' })).budget.max_files).toBe(2);
  });
});
