import { describe, expect, it } from 'vitest';
import { CLIENTS, entryFor, HOOK_PATHS, hookFor, hookKinds, isOwnHook, launchIn } from './client-table.ts';

const LAUNCH = { command: 'node', args: ['main.cjs', 'mcp'] };
const PLAIN = '{"command":"node","args":["main.cjs","mcp"]}';
const TYPED = '{"type":"stdio","command":"node","args":["main.cjs","mcp"]}';
const LOCAL = '{"type":"local","tools":["*"],"command":"node","args":["main.cjs","mcp"]}';
const LIST = '{"type":"local","enabled":true,"command":["node","main.cjs","mcp"]}';

const FILE = { base: 'home', path: 'x.json' } as const;
const PLACES = { user: FILE, project: FILE };
const ownHook = (command: string) => hookFor('hook', PLACES, command);

describe('the clients', () => {
  // As each of them documents its own file; a wrong word here and the client never sees us.
  it.each([
    ['claude-code', 'Claude Code', 'json', 'mcpServers', '.mcp.json', TYPED],
    ['claude-desktop', 'Claude Desktop', 'json', 'mcpServers', null, PLAIN],
    ['cursor', 'Cursor', 'json', 'mcpServers', '.cursor/mcp.json', PLAIN],
    ['vscode', 'VS Code', 'json', 'servers', '.vscode/mcp.json', TYPED],
    ['zed', 'Zed', 'json', 'context_servers', '.zed/settings.json', PLAIN],
    ['codex', 'Codex', 'toml', 'mcp_servers', '.codex/config.toml', PLAIN],
    ['gemini-cli', 'Gemini CLI', 'json', 'mcpServers', '.gemini/settings.json', PLAIN],
    ['windsurf', 'Windsurf', 'json', 'mcpServers', null, PLAIN],
    ['copilot-cli', 'Copilot CLI', 'json', 'mcpServers', '.github/mcp.json', LOCAL],
    ['opencode', 'OpenCode', 'json', 'mcp', 'opencode.json', LIST],
  ])('%s is written as it reads', (id, title, format, servers, project, entry) => {
    const client = CLIENTS.find((one) => one.id === id);
    expect(client).toMatchObject({ title, format, servers: [servers] });
    expect(client?.files.project).toEqual(project === null ? null : { base: 'project', path: project });
    expect(client && JSON.stringify(entryFor(client, LAUNCH))).toBe(entry);
    expect(client?.hooks !== null).toBe(['claude-code', 'codex', 'gemini-cli'].includes(id));
    expect(client && launchIn(entryFor(client, LAUNCH))).toEqual(LAUNCH);
  });

  it('there are no others, each is listed once', () => {
    expect(new Set(CLIENTS.map(({ id }) => id)).size).toBe(10);
    expect(CLIENTS).toHaveLength(10);
  });

  it('a hook runs at every start of a session, also after compaction, and not for long', () => {
    expect(HOOK_PATHS.hook).toEqual(['hooks', 'SessionStart']);
    expect(ownHook('bearings read --hook')).toEqual({
      matcher: 'startup|resume|clear|compact',
      hooks: [{ type: 'command', command: 'bearings read --hook', timeout: 15 }],
    });
  });

  it('a hook for sub-agents only where the client has one; where time-outs are milliseconds, in those', () => {
    const kinds = CLIENTS.flatMap(({ id, hooks }) => (hooks ? [[id, hookKinds(hooks)]] : []));
    expect(kinds).toEqual([
      ['claude-code', ['hook', 'subagent_hook']],
      ['codex', ['hook']],
      ['gemini-cli', ['hook']],
    ]);
    expect(HOOK_PATHS.subagent_hook).toEqual(['hooks', 'SubagentStart']);
    const command = 'bearings read --hook';
    expect(hookFor('subagent_hook', PLACES, command)).toEqual({ hooks: [{ type: 'command', command, timeout: 15 }] });
    expect(hookFor('hook', { ...PLACES, isPlain: true }, command)).toEqual({
      hooks: [{ type: 'command', command, timeout: 15_000 }],
    });
  });

  it.each([
    ['of this version', ownHook('bearings read manta --hook'), true],
    ['of another place', ownHook("'/opt/node' '/x y/main.cjs' read manta --hook --home /h"), true],
    ['with a command of its own', ownHook('cat notes.md'), false],
    ['of another program with the same words', ownHook('other read --hook'), false],
    ['of ours that does something else', ownHook('bearings doctor --hook'), false],
    ['without --hook', ownHook('bearings read manta'), false],
    [
      'that holds a second command',
      { hooks: [...(ownHook('bearings read --hook').hooks as []), { command: 'x' }] },
      false,
    ],
    ['without commands', { hooks: [] }, false],
    ['with an empty command', { hooks: [null] }, false],
    ['that is no list', { hooks: 'bearings read --hook' }, false],
    ['that is nothing', null, false],
    ['whose command is not text', { hooks: [{ command: ['bearings read --hook'] }] }, false],
  ])('a hook %s is told from others', (_, value, ours) => {
    expect(isOwnHook(value)).toBe(ours);
  });
});
