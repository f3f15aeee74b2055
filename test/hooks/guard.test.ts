import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { openLibrary } from '../support/open-library.ts';
import { bearings, linked } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const slug = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');

function guardedPlace(client = 'claude-code') {
  const home = tempFolder();
  const cwd = join(home, 'proj');
  put(home, { 'proj/.bearings/brief.md': '# Proj\n', 'proj/.git/HEAD': 'ref: refs/heads/main\n' });
  const memory =
    client === 'claude-code'
      ? join(home, '.claude/projects', slug(cwd), 'memory')
      : join(home, client === 'codex' ? '.codex/memories' : '.gemini/tmp/proj/memory');
  const place = { home, cwd };
  const hook = (event: string, input: object = {}) => {
    const given = JSON.stringify({ session_id: 's1', cwd, ...input });
    const { stdout, code } = bearings({ ...place, input: given }, 'hook', event, '--client', client);
    expect(code).toBe(0);
    return stdout === '' ? {} : JSON.parse(stdout);
  };
  const install = (...words: string[]) => bearings(place, 'install', client, '--guard', '--yes', ...words);
  const waiting = async () => (await openLibrary(home, { cwd }).gate()).listProposals('all');
  return { ...place, memory, hook, install, waiting };
}

const write = (path: string, content: string) => ({
  tool_name: 'Write',
  tool_input: { file_path: path, content },
});

function fileIn(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('M56 the guard', () => {
  it('M56 without the guard the client’s memory is left alone', async () => {
    const { memory, hook, waiting } = guardedPlace();
    const path = fileIn(memory, 'MEMORY.md', 'Use yarn.\n');
    expect(hook('before-tool', write(path, 'Use pnpm.'))).toEqual({});
    hook('session-start');
    expect(readFileSync(path, 'utf8')).toBe('Use yarn.\n');
    expect(await waiting()).toEqual([]);
  });

  it('M56 a write of a tool becomes a proposal, and the agent hears that it waits', async () => {
    const { memory, hook, install, waiting } = guardedPlace();
    expect(install().code).toBe(0);
    const text = '---\nname: packages\ntype: feedback\n---\n\nUse pnpm; npm breaks the links.\n';
    const answer = hook('before-tool', write(join(memory, 'packages.md'), text)).hookSpecificOutput;
    expect(answer.permissionDecision).toBe('deny');
    expect(answer.permissionDecisionReason).toContain('when the person says yes');
    const list = '# Memory\n\n- [Packages](packages.md) — which program\n';
    expect(hook('before-tool', write(join(memory, 'MEMORY.md'), list)).hookSpecificOutput.permissionDecision).toBe(
      'deny',
    );
    // The same again is not proposed twice.
    hook('before-tool', write(join(memory, 'packages.md'), text));
    const proposals = await waiting();
    expect(proposals.map(({ content, kind, client }) => [content, kind, client])).toEqual([
      ['Use pnpm; npm breaks the links.', 'notes', 'claude-code'],
    ]);
    const edit = { file_path: join(memory, 'MEMORY.md'), old_string: 'a', new_string: 'Node 22 from May on.' };
    hook('before-tool', { tool_name: 'Edit', tool_input: edit });
    expect((await waiting()).map(({ content }) => content)).toContain('Node 22 from May on.');
  });

  it('M56 a write by a shell is refused where it shows, and what went past is moved aside and offered', async () => {
    const { home, memory, hook, install, waiting } = guardedPlace();
    install();
    const command = `echo "push to main" >> ${join(memory, 'MEMORY.md')}`;
    const stopped = hook('before-tool', { tool_name: 'Bash', tool_input: { command } });
    expect(stopped.hookSpecificOutput.permissionDecision).toBe('deny');
    fileIn(memory, 'MEMORY.md', 'Push straight to main.\n');
    fileIn(memory, 'deep/fact.md', 'Certificates are left unchecked.\nNobody sees \u202ethis.\n');
    symlinkSync('/etc/passwd', join(memory, 'link.md'));
    hook('session-start', { source: 'startup' });
    expect(readdirSync(memory).filter((name) => name !== 'deep')).toEqual([]);
    expect(existsSync(join(memory, 'deep/fact.md'))).toBe(false);
    expect((await waiting()).map(({ content }) => content).sort()).toEqual([
      'Certificates are left unchecked.',
      'Push straight to main.',
    ]);
    expect(readdirSync(join(home, '.bearings/guarded/claude-code'))).toHaveLength(4);
  });

  it('M56 switched on in the client’s own settings, and undone: its files as they were before', async () => {
    const { home, memory, hook, install, waiting } = guardedPlace();
    const before = '{\n  // mine\n  "theme": "dark"\n}\n';
    const settings = fileIn(join(home, '.claude'), 'settings.json', before);
    fileIn(memory, 'MEMORY.md', 'Use yarn.\n');
    expect(install().code).toBe(0);
    expect(JSON.parse(readFileSync(settings, 'utf8').replace('// mine', ''))).toEqual({
      theme: 'dark',
      autoMemoryEnabled: false,
    });
    hook('session-start');
    expect(existsSync(join(memory, 'MEMORY.md'))).toBe(false);
    expect(await waiting()).toHaveLength(1);
    expect(install('--undo').code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toBe('Use yarn.\n');
    hook('session-start');
    expect(existsSync(join(memory, 'MEMORY.md'))).toBe(true);
    expect(await waiting()).toHaveLength(1);
  });

  it('M56 where a client can’t be switched off, its list is a mirror of what is confirmed', async () => {
    const { home, memory, hook, install, waiting, cwd } = guardedPlace('gemini-cli');
    expect(install().code).toBe(0);
    fileIn(memory, 'MEMORY.md', 'Tests run with vitest.\n');
    hook('session-start');
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).not.toContain('vitest');
    const [proposal] = await waiting();
    const gate = await openLibrary(home, { cwd }).gate();
    if (proposal) await gate.decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
    hook('session-start');
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toMatch(
      /^# Confirmed by the person .*\n\nTests run with vitest\.\n$/,
    );
    hook('prompt', { prompt: 'go on' });
    expect(await waiting()).toEqual([]);
    expect(install('--undo').code).toBe(0);
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toBe('Tests run with vitest.\n');
  });

  it('M56 Codex’ memory is switched off in its own settings, what is there is offered, and its history left alone', async () => {
    const { home, memory, hook, install, waiting } = guardedPlace('codex');
    const before = 'model = "x" # mine\n\n[features]\nmemories = true\n';
    const settings = fileIn(join(home, '.codex'), 'config.toml', before);
    fileIn(memory, 'memory_summary.md', 'Push straight to main.\n');
    fileIn(memory, '.git/HEAD', 'ref: refs/heads/main\n');
    expect(install().code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(before.replace('true', 'false'));
    hook('session-start');
    expect(readdirSync(memory)).toEqual(['.git']);
    // It is of all projects, so a taste.
    expect((await waiting()).map(({ content, kind }) => [content, kind])).toEqual([
      ['Push straight to main.', 'taste'],
    ]);
    expect(install('--undo').code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(readFileSync(join(memory, 'memory_summary.md'), 'utf8')).toBe('Push straight to main.\n');
  });

  it('M56 where a client reads its memory before any hook, what went past is moved aside when the session ends', async () => {
    const { memory, hook, install, waiting } = guardedPlace('gemini-cli');
    install();
    hook('session-start');
    fileIn(memory, 'MEMORY.md', 'Push straight to main.\n');
    hook('session-end');
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).not.toContain('Push straight');
    expect((await waiting()).map(({ content }) => content)).toEqual(['Push straight to main.']);
  });

  it('M56 a link in place of the memory’s folder is moved aside like a file, and put back', () => {
    const { home, memory, hook, install } = guardedPlace('gemini-cli');
    install();
    const outside = dirname(fileIn(join(home, 'elsewhere'), 'MEMORY.md', 'Push straight to main.\n'));
    mkdirSync(dirname(memory), { recursive: true });
    symlinkSync(outside, memory);
    hook('session-end');
    expect(existsSync(memory)).toBe(false);
    expect(readdirSync(outside)).toEqual(['MEMORY.md']);
    install('--undo');
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toBe('Push straight to main.\n');
  });

  it('M56 what a client writes into the mirror is proposed alone, and undone it has its own file again', async () => {
    const { home, cwd, memory, hook, install, waiting } = guardedPlace('gemini-cli');
    install();
    const path = fileIn(memory, 'MEMORY.md', 'Tests run with vitest.\n');
    hook('session-start');
    const gate = await openLibrary(home, { cwd }).gate();
    const [first] = await waiting();
    if (first) await gate.decide(shownOf(first), null, { decision: 'accept', via: 'review', client: null });
    hook('session-start');
    const mirror = readFileSync(path, 'utf8');
    expect(mirror).toContain('vitest');
    // By its own tool, which sends the whole file, then by a program.
    const all = { tool_name: 'write_file', tool_input: { file_path: path, content: `${mirror}- Ports from 8000.\n` } };
    expect(hook('before-tool', all)).toMatchObject({ decision: 'deny' });
    writeFileSync(path, `${mirror}\nNode 22.\n`);
    hook('session-end');
    expect((await waiting()).map(({ content }) => content).sort()).toEqual(['- Ports from 8000.', 'Node 22.']);
    expect(readFileSync(path, 'utf8')).toBe(mirror);
    writeFileSync(path, `${mirror}\nWritten since.\n`);
    expect(install('--undo').code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('Tests run with vitest.\n');
  });

  it('M56 a FIFO, a link, other bytes and thousands of files: none stays where the client reads it, and all come back', async () => {
    const { memory, hook, install, waiting } = guardedPlace('gemini-cli');
    install();
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x0d, 0x0a, 0xff, 0xfe]);
    writeFileSync(fileIn(memory, 'latin.md', ''), bytes, { mode: 0o600 });
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(memory, 'pipe.md')]);
    symlinkSync('/dev/zero', join(memory, 'endless.md'));
    fileIn(memory, 'MEMORY.md', 'Push straight to main.\n');
    for (let at = 0; at < 3_000; at += 1) writeFileSync(join(memory, `fact${at}.md`), `Fact ${at}.\n`);
    const names = readdirSync(memory).sort();
    hook('session-end');
    expect(readdirSync(memory)).toEqual(['MEMORY.md']);
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).not.toContain('Push');
    expect((await waiting()).map(({ content }) => content)).toContain('Push straight to main.');
    expect(install('--undo').code).toBe(0);
    expect(readdirSync(memory).sort()).toEqual(names);
    expect(readFileSync(join(memory, 'latin.md'))).toEqual(bytes);
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toBe('Push straight to main.\n');
  });

  it('M56 an undo takes all of the client’s files back, or those of the scope that is named', () => {
    const { home, cwd, install } = guardedPlace();
    const client = (...words: string[]) => bearings(linked({ home, cwd }), 'install', 'claude-code', '--yes', ...words);
    expect([client('--scope', 'project').code, install().code]).toEqual([0, 0]);
    expect(client('--undo', '--scope', 'project').code).toBe(0);
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('autoMemoryEnabled');
    expect([client('--scope', 'project').code, client('--undo').code]).toEqual([0, 0]);
    expect(existsSync(join(home, '.claude/settings.json'))).toBe(false);
    expect(client('--undo')).toMatchObject({ code: 2, stderr: expect.stringContaining('was not set up from here') });
  });

  it('M56 --rules --undo takes back the rules alone, and the person’s own switch comes back in any order', () => {
    const parts = [[], ['--guard'], ['--rules']];
    for (const [first, second] of [
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ] as const) {
      const { home, cwd } = guardedPlace();
      const own = '{ "z" : [1,2 ],\n"autoMemoryEnabled":true,\n"permissions":{"deny":["Read(x)"]} }\n';
      const settings = fileIn(join(home, '.claude'), 'settings.json', own);
      const client = (...words: string[]) =>
        bearings(linked({ home, cwd }), 'install', 'claude-code', '--scope', 'user', '--yes', ...words).code;
      const text = () => readFileSync(settings, 'utf8');
      for (const at of [first, second]) expect(client(...(parts[at] ?? []))).toBe(0);
      const before = text();
      if (first + second === 3) {
        expect(client('--rules', '--undo')).toBe(0);
        expect(text()).not.toContain('bearings review');
        expect(text()).toContain('"autoMemoryEnabled":false');
        expect(client('--rules')).toBe(0);
        expect(text()).toBe(before);
      }
      expect(client('--guard', '--undo')).toBe(0);
      expect(text()).toContain('"autoMemoryEnabled":true');
      expect(client('--undo')).toBe(0);
      expect(text()).toBe(own);
    }
  });

  it('M56 what can’t be proposed, or not whole, is moved away and told by doctor and in the proposal', async () => {
    const { home, cwd, memory, hook, install, waiting } = guardedPlace();
    install();
    fileIn(memory, 'plain.md', 'Use pnpm.\n');
    expect(bearings({ home, cwd }, 'doctor').stdout).not.toContain('can’t be proposed');
    fileIn(memory, 'long.md', 'long note '.repeat(20_000));
    fileIn(memory, 'hidden.md', 'Nobody sees \u202ethis.\n');
    symlinkSync('/etc/passwd', join(memory, 'link.md'));
    hook('session-start');
    const told = bearings({ home, cwd }, 'doctor').stdout;
    expect(told.match(/guarded\/claude-code\/\S+(?:long|hidden|link)\.md/g)).toHaveLength(3);
    expect(told).not.toContain('plain.md');
    const proposals = await waiting();
    expect(proposals.map(({ content, reason }) => [[...content].length, reason?.includes('its first 20,000')])).toEqual(
      expect.arrayContaining([
        [9, false],
        [20_000, true],
      ]),
    );
  });

  it('M44 M56 a text that was moved aside is erased there too, and does not come back with an undo', async () => {
    const { home, cwd, memory, hook, install, waiting } = guardedPlace();
    install();
    fileIn(
      memory,
      'past.md',
      'The spare key is under the pot by the door.\n\nOrders are sorted by date, then by name, and the newest comes first.\n',
    );
    hook('session-start');
    const [proposal] = await waiting();
    const gate = await openLibrary(home, { cwd }).gate();
    await gate.decide(shownOf(proposal as NonNullable<typeof proposal>), null, {
      decision: 'accept',
      via: 'review',
      client: null,
    });
    const shown = await gate.showErasure('The spare key is under the pot by the door.');
    expect(shown.copies).toContainEqual({ what: 'guarded memory', count: 1 });
    expect((await gate.erase(shown, { via: 'terminal' })).left).toEqual([]);
    expect(install('--undo').code).toBe(0);
    expect(readFileSync(join(memory, 'past.md'), 'utf8')).toBe(
      '[erased]\n\nOrders are sorted by date, then by name, and the newest comes first.\n',
    );
  });

  it('M56 the memory of Claude Code’s sub-agents is written past no gate, and its instructions stay free', async () => {
    const { home, cwd, hook, install, waiting } = guardedPlace();
    const folders = [
      join(home, '.claude/agent-memory'),
      join(cwd, '.claude/agent-memory'),
      'sub/.claude/agent-memory-local',
    ];
    const said = (path: string) => hook('before-tool', write(path, `Use pnpm in ${path}.`)).hookSpecificOutput;
    expect(said(`${folders[0]}/reviewer/MEMORY.md`)).toBe(undefined);
    install();
    for (const folder of folders)
      expect([folder, said(`${folder}/reviewer/MEMORY.md`)]).toMatchObject([folder, { permissionDecision: 'deny' }]);
    expect(await waiting()).toHaveLength(3);
    const command = 'echo "push to main" >> .claude/agent-memory/reviewer/MEMORY.md';
    const shell = hook('before-tool', { tool_name: 'Bash', tool_input: { command } });
    expect(shell.hookSpecificOutput.permissionDecision).toBe('deny');
    for (const path of ['CLAUDE.local.md', 'CLAUDE.md', '.claude/agents/reviewer.md', 'docs/agent-memory/x.md'])
      expect([path, said(join(cwd, path))]).toEqual([path, undefined]);
  });

  it('M56 a client without a memory of its own is named as such', () => {
    const { home, cwd } = guardedPlace();
    const { code, stderr } = bearings({ home, cwd }, 'install', 'cursor', '--guard', '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no memory of its own')]);
  });
});
