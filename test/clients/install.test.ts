import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { filesBelow } from '../support/mcp/asking-client.ts';
import { person } from '../support/person.ts';
import { BINARY, bearings, linked, onTerminal, type Place } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { place, at, run } = person({
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  'repo/.git/HEAD': 'ref: refs/heads/main\n',
  'repo/.bearings/workspace.json': '{"id":"reef"}',
});
const repo = (): Place => linked({ ...place, cwd: at('repo') });

interface Case {
  client: string;
  scope: 'user' | 'project';
  file: string;
  servers: string;
  text: string;
}

// Files as they are found on people's machines.
const CASES: Case[] = [
  {
    client: 'claude-code',
    scope: 'user',
    file: '.claude.json',
    servers: 'mcpServers',
    text: '{"numStartups":412,"mcpServers":{"github":{"type":"http","url":"https://example.org/mcp"}},"projects":{"/x":{"allowedTools":[],"mcpServers":{}}},"tipsHistory":{"a":1}}',
  },
  {
    client: 'claude-code',
    scope: 'project',
    file: 'repo/.mcp.json',
    servers: 'mcpServers',
    text: '{\r\n    "mcpServers" : {\r\n        "db": { "command": "npx", "args": ["-y", "db-mcp"], "env": {"URL": "$DB"} }\r\n    }\r\n}',
  },
  {
    client: 'claude-desktop',
    scope: 'user',
    file: '.config/Claude/claude_desktop_config.json',
    servers: 'mcpServers',
    text: '{\n  "globalShortcut": "",\n  "mcpServers": {\n    "filesystem": {\n      "command": "npx",\n      "args": [\n        "-y", "@modelcontextprotocol/server-filesystem",\n        "/Users/me/Desktop"\n      ]\n    }\n  }\n}\n',
  },
  {
    client: 'cursor',
    scope: 'user',
    file: '.cursor/mcp.json',
    servers: 'mcpServers',
    text: '\ufeff{\n\t"mcpServers": {\n\t\t"linear": {"url": "https://example.org/sse"}, // work\n\t\t/* "old": {}, */\n\t\t"fs": {"command": "fs"}, // trailing comma stays\n\t},\n}\n',
  },
  {
    client: 'cursor',
    scope: 'project',
    file: 'repo/.cursor/mcp.json',
    servers: 'mcpServers',
    text: '{ "mcpServers": { } }',
  },
  {
    client: 'vscode',
    scope: 'user',
    file: '.config/Code/User/mcp.json',
    servers: 'servers',
    text: '{\n\t// servers of all windows\n\t"inputs": [\n\t\t{ "type": "promptString", "id": "key", "password": true }\n\t],\n\t"servers": {\n\t\t"gh": {\n\t\t\t"type": "http", "url": "https://example.org"\n\t\t}\n\t}\n}\n',
  },
  {
    client: 'vscode',
    scope: 'project',
    file: 'repo/.vscode/mcp.json',
    servers: 'servers',
    text: '{\n    "inputs": []\n}\n',
  },
  {
    client: 'zed',
    scope: 'user',
    file: '.config/zed/settings.json',
    servers: 'context_servers',
    text: '// Zed settings\n//\n// For information: https://zed.dev/docs\n{\n  "ui_font_size": 16,\n  "theme": { "mode": "system", "light": "One Light" }, // and dark\n  "lsp": {\n    "x": { "binary": null, },\n  },\n  // the end\n}\n',
  },
  {
    client: 'zed',
    scope: 'project',
    file: 'repo/.zed/settings.json',
    servers: 'context_servers',
    text: '{\n  "tab_size": 2,\n  "context_servers": {\n    // none yet\n  }\n}\n',
  },
  {
    client: 'codex',
    scope: 'user',
    file: '.codex/config.toml',
    servers: 'mcp_servers',
    text: 'model = "gpt-5.5"\nmodel_reasoning_effort="high"   # slow\n\n[projects."/home/me/x"]\ntrust_level = "trusted"\n\n[mcp_servers.context7]\ncommand = \'npx\'\nargs = [ "-y",\n  "@upstash/context7-mcp" ]\n\n  [mcp_servers.context7.env]\n  KEY = "[mcp_servers.bearings]"\n',
  },
  {
    client: 'codex',
    scope: 'project',
    file: 'repo/.codex/config.toml',
    servers: 'mcp_servers',
    text: '[tui]\r\nnotifications = true',
  },
  {
    client: 'gemini-cli',
    scope: 'user',
    file: '.gemini/settings.json',
    servers: 'mcpServers',
    text: '{\n  "theme": "GitHub",\n  "selectedAuthType": "oauth-personal", "mcpServers": {"a": {"command": "a"},\n  "b": {"command": "b", "trust": true}}\n}',
  },
  { client: 'gemini-cli', scope: 'project', file: 'repo/.gemini/settings.json', servers: 'mcpServers', text: '{}\n' },
  {
    client: 'windsurf',
    scope: 'user',
    file: '.codeium/windsurf/mcp_config.json',
    servers: 'mcpServers',
    text: '{\r\n\t"mcpServers": {\r\n\t\t"figma": {\r\n\t\t\t"serverUrl": "http://127.0.0.1:3845/sse"\r\n\t\t}\r\n\t}\r\n}\r\n',
  },
  {
    client: 'copilot-cli',
    scope: 'user',
    file: '.copilot/mcp-config.json',
    servers: 'mcpServers',
    text: '{"mcpServers": {"a": {"type": "local", "command": "a", "args": [], "tools": ["*"]}}}\n',
  },
  { client: 'copilot-cli', scope: 'project', file: 'repo/.github/mcp.json', servers: 'mcpServers', text: '{}' },
  {
    client: 'opencode',
    scope: 'user',
    file: '.config/opencode/opencode.json',
    servers: 'mcp',
    text: '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "theme": "opencode",\n}\n',
  },
  { client: 'opencode', scope: 'project', file: 'repo/opencode.json', servers: 'mcp', text: '{ "mcp": {} }\n' },
];

const EXTRA: Record<string, Record<string, unknown>> = {
  'claude-code': { type: 'stdio', alwaysLoad: true },
  vscode: { type: 'stdio' },
  'copilot-cli': { type: 'local', tools: ['*'] },
  opencode: { type: 'local', enabled: true },
};

const meaning = (file: string, text: string) =>
  (file.endsWith('.toml') ? parseToml(text) : parseJsonc(text.replace(/^\ufeff/, ''))) as Record<
    string,
    Record<string, unknown>
  >;

function isSubsequence(part: string, whole: string): boolean {
  let found = 0;
  for (const char of whole) if (char === part[found]) found += 1;
  return found === part.length;
}

const others = (folder: string, file: string) => {
  const { [file]: _, ...rest } = filesBelow(folder);
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('.bearings/installs/')));
};

describe.each(CASES)('M2 install $client ($scope)', ({ client, scope, file, servers, text }) => {
  const where = () => (scope === 'project' ? repo() : place);
  const install = (...more: string[]) =>
    bearings(where(), 'install', client, '--scope', scope, '--no-hook', '--yes', ...more);

  it('adds only our entry, with the workspace, and --undo gives back the very bytes', () => {
    put(place.home, { [file]: text });
    chmodSync(at(file), 0o640);
    const before = others(place.home, file);
    const { code, stdout } = install('--workspace', scope === 'project' ? 'reef' : 'manta');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('+') });
    const after = readFileSync(at(file), 'utf8');
    const id = scope === 'project' ? 'reef' : 'manta';
    // What others share starts by the bare name; what is the person's own, by the path on this machine.
    const [command, first] = scope === 'project' ? ['bearings', []] : [expect.stringMatching(/node$/), [BINARY]];
    const args = [...first, 'mcp', '--workspace', id];
    const words = client === 'opencode' ? { command: [command, ...args] } : { command, args };
    const entry = { ...EXTRA[client], ...words };
    const was = meaning(file, text);
    expect(meaning(file, after)).toEqual({ ...was, [servers]: { ...was[servers], bearings: entry } });
    expect(isSubsequence(text, after)).toBe(true);
    expect(statSync(at(file)).mode & 0o777).toBe(0o640);
    expect(others(place.home, file)).toEqual(before);
    if (text.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/);

    expect(install('--workspace', id).stdout).toContain('is set up already');
    expect(readFileSync(at(file), 'utf8')).toBe(after);
    expect(bearings(where(), 'install', client, '--undo', '--yes').code).toBe(0);
    expect(readFileSync(at(file), 'utf8')).toBe(text);
    expect(others(place.home, file)).toEqual(before);
    expect(bearings(where(), 'install', client, '--undo', '--yes').code).toBe(2);
  });

  it('where the file changed since, --undo takes out our entry alone and says so', () => {
    put(place.home, { [file]: text });
    install();
    const changed = file.endsWith('.toml')
      ? `${readFileSync(at(file), 'utf8')}\n[later]\nx = 1\n`
      : readFileSync(at(file), 'utf8').replace('{', '{ "later": 1, ');
    writeFileSync(at(file), changed);
    const undo = bearings(where(), 'install', client, '--undo', '--yes');
    expect(undo).toMatchObject({ code: 0, stdout: expect.stringContaining('only our entry') });
    const left = readFileSync(at(file), 'utf8');
    const later = file.endsWith('.toml') ? { later: { x: 1 } } : { later: 1 };
    expect(meaning(file, left)).toEqual({ ...meaning(file, text), ...later });
  });

  it('a broken file is refused and left alone', () => {
    const broken = file.endsWith('.toml') ? `${text}\n[broken\n` : `${text.slice(0, -1)}`.replace('{', '{{');
    put(place.home, { [file]: broken });
    const before = filesBelow(place.home);
    const { code, stderr } = install();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/is left alone: line \d+ is no/) });
    expect(stderr).not.toContain(place.home);
    expect(filesBelow(place.home)).toEqual(before);
  });

  it('a missing file is made, and is gone again after --undo', () => {
    const before = filesBelow(place.home);
    expect(install().code).toBe(0);
    expect(meaning(file, readFileSync(at(file), 'utf8'))[servers]).toHaveProperty('bearings');
    expect(bearings(where(), 'install', client, '--undo', '--yes').code).toBe(0);
    expect(filesBelow(place.home)).toEqual(before);
    expect(existsSync(at(file))).toBe(false);
  });
});

// As the shell of a client reads a command: the folder of this project may have a blank in its name.
const shellWords = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
const hookWords = (client: string, workspace: string) => [
  expect.stringContaining('node'),
  BINARY,
  ...['hook', 'session-start', '--client', client, '--workspace', workspace],
];

describe('M2 install', () => {
  it('M5 Claude Code gets the hook too, which brings the context; undo takes both back', () => {
    const settings =
      '{\n  "permissions": { "allow": ["Bash(ls:*)"] },\n  "hooks": {\n    "SessionStart": [\n      { "hooks": [ { "type": "command", "command": "date" } ] } // mine\n    ]\n  }\n}\n';
    put(place.home, { '.claude/settings.json': settings });
    expect(run('install', 'claude-code', '--workspace', 'manta', '--yes').code).toBe(0);
    const { hooks } = parseJsonc(readFileSync(at('.claude/settings.json'), 'utf8'));
    expect(hooks.SessionStart).toHaveLength(2);
    const [{ command }] = hooks.SessionStart[0].hooks;
    expect(hooks.SessionStart[0].matcher).toBe('startup|resume|clear|compact');
    expect(Object.keys(hooks)).toEqual(['PreToolUse', 'UserPromptSubmit', 'SubagentStart', 'SessionStart']);
    expect(run('doctor').stdout).toMatch(/settings\.json has the subagent-start hook for manta: fired, and answered/);
    const [program = '', ...args] = shellWords(command);
    expect(realpathSync(program)).toBe(realpathSync(process.execPath));
    expect(args).toEqual(hookWords('claude-code', 'manta').slice(1));
    expect(
      JSON.parse(run('hook', 'session-start', '--workspace', 'manta').stdout).hookSpecificOutput.additionalContext,
    ).toContain('Quiet mood.');
    expect(run('install', 'claude-code', '--undo', '--yes').code).toBe(0);
    expect(readFileSync(at('.claude/settings.json'), 'utf8')).toBe(settings);
    expect(existsSync(at('.claude.json'))).toBe(false);
  });

  it('M31 says what would be with --print and what is with --yes, and shows a file that goes back once', () => {
    put(place.home, { '.claude/settings.json': '{}\n' });
    const preview = run('install', 'claude-code', '--workspace', 'manta', '--print').stdout;
    expect(preview).toMatch(/settings\.json: the session-start hook, subagent-start hook, .* would be added/);
    const done = run('install', 'claude-code', '--workspace', 'manta', '--yes').stdout;
    expect(done).toMatch(/settings\.json: the session-start hook, subagent-start hook, .* is added/);
    const undo = run('install', 'claude-code', '--undo', '--print').stdout;
    expect(undo.match(/settings\.json would be as it was before, byte for byte/g)).toHaveLength(1);
    expect(undo.match(/SubagentStart|SessionStart/g)).toEqual(['SubagentStart', 'SessionStart']);
    const undone = run('install', 'claude-code', '--undo', '--yes').stdout;
    expect(undone).toContain('settings.json goes back to what it was before, byte for byte');
    expect(done + undone).not.toContain('would');
    expect(readFileSync(at('.claude/settings.json'), 'utf8')).toBe('{}\n');
  });

  it('in a repository with a workspace means the project, and keeps the hook out of what is committed', () => {
    const { code, stdout } = bearings(repo(), 'install', 'claude-code', '--yes');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('--workspace') });
    expect(JSON.parse(readFileSync(at('repo/.mcp.json'), 'utf8')).mcpServers.bearings.args).toContain('reef');
    expect(readFileSync(at('repo/.mcp.json'), 'utf8')).not.toContain(place.home);
    const local = JSON.parse(readFileSync(at('repo/.claude/settings.local.json'), 'utf8'));
    expect(shellWords(local.hooks.SessionStart[0].hooks[0].command)).toEqual(hookWords('claude-code', 'reef'));
    // Brackets alone are no line to read.
    expect(stdout).not.toMatch(/^ +[+ ] +[{}[\],]+$/m);
    expect(existsSync(at('.claude.json'))).toBe(false);
    expect(bearings(repo(), 'install', 'claude-code', '--undo', '--yes').code).toBe(0);
    expect(readdirSync(at('repo')).sort()).toEqual(['.bearings', '.git']);
  });

  it('Codex gets its hook in a file apart, and undo takes both back', () => {
    expect(run('install', 'codex', '--workspace', 'manta', '--yes').code).toBe(0);
    const { hooks } = JSON.parse(readFileSync(at('.codex/hooks.json'), 'utf8'));
    expect(hooks.SessionStart).toEqual([
      { matcher: 'startup|resume|clear|compact', hooks: [expect.objectContaining({ type: 'command', timeout: 15 })] },
    ]);
    expect(shellWords(hooks.SessionStart[0].hooks[0].command)).toEqual(hookWords('codex', 'manta'));
    expect(run('doctor').stdout).toContain('.codex/hooks.json has the session-start hook');
    expect(run('install', 'codex', '--undo', '--yes').code).toBe(0);
    expect(existsSync(at('.codex'))).toBe(false);
  });

  it('changes that were made within one millisecond are taken back from the last to the first', async () => {
    // What records are called depends on where they are: in one home they are in order by chance.
    for (let home = 0; home < 8; home += 1) {
      const folder = at(`quick/${home}`);
      const library = openRooms({
        home: at(`quick/${home}/.bearings`),
        cwd: at('repo'),
        variables: linked({ home: folder, variables: { HOME: folder } }).variables ?? {},
        now: () => new Date('2026-05-04T03:02:01.000Z'),
      });
      const request = { client: 'codex', scope: 'user' as const };
      await (await library.clients()).applyInstall(await (await library.clients()).planInstall(request));
      expect(readdirSync(at(`quick/${home}/.codex`)).sort()).toEqual(['config.toml', 'hooks.json']);
      await (await library.clients()).applyUndo(await (await library.clients()).planUndo(request));
      expect(existsSync(at(`quick/${home}/.codex`))).toBe(false);
    }
  });

  it('a shared file holds no path of this machine, and is written only where its bare name starts something', () => {
    const own = linked({ ...repo(), variables: { BEARINGS_HOME: at('other') } });
    bearings(own, 'init');
    expect(bearings(own, 'install', 'cursor', '--scope', 'project', '--yes').code).toBe(0);
    expect(readFileSync(at('repo/.cursor/mcp.json'), 'utf8')).not.toContain(place.home);
    const unlinked = bearings({ ...place, cwd: at('repo') }, 'install', 'zed', '--scope', 'project', '--yes');
    expect(unlinked).toMatchObject({ code: 2, stderr: expect.stringContaining('none on your PATH') });
    expect(existsSync(at('repo/.zed'))).toBe(false);
  });

  it('the user’s file names no workspace where the client tells its project; a place of its own goes along', () => {
    const home = { ...place, variables: { BEARINGS_HOME: at('other'), BEARINGS_TASTES_DIR: at('t') } };
    expect(bearings(home, 'install', 'cursor', '--yes').code).toBe(0);
    const { args } = JSON.parse(readFileSync(at('.cursor/mcp.json'), 'utf8')).mcpServers.bearings;
    expect(args).toEqual([BINARY, 'mcp', '--home', at('other'), '--tastes', at('t')]);
  });

  it('asks first: without a terminal and without --yes nothing is written, and --print only shows', async () => {
    const before = filesBelow(place.home);
    expect(run('install', 'cursor')).toMatchObject({ code: 3, stdout: expect.stringContaining('+     "bearings"') });
    expect(run('install', 'cursor', '--print').code).toBe(0);
    expect(filesBelow(place.home)).toEqual(before);
    const no = await onTerminal(place, ['install', 'cursor'], [{ after: '[y/n]', type: 'n\n' }]);
    expect(no.stdout).toContain('nothing changed');
    expect(filesBelow(place.home)).toEqual(before);
    const yes = await onTerminal(place, ['install', 'cursor'], [{ after: '[y/n]', type: 'y\n' }]);
    expect(yes.code).toBe(0);
    expect(existsSync(at('.cursor/mcp.json'))).toBe(true);
    expect(run('install').stdout).toMatch(/cursor +Cursor +~\/\.cursor\/mcp\.json/);
  });

  it('M31 without a name it finds the clients of this machine, and asks once for all', async () => {
    put(place.home, { '.cursor/x': '', '.gemini/x': '' });
    expect(run('install').stdout).toMatch(/cursor +Cursor +found, not set up[\s\S]*zed +Zed +not set up/);
    const { code, stdout } = await onTerminal(place, ['install'], [{ after: 'Set up all 2? [y/n]', type: 'y\n' }]);
    expect([code, stdout.match(/\[y\/n\]/g)]).toEqual([0, ['[y/n]']]);
    // The files of each, once more beside the question.
    expect(stdout).toMatch(
      /\nCursor +~\/\.cursor\/mcp\.json.*\r?\nGemini CLI +~\/\.gemini\/settings\.json.*\r?\n.*Set up all/,
    );
    for (const file of ['.cursor/mcp.json', '.gemini/settings.json']) expect(existsSync(at(file))).toBe(true);
    expect(existsSync(at('.codex'))).toBe(false);
    expect(run('install').stdout).toMatch(/cursor +Cursor +~\/\.cursor\/mcp\.json/);
  });

  it('a link stays a link, and an older entry of ours is changed in place', () => {
    put(place.home, {
      'dotfiles/mcp.json': '{\n  "mcpServers": {\n    "bearings": {"command": "old"},\n    "z": {}\n  }\n}\n',
    });
    mkdirSync(at('.cursor'));
    symlinkSync(at('dotfiles/mcp.json'), at('.cursor/mcp.json'));
    expect(run('install', 'cursor', '--yes').stdout).toContain('our entry changes');
    expect(lstatSync(at('.cursor/mcp.json')).isSymbolicLink()).toBe(true);
    const text = readFileSync(at('dotfiles/mcp.json'), 'utf8');
    expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(['bearings', 'z']);
    expect(text.endsWith('    "z": {}\n  }\n}\n')).toBe(true);
  });

  it('refuses what it can’t know: unknown clients, scopes, workspaces, names; and bytes that are not text', () => {
    put(place.home, { '.cursor/mcp.json': Buffer.from([0x7b, 0xff, 0x7d]) });
    for (const args of [
      ['emacs'],
      ['windsurf', '--scope', 'project'],
      ['cursor', '--scope', 'everywhere'],
      ['cursor', '--workspace', 'nobody'],
      ['cursor'],
    ])
      expect({ args, code: run('install', ...args, '--yes').code }).toEqual({ args, code: 2 });
    expect(readFileSync(at('.cursor/mcp.json'))).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });
});

describe('M2 M5 Gemini CLI', () => {
  it('has server and hook in one file; both are read back, and --undo gives back the very bytes', () => {
    const text = '{\n  "theme": "GitHub",\n  "hooks": { "SessionStart": [] }\n}\n';
    const file = '.gemini/settings.json';
    put(place.home, { [file]: text });
    const install = () => run('install', 'gemini-cli', '--scope', 'user', '--workspace', 'manta', '--yes');
    expect(install().code).toBe(0);
    const written = readFileSync(at(file), 'utf8');
    const { mcpServers, hooks, theme } = parseJsonc(written);
    expect([Object.keys(mcpServers), theme]).toEqual([['bearings'], 'GitHub']);
    expect(hooks.SessionStart).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: expect.stringMatching(/hook session-start --client gemini-cli --workspace manta$/),
            timeout: 15_000,
          },
        ],
      },
    ]);
    expect(install().stdout).toContain('is set up already');
    expect(run('doctor').stdout).toMatch(/settings\.json has the session-start hook/);
    expect(run('install', 'gemini-cli', '--undo', '--yes').code).toBe(0);
    expect(readFileSync(at(file), 'utf8')).toBe(text);
  });
});

describe('M5 hook session-start', () => {
  it('names the occasion that the client named: a session, or a sub-agent', () => {
    for (const [event, name] of [
      ['session-start', 'SessionStart'],
      ['subagent-start', 'SubagentStart'],
    ] as const) {
      const input = JSON.stringify({ hook_event_name: name, cwd: at('repo') });
      const { stdout } = bearings({ ...place, input }, 'hook', event, '--workspace', 'manta');
      expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
        hookEventName: name,
        additionalContext: expect.stringContaining('Quiet mood.'),
      });
    }
  });

  const hook = (input: string, ...args: string[]) => {
    const { code, stdout, stderr } = bearings({ ...place, input }, 'hook', 'session-start', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
    return String(hookSpecificOutput.additionalContext);
  };

  it('finds the workspace of the session’s folder', () => {
    put(place.home, { 'repo/.bearings/brief.md': 'Of the reef.' });
    const text = hook(JSON.stringify({ hook_event_name: 'SessionStart', source: 'compact', cwd: at('repo') }));
    expect(text).toMatch(/Brief of reef\n.*not confirmed.*\n> Of the reef\./);
  });

  it('M1 M51 begins with the tastes; what is unaccounted is one line at the end', () => {
    put(place.home, {
      '.bearings/tastes/_default.md': '- calm\n',
      '.bearings/workspaces/manta/notes.md': 'by hand\n',
    });
    const text = hook('{}', '--workspace', 'manta');
    expect(text.indexOf('Warning: ')).toBeGreaterThan(text.indexOf('by hand'));
    expect(text.indexOf('- calm')).toBeLessThan(text.indexOf('by hand'));
    expect(text.match(/^Warning: .*unaccounted.*$/gm)).toHaveLength(1);
  });

  it('M15 stays within 10,000 characters and keeps the newest notes and all that is short', () => {
    const long = Array.from({ length: 3000 }, (_, i) => `- note ${i} 🐋`).join('\n');
    put(place.home, {
      '.bearings/tastes/_default.md': '- calm\n',
      '.bearings/workspaces/manta/notes.md': `${'🐋'.repeat(30_000)}\n${long}\nthe newest\n`,
      '.bearings/workspaces/manta/log.jsonl': `${JSON.stringify({ op: 'x', text: '🐋'.repeat(9000) })}\n`.repeat(12),
    });
    const text = hook('{}', '--workspace', 'manta');
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text.length).toBeGreaterThan(5_000);
    for (const part of ['- calm', 'Quiet mood.', 'the newest']) expect(text).toContain(part);
    expect(text).not.toMatch(/\p{Cs}/u);
  });

  it('M31 never fails: no workspace, a broken configuration, a strange input become one line without a path', () => {
    expect(hook('')).toContain('There is no workspace here');
    expect(hook('not json', '--workspace', 'nobody')).toContain('There is no workspace "nobody".');
    put(place.home, { '.bearings/config.yaml': 'x: 1\n' });
    const text = hook(`{"cwd":${JSON.stringify('/'.repeat(5000))}}`, '--workspace', 'manta');
    expect(text).toMatch(/there is no setting "x".*bearings config check/);
    expect(text).not.toContain(place.home);
  });
});
