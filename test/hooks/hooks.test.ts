import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { lateTokenCounter } from '../../src/tokens.ts';
import { confirmed, fire } from '../support/hook-calls.ts';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, STARTED } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { place: home, at } = person({
  'repo/.bearings/workspace.json': '{"id":"shop"}\n',
  'repo/src/client/retry.ts':
    'export function retryAfter(response) {\n  return Number(response.headers.get("retry-after"));\n}\n',
  'repo/src/client/http.ts': 'import { retryAfter } from "./retry";\nexport const request = () => retryAfter;\n',
  'repo/src/api/orders.ts': 'export const orders = [];\n',
});
const place = () => ({ ...home, cwd: at('repo'), variables: { BEARINGS_CACHE: at('cache') } });
const inRepo = { id: 'shop' };
const git = (...args: string[]) => execFileSync('git', ['-C', at('repo'), ...args], { stdio: 'ignore' });
const PUSH = 'Never run `git push --force`: the history is shared.';
const PNPM = 'Use pnpm; npm breaks the workspace links.';

const context = (answer: { hookSpecificOutput: { additionalContext: string } } | null) =>
  answer?.hookSpecificOutput.additionalContext ?? '';
const ask = (prompt: string, session = 's1', ...args: string[]) =>
  context(fire(place(), 'prompt', { session_id: session, prompt }, ...args));
const use = (tool_name: string, tool_input: Record<string, unknown>, session_id = 's1') =>
  fire(place(), 'before-tool', { session_id, tool_name, tool_input })?.hookSpecificOutput ?? null;

describe('M52 what a prompt gets', () => {
  it('M52 a confirmed note that fits, once; nothing for small talk, for what was given at the start, and with the setting off', async () => {
    git('init', '-q');
    await confirmed(place(), PNPM, inRepo);
    const given = ask('install lodash with npm in the workspace');
    expect(given).toContain(`The person confirmed:\n\n${PNPM}\n(notes, `);
    expect(ask('install zod with npm in the workspace')).toBe('');
    for (const talk of ['thanks', 'go on', '', '<task-notification>npm workspace</task-notification>', '/compact'])
      expect([talk, ask(talk, 's2')]).toEqual([talk, '']);
    // Whole at the start of a session: it is not given again; after a compaction nothing counts as given.
    const start = (source: string) => context(fire(place(), 'session-start', { session_id: 's3', source }));
    expect(start('startup')).toContain(PNPM);
    expect(ask('install lodash with npm in the workspace', 's3')).toBe('');
    fire(place(), 'before-compaction', { session_id: 's3' });
    expect(ask('install lodash with npm in the workspace', 's3')).toContain(PNPM);
    expect(bearings(place(), 'config', 'set', 'hook.prompts', 'off').code).toBe(0);
    expect(ask('install lodash with npm in the workspace', 's4')).toBe('');
  });

  it('M52 M50 what is wrong with the record is told with a note that is pushed, and by why, as by read', async () => {
    git('init', '-q');
    await confirmed(place(), PNPM, inRepo);
    const ledger = at('repo/.bearings/ledger');
    for (const name of readdirSync(ledger).filter((each) => each.endsWith('.jsonl')))
      appendFileSync(`${ledger}/${name}`, 'junk\n');
    const told = 'The record of decisions does not add up: shop: entry 2: the line is not a ledger entry';
    expect(ask('install lodash with npm in the workspace')).toMatch(new RegExp(`${PNPM}[^]*Warning: ${told}`));
    for (const args of [['read'], ['why', 'notes.md'], ['why', PNPM]])
      expect(bearings(place(), ...args).stderr).toContain(told);
  });

  it('M52 M49 the best places under a line of their own, from an index that is there; recorded, explained, the prompt not kept', async () => {
    git('init', '-q');
    git('add', '-A');
    await confirmed(place(), PNPM, inRepo);
    const prompt = 'the secretword retryAfter header is read wrongly, use npm workspace links';
    const before = ask(prompt, 'a');
    expect(before).toContain(PNPM);
    expect(before).not.toContain('retry.ts');
    bearings(place(), 'match', 'retry');
    const after = ask(prompt, 'b');
    expect(after).toMatch(
      /the repository’s own words\):\n- src\/client\/retry\.ts:1-3 retryAfter · named in the prompt/,
    );
    expect(after.indexOf(PNPM)).toBeLessThan(after.indexOf('retry.ts'));
    expect(ask(prompt, 'b')).toBe('');
    expect(await lateTokenCounter()(after)).toBeLessThanOrEqual(1_500);
    const shown = bearings(place(), 'sessions', 'show', 'standing', '--json').stdout;
    expect(shown).toContain('hook prompt');
    expect(shown).toContain('"index": "none"');
    expect(shown).not.toContain('secretword');
    expect(bearings(place(), 'why', 'Use pnpm').stdout).toMatch(/notes\.md:1 +accepted/);
  });

  it('M52 stays within hook.max_tokens a prompt and 8,000 a session, and gives the same twice', async () => {
    git('init', '-q');
    const long = (name: string) => `${name} ${'zebra crossing words that fill the room. '.repeat(50)}`;
    await confirmed(place(), long('walrus'), inRepo);
    await confirmed(place(), long('otter'), inRepo);
    expect(await lateTokenCounter()(ask('walrus otter', 'a'))).toBeLessThanOrEqual(1_500);
    expect(ask('walrus otter', 'b')).toBe(ask('walrus otter', 'c'));
    bearings(place(), 'config', 'set', 'hook.max_tokens', '100');
    expect(ask('walrus otter', 'd')).toBe('');
  });

  it.each([
    [
      'claude-code',
      { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.any(String) } },
    ],
    ['codex', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.any(String) } }],
    ['gemini-cli', { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: expect.any(String) } }],
    ['copilot-cli', { additionalContext: expect.any(String) }],
    ['opencode', { additionalContext: expect.any(String) }],
    ['cursor', { continue: true, additional_context: expect.any(String) }],
  ])('M52 answers %s in its own form', async (client, form) => {
    git('init', '-q');
    await confirmed(place(), PNPM, inRepo);
    const input = { sessionId: 'x', prompt: 'install lodash with npm in the workspace' };
    expect(fire(place(), 'prompt', input, '--client', client)).toEqual(form);
  });

  it('M52 after a compaction one sentence asks for what was learnt, once, where the person wants it', async () => {
    git('init', '-q');
    const compacted = () => fire(place(), 'session-start', { session_id: 's', source: 'compact' });
    compacted();
    expect(ask('thanks', 's')).toBe('');
    bearings(place(), 'config', 'set', 'hook.wrap_up', 'on');
    compacted();
    expect(ask('go on', 's')).toContain('propose it with propose_notes_update');
    expect(ask('go on', 's')).toBe('');
  });
});

describe('M53 notes for paths', () => {
  it('M53 a note for a glob, and one that cites a file, come with the first tool that reads or edits it', async () => {
    git('init', '-q');
    git('add', '-A');
    const glob = 'Orders are sorted by date.';
    const cites = 'The header in `src/client/retry.ts` may be a date, too.';
    await confirmed(place(), glob, { ...inRepo, paths: ['src/api/**'] });
    await confirmed(place(), cites, inRepo);
    expect(use('Bash', { command: 'echo src/api/none.ts' })).toBe(null);
    expect(use('Read', { file_path: at('repo/README.md') })).toBe(null);
    expect(use('Read', { file_path: at('repo/src/api/orders.ts') }).additionalContext).toContain(`\n${glob}\n`);
    expect(use('Edit', { file_path: at('repo/src/api/orders.ts') })).toBe(null);
    // Codex reads files through its shell alone.
    const shell = {
      session_id: 's',
      tool_name: 'exec_command',
      tool_input: { cmd: 'cd src && sed -n 1,9p api/orders.ts' },
    };
    expect(context(fire(place(), 'before-tool', shell, '--client', 'codex'))).toContain(glob);
    expect(fire(place(), 'before-tool', shell, '--client', 'codex')).toBe(null);
    expect(use('Edit', { file_path: 'src/client/retry.ts' }).additionalContext).toContain(`\n${cites}\n`);
    // Where words can only come after a tool, they come then.
    const input = { session_id: 'g', tool_name: 'read_file', tool_input: { file_path: 'src/api/orders.ts' } };
    expect(fire(place(), 'before-tool', input, '--client', 'gemini-cli')).toBe(null);
    expect(context(fire(place(), 'after-tool', input, '--client', 'gemini-cli'))).toContain(glob);
    expect(bearings(place(), 'read')).toMatchObject({
      stdout: expect.stringContaining(glob),
      stderr: '1 note for src/api/**\n',
    });
  });

  it('M53 propose --for takes globs within the project, and review shows them', () => {
    git('init', '-q');
    const propose = (path: string) => bearings(place(), 'propose', 'notes', '--content', 'Sorted.', '--for', path);
    expect(propose('../x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('paths must not leave the project'),
    });
    // What can't be seen, and a secret, are no path either.
    for (const path of ['src/\u202egnp.exe', 'lib/\u{e0041}\u{e0042}', `src/ghp_${'a1B2'.repeat(9)}`])
      expect([path, propose(path).code]).toEqual([path, 2]);
    expect(propose('src/api/**').code).toBe(0);
    expect(bearings(place(), 'review', '--list', '--json').stdout).toContain('src/api/**');
  });
});

describe('M54 rules that hold', () => {
  it('M54 a signed rule refuses or asks with the person’s own sentence, never allows, and check --rule tries it', async () => {
    git('init', '-q');
    await confirmed(place(), `${PUSH}\nAsk before editing \`src/api/**\`.`, inRepo);
    const bash = (command: string) => use('Bash', { command });
    expect(bash('cd x && env A=1 /usr/bin/git push origin main -f')).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(
        /^Bearings: "Never run `git push --force`: the history is shared\." \(a rule the person signed on \d+ \w{3} 20\d\d\)$/,
      ),
    });
    expect(bash('git push')).toBe(null);
    expect(bash('$CMD push')).toMatchObject({ permissionDecision: 'ask' });
    expect(use('Edit', { file_path: at('repo/src/api/orders.ts') })).toMatchObject({ permissionDecision: 'ask' });
    expect(use('Read', { file_path: at('repo/src/api/orders.ts') })).toBe(null);
    const tried = bearings(place(), 'check', '--rule', 'git push --force');
    expect(tried).toMatchObject({ code: 1, stdout: expect.stringContaining(`refused · Bearings: "${PUSH}"`) });
    expect(bearings(place(), 'check', '--rule', 'git status')).toMatchObject({
      code: 0,
      stdout: 'nothing stops it · 2 rules are in force\n',
    });
    expect(bearings(place(), 'check', '--rule', 'src/api/orders.ts').stdout).toContain('asked about');
    expect(bearings(place(), 'sessions', 'show', 'standing', '--json').stdout).toContain('the history is shared');
  });

  it.each([
    [
      'codex',
      {
        hookSpecificOutput: {
          permissionDecision: 'deny',
          permissionDecisionReason: expect.stringContaining('Ask the person first.'),
        },
      },
    ],
    ['gemini-cli', { decision: 'deny', reason: expect.stringContaining('Ask the person first.') }],
    ['opencode', { permissionDecision: 'deny' }],
    ['copilot-cli', { permissionDecision: 'ask' }],
    ['cursor', { permission: 'ask', agent_message: expect.any(String) }],
  ])('M54 where %s can’t be relied on to ask, it is refused', async (client, form) => {
    git('init', '-q');
    await confirmed(place(), 'Ask before running `npm publish`.', inRepo);
    const input = { sessionId: 's', toolName: 'bash', toolArgs: JSON.stringify({ command: 'npm publish' }) };
    expect(fire(place(), 'before-tool', input, '--client', client)).toMatchObject(form);
  });

  it('M54 Codex edits by a patch, and runs lists of words: both are seen', async () => {
    git('init', '-q');
    await confirmed(place(), `${PUSH}\n\nNever edit \`generated/**\`.`, inRepo);
    const codex = (tool_name: string, command: unknown) =>
      fire(place(), 'before-tool', { tool_name, tool_input: { command } }, '--client', 'codex')?.hookSpecificOutput;
    expect(codex('apply_patch', '*** Begin Patch\n*** Update File: generated/a.ts\n@@\n*** End Patch')).toMatchObject({
      permissionDecision: 'deny',
    });
    expect(codex('shell', ['bash', '-lc', 'git push --force'])).toMatchObject({ permissionDecision: 'deny' });
    // A patch in its text does not hide what else a shell is given.
    const both = 'git push --force # *** Begin Patch\n*** Update File: a\n*** End Patch';
    expect(codex('exec_command', both)).toMatchObject({ permissionDecision: 'deny' });
    expect(codex('shell', ['git', 'log', '--grep', 'git push --force'])).toBe(undefined);
  });

  it('M54 the home, ledgers and hook settings are asked about from the start, through a link too', () => {
    git('init', '-q');
    for (const path of [
      at('.bearings/key.json'),
      '.bearings/notes.md',
      at('.claude/settings.json'),
      '.codex/hooks.json',
      '.claude/settings.local.json',
      '.claude/settings.json',
      '.github/hooks/other.json',
      '.opencode/plugin/bearings.js',
    ])
      expect([path, use('Write', { file_path: path })]).toMatchObject([path, { permissionDecision: 'ask' }]);
    put(home.home, { '.bearings/tastes/_default.md': 'calm\n' });
    execFileSync('ln', ['-s', at('.bearings'), at('repo/inside')]);
    expect(use('Write', { file_path: 'inside/key.json' })).toMatchObject({ permissionDecision: 'ask' });
    expect(use('Bash', { command: 'rm -r ~/.bearings' })).toMatchObject({ permissionDecision: 'ask' });
    expect(use('Write', { file_path: 'src/bearings.ts' })).toBe(null);
  });

  it('M54 a rule taken out by hand asks until it is settled', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, inRepo);
    await confirmed(place(), PNPM, inRepo);
    const notes = at('repo/.bearings/notes.md');
    const before = readFileSync(notes, 'utf8');
    const isAsked = () =>
      expect(use('Bash', { command: 'git push --force' })).toMatchObject({
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringContaining(PUSH),
      });
    writeFileSync(notes, before.replace(PUSH, ''));
    isAsked();
    // Nobody can tell any more whether it was taken out.
    writeFileSync(notes, `${before}${'\nx\n'.repeat(20_001)}`);
    isAsked();
  });

  it('M54 a call behind a byte order mark, or with its input as a text, is read; one that can’t be read is told once', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, inRepo);
    const call = { session_id: 'x', tool_name: 'Bash', tool_input: 'git push --force', cwd: at('repo') };
    const denied = { permissionDecision: 'deny' };
    const said = (input: string) => {
      const { stdout } = bearings({ ...place(), input }, 'hook', 'before-tool');
      return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput;
    };
    expect(said(JSON.stringify(call))).toMatchObject(denied);
    expect(said(`\ufeff${JSON.stringify({ ...call, tool_input: { command: call.tool_input } })}`)).toMatchObject(
      denied,
    );
    expect(said('{')).toMatchObject({ additionalContext: expect.stringContaining('no rule held it') });
  });

  it('M54 a line of a client’s settings that is typed wrong lets the tool run and says so', () => {
    for (const words of [['befor-tool'], ['before-tool', '--client', 'claud'], ['before-tool', '--clint', 'codex'], []])
      expect(bearings({ ...place(), input: '{}' }, 'hook', ...words)).toMatchObject({
        ...{ code: 0, stdout: '' },
        stderr: expect.stringMatching(/^bearings: /),
      });
  });

  it('M54 a slip in the home’s settings is told once and takes no rule away; where tastes can’t be found it asks', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, { kind: 'taste', category: 'process', ...inRepo });
    const config = (text: string) => put(home.home, { '.bearings/config.yaml': text });
    const push = () => use('Bash', { command: 'git push --force' })?.permissionDecision;
    const list = (session: string) => use('Bash', { command: 'ls' }, session);
    config('x: 1\n');
    expect([push(), use('Write', { file_path: at('.bearings/key.json') }).permissionDecision]).toEqual(['deny', 'ask']);
    expect(list('once')).toEqual({
      hookEventName: 'PreToolUse',
      additionalContext: expect.stringContaining('there is no setting "x"'),
    });
    expect(list('once')).toBe(null);
    expect(context(fire(place(), 'session-start', {}))).toMatch(new RegExp(`${PUSH}[^]*there is no setting "x"`));
    for (const text of ['nonsense: [\n', 'tastes: 7\n']) {
      config(text);
      const asked = { permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('config.yaml:') };
      expect([push(), list('again'), list('again')]).toEqual([
        'deny',
        expect.objectContaining(asked),
        expect.objectContaining(asked),
      ]);
      expect(use('Read', { file_path: 'x' }, 'read')).not.toHaveProperty('permissionDecision');
    }
    rmSync(at('.bearings'), { recursive: true });
    writeFileSync(at('.bearings'), 'a file in place of the home\n');
    expect(push()).toBe('ask');
  });

  it('M54 own commands that change what is asked about are asked about too, and one that only reads is not', () => {
    git('init', '-q');
    const said = (command: string) => use('Bash', { command })?.permissionDecision;
    for (const line of ['bearings install codex --undo --yes', 'npx bearings config set tastes /tmp/x'])
      expect([line, said(line)]).toEqual([line, 'ask']);
    for (const line of ['bearings verify', 'bearings propose notes --content x', 'bearings $x', '$x install'])
      expect([line, said(line)]).toEqual([line, undefined]);
  });

  it('M52 M54 in a folder that is gone rules still hold, and the answer says so', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, { kind: 'taste', category: 'process', ...inRepo });
    const answer = (event: string, input: object) => {
      const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
      const words = ['-c', script, process.execPath, BINARY, 'hook', event];
      const options = {
        cwd: at('repo'),
        env: environment(place()),
        input: JSON.stringify(input),
        encoding: 'utf8',
      } as const;
      const { stdout, stderr, status } = spawnSync('sh', words, options);
      expect([stderr, status]).toEqual(['', 0]);
      return JSON.parse(stdout).hookSpecificOutput;
    };
    const tool = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, session_id: 'gone' });
    expect(answer('session-start', {}).additionalContext).toContain(PUSH);
    expect(answer('before-tool', tool('git push --force'))).toMatchObject({ permissionDecision: 'deny' });
    expect(answer('before-tool', tool('ls')).additionalContext).toContain('is gone');
  });
});

describe('M52 M54 OpenCode has plugins in place of hooks', () => {
  it('M52 M53 M54 the one that install writes brings context, notes and rules; --undo takes it out; another one is left alone', async () => {
    git('init', '-q');
    await confirmed(place(), `${PUSH}\n\n${PNPM}`, inRepo);
    await confirmed(place(), 'Orders are sorted by date.', { ...inRepo, paths: ['src/api/**'] });
    const file = at('.config/opencode/plugin/bearings.js');
    const install = (...args: string[]) =>
      bearings(place(), 'install', 'opencode', '--scope', 'user', '--yes', ...args);
    put(home.home, { '.config/opencode/plugin/bearings.js': 'export const Mine = 1;\n' });
    expect(install()).toMatchObject({ code: 2, stderr: expect.stringContaining('somebody else wrote') });
    rmSync(file);
    expect(install().code).toBe(0);
    expect(bearings(place(), 'doctor').stdout).toContain('plugin/bearings.js has the prompt hook');
    put(home.home, { 'plugin.mjs': readFileSync(file, 'utf8') });
    // OpenCode would start it with the variables of the person.
    for (const [name, value] of Object.entries(environment(place()))) vi.stubEnv(name, value);
    const { Bearings } = await import(/* @vite-ignore */ pathToFileURL(at('plugin.mjs')).href);
    const hooks = await Bearings({ directory: at('repo') });
    const sessionID = 'ses_1';
    const message = async (text: string) => {
      const parts: { type: string; text: string; synthetic?: boolean }[] = [{ type: 'text', text }];
      await hooks['chat.message']({ sessionID }, { message: { id: 'msg_1' }, parts });
      return parts.slice(1).map((part) => part.text);
    };
    expect(await message('install lodash with npm in the workspace')).toEqual([expect.stringContaining(PNPM)]);
    expect(await message('thanks')).toEqual([]);
    const run = (tool: string, args: object) => hooks['tool.execute.before']({ tool, sessionID }, { args });
    await expect(run('bash', { command: 'git push --force' })).rejects.toThrow(PUSH);
    await expect(run('bash', { command: 'git status' })).resolves.toBe(undefined);
    const output = { output: 'export const orders' };
    // After a compaction nothing counts as given.
    await hooks['experimental.session.compacting']({ sessionID });
    const args = { filePath: 'src/api/orders.ts' };
    await hooks['tool.execute.after']({ tool: 'read', sessionID, args }, output);
    expect(output.output).toBe(`export const orders\n\n${output.output.slice('export const orders\n\n'.length)}`);
    expect(output.output).toContain('Orders are sorted by date.');
    expect((await message('go on')).join()).toContain(PNPM);
    expect(bearings(place(), 'install', 'opencode', '--undo', '--yes').code).toBe(0);
    expect(existsSync(file)).toBe(false);
    vi.unstubAllEnvs();
  });
});

describe('M54 a machine that is busy lets nothing through', () => {
  const started = (variables: Record<string, string> = {}) =>
    spawn(process.execPath, [...STARTED, BINARY, 'hook', 'before-tool'], {
      cwd: at('repo'),
      env: { ...environment(place()), ...variables },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  const answerOf = async (child: ReturnType<typeof started>) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    await once(child, 'close');
    return text === '' ? null : JSON.parse(text).hookSpecificOutput;
  };
  const call = () =>
    JSON.stringify({ cwd: at('repo'), tool_name: 'Bash', tool_input: { command: 'git push --force' } });

  it('M54 a call that comes late or in parts is held all the same; one that never comes is asked about', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, inRepo);
    const late = started();
    const answer = answerOf(late);
    late.stdin.write(call().slice(0, 20));
    await new Promise((done) => setTimeout(done, 1_500));
    late.stdin.end(call().slice(20));
    expect(await answer).toMatchObject({ permissionDecision: 'deny' });
    const never = started();
    never.stdin.end();
    expect(await answerOf(never)).toMatchObject({ permissionDecision: 'ask' });
  });

  it('M54 half a call of a client that never ends it is asked about, as none is', { timeout: 90_000 }, async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, inRepo);
    const half = started();
    const answer = answerOf(half);
    half.stdin.write(call().slice(0, -1));
    expect(await answer).toMatchObject({ permissionDecision: 'ask' });
  });

  it('M54 a rule holds though what it stopped can’t be written down', async () => {
    git('init', '-q');
    await confirmed(place(), PUSH, inRepo);
    rmSync(at('repo/.bearings/sessions'), { recursive: true, force: true });
    writeFileSync(at('repo/.bearings/sessions'), '');
    expect(use('Bash', { command: 'git push --force' })).toMatchObject({ permissionDecision: 'deny' });
  });
});
