import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
mkdirSync(home);
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
let made = 0;

function project(): string {
  const folder = join(root, `p${made++}`);
  put(folder, { 'AGENTS.md': 'rules\n', 'src/a.ts': 'a\n', '.bearings/notes.md': '', '.gitignore': 'out\n' });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'one');
  return folder;
}

const at = (cwd: string, time = '2026-11-15T10:00:00Z') =>
  openRooms({
    home: join(home, '.bearings'),
    cwd,
    now: () => new Date(time),
    variables: { ...process.env, HOME: home },
  });
const MAX = { maxAgeMs: 45 * 60_000 };
const codes = async (cwd: string, time?: string) =>
  (await (await at(cwd, time).receipts()).checkReceipt(MAX)).reasons.map(({ code }) => code);

describe('receipts', () => {
  it('L20 keeps what was served and the state of the project', async () => {
    const dir = project();
    const bundle = await (await at(dir).loader()).loadContext({ task: 'docs', receipt: 'new_session' });
    const [receipt] = await (await at(dir).receipts()).listReceipts({});
    expect(receipt).toMatchObject({
      event: 'new_session',
      time: '2026-11-15T10:00:00.000Z',
      bundle_sha256: bundle.bundle_sha256,
      head: git(dir, 'rev-parse', 'HEAD').trim(),
      dirty: false,
      policy: { asked: null, name: 'repo', sha256: bundle.policy.sha256 },
      budget: { max_files: 12, max_chars_per_file: 12000, max_total_chars: 30000, max_tokens: null },
    });
    expect(Object.keys(receipt?.control_plane ?? {})).toEqual(['AGENTS.md']);
    expect(JSON.stringify(receipt)).not.toContain(root);
    expect(await codes(dir)).toEqual([]);
    expect(readFileSync(join(dir, '.bearings/receipts.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('L20 over MCP an agent keeps a receipt; a hook before an edit refuses without one that holds', async () => {
    const dir = project();
    const hook = (...words: string[]) =>
      bearings(
        { home, input: JSON.stringify({ cwd: dir, tool_name: 'Edit' }) },
        ...['drift', '--receipt', '--hook', '--event', 'new_session', '--except', 'dirty_changed', ...words],
      );
    const refusal = (...words: string[]) => JSON.parse(hook(...words).stdout).hookSpecificOutput;
    expect(refusal()).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(
        /there is no receipt for new_session\. Call load_context with receipt "new_session", then try again\.$/,
      ),
    });
    const { client, call } = await askingClient({ home, cwd: dir });
    const { value } = await call('load_context', { task: 'docs', receipt: 'new_session' });
    await client.close();
    const [receipt, ...others] = await (await at(dir).receipts()).listReceipts({});
    expect([receipt?.bundle_sha256, others]).toEqual([value.bundle_sha256, []]);
    expect(hook()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    // The agent's own edits do not count here, a rule that moved does.
    writeFileSync(join(dir, 'src/a.ts'), 'edited\n');
    expect(hook().stdout).toBe('');
    writeFileSync(join(dir, 'AGENTS.md'), 'other rules\n');
    expect(refusal().permissionDecisionReason).toContain('AGENTS.md changed');
    // What can't be checked is refused, too.
    expect(refusal('--workspace', 'nowhere').permissionDecision).toBe('deny');
    expect(refusal('--except', 'weather').permissionDecisionReason).toContain('There is no reason "weather"');
    expect(hook('--max-age', 'soon')).toMatchObject({ code: 2, stdout: '' });
  });

  it('L20 each reason for staleness, alone', async () => {
    const dir = project();
    expect(await codes(dir)).toEqual(['none']);
    await (await at(dir).loader()).loadContext({ receipt: 'pre_mutation' });
    expect(await codes(dir)).toEqual([]);
    expect((await (await at(dir).receipts()).checkReceipt({ ...MAX, event: 'pre_closeout' })).reasons[0]?.code).toBe(
      'none',
    );
    expect(await codes(dir, '2026-11-15T10:45:00Z')).toEqual([]);
    expect(await codes(dir, '2026-11-15T10:45:01Z')).toEqual(['too_old']);
    expect(await codes(dir, '2026-11-15T09:00:00Z')).toEqual(['in_future']);

    writeFileSync(join(dir, 'src/a.ts'), 'b\n');
    expect(await codes(dir)).toEqual(['dirty_changed']);
    await (await at(dir).loader()).loadContext({ receipt: 'pre_mutation' });
    expect(await codes(dir)).toEqual([]);
    writeFileSync(join(dir, 'src/a.ts'), 'c\n');
    expect(await codes(dir)).toEqual(['dirty_changed']);
    git(dir, 'checkout', '-q', 'src/a.ts');
    await (await at(dir).loader()).loadContext({ receipt: 'pre_mutation' });

    git(dir, 'commit', '-qm', 'two', '--allow-empty');
    expect(await codes(dir)).toEqual(['other_head']);
    await (await at(dir).loader()).loadContext({ receipt: 'pre_mutation' });

    put(dir, { '.bearings/policy.yaml': 'extends: repo\nname: own\n' });
    expect(await codes(dir)).toEqual(['policy_changed']);
    writeFileSync(join(dir, '.bearings/policy.yaml'), 'nonsense: [');
    expect(await codes(dir)).toEqual(['policy_changed']);
    rmSync(join(dir, '.bearings/policy.yaml'));
    expect(await codes(dir)).toEqual([]);

    writeFileSync(join(dir, 'AGENTS.md'), 'other\n');
    expect(await codes(dir)).toEqual(['dirty_changed', 'hash_moved']);
    git(dir, 'checkout', '-q', 'AGENTS.md');
    writeFileSync(join(dir, 'CLAUDE.md'), 'new\n');
    expect(await codes(dir)).toEqual(['dirty_changed', 'hash_moved']);
  });

  it('L20 outside of git only a hash, the policy and the age can move', async () => {
    const dir = join(root, 'plain');
    put(dir, { 'AGENTS.md': 'rules\n', '.bearings/notes.md': '' });
    await (await at(dir).loader()).loadContext({ receipt: 'window_rollover' });
    expect((await (await at(dir).receipts()).listReceipts({}))[0]).toMatchObject({
      head: null,
      dirty: null,
      dirty_sha256: null,
    });
    writeFileSync(join(dir, 'AGENTS.md'), 'other\n');
    expect(await codes(dir)).toEqual(['hash_moved']);
  });

  it('L14 L20 two clones agree on everything but the time, and on each other’s receipt', async () => {
    const origin = project();
    const clones = ['a', 'b'].map((name) => join(root, `clone-${name}`, 'deeper', name));
    for (const clone of clones) {
      mkdirSync(join(clone, '..'), { recursive: true });
      git(root, 'clone', '-q', origin, clone);
    }
    const [a = '', b = ''] = clones;
    const first = await (await at(a).loader()).loadContext({ task: 'fix the build', receipt: 'pre_closeout' });
    const second = await (await at(b, '2026-11-15T10:07:00Z').loader()).loadContext({
      task: 'fix the build',
      receipt: 'pre_closeout',
    });
    expect(second).toEqual(first);
    const { time: _, ...left } = (await (await at(a).receipts()).listReceipts({}))[0] ?? { time: '' };
    const { time: __, ...right } = (await (await at(b).receipts()).listReceipts({}))[0] ?? { time: '' };
    expect(right).toEqual(left);
    cpSync(join(a, '.bearings/receipts.jsonl'), join(b, '.bearings/receipts.jsonl'));
    expect(await codes(b)).toEqual([]);
  });

  it('L20 the command: exit codes, JSON, what is needed where there is no workspace', () => {
    const dir = project();
    const run = (...args: string[]) => bearings({ home, cwd: dir }, ...args);
    expect(run('drift', '--receipt')).toMatchObject({ code: 1, stdout: expect.stringContaining('none') });
    expect(run('load', '--receipt', 'odd').code).toBe(2);
    expect(run('load', '--receipt', 'new_session').code).toBe(0);
    expect(run('drift', '--receipt', '--max-age', '2h').code).toBe(0);
    expect(run('drift', '--receipt', '--max-age', 'soon').code).toBe(2);
    expect(run('drift', '--receipt', '--event', 'odd').code).toBe(2);
    expect(JSON.parse(run('drift', '--receipt', '--json', '--event', 'pre_mutation').stdout)).toMatchObject({
      ok: false,
      reasons: [{ code: 'none' }],
    });
    const bare = join(root, 'bare');
    put(bare, { 'AGENTS.md': 'x' });
    const { code, stdout, stderr } = bearings({ home, cwd: bare }, 'load', '--receipt', 'new_session');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('bearings init');
    expect(existsSync(join(bare, '.bearings'))).toBe(false);
  });

  it('L20 lines that are no receipt are ignored', async () => {
    const dir = project();
    await (await at(dir).loader()).loadContext({ receipt: 'new_session' });
    const path = join(dir, '.bearings/receipts.jsonl');
    const line = readFileSync(path, 'utf8').trim();
    const { control_plane: _, ...less } = JSON.parse(line);
    writeFileSync(path, `${line}\n{"version":1}\n${JSON.stringify(less)}\nnull\n{"half`);
    expect(await (await at(dir).receipts()).listReceipts({})).toHaveLength(1);
  });
});
