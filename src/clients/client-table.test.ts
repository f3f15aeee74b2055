import { describe, expect, it } from 'vitest';
import { type ClientHooks, hookFor, isOwnHook } from './client-hooks.ts';
import { CLIENTS, entryFor, launchIn } from './client-table.ts';

const LAUNCH = { command: 'node', args: ['main.cjs', 'mcp'] };
const PLAIN = '{"command":"node","args":["main.cjs","mcp"]}';
const TYPED = '{"type":"stdio","command":"node","args":["main.cjs","mcp"]}';
const LOCAL = '{"type":"local","tools":["*"],"command":"node","args":["main.cjs","mcp"]}';
const LIST = '{"type":"local","enabled":true,"command":["node","main.cjs","mcp"]}';

const LOADED = '{"type":"stdio","alwaysLoad":true,"command":"node","args":["main.cjs","mcp"]}';

const hooksOf = (id: string) => CLIENTS.find((client) => client.id === id)?.hooks as ClientHooks;
const [CLAUDE_HOOKS, COPILOT_HOOKS] = [hooksOf('claude-code'), hooksOf('copilot-cli')];
const [CURSOR_HOOKS, GEMINI_HOOKS] = [hooksOf('cursor'), hooksOf('gemini-cli')];
const ownHook = (command: string) => hookFor('session-start', CLAUDE_HOOKS, command) as Record<string, unknown>;

describe('the clients', () => {
  // As each of them documents its own file; a wrong word here and the client never sees us.
  it.each([
    ['claude-code', 'Claude Code', 'json', 'mcpServers', '.mcp.json', LOADED],
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
    expect(client?.hooks !== null).toBe(
      ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'cursor', 'opencode'].includes(id),
    );
    expect(client && launchIn(entryFor(client, LAUNCH))).toEqual(LAUNCH);
  });

  it('there are no others, each is listed once', () => {
    expect(new Set(CLIENTS.map(({ id }) => id)).size).toBe(10);
    expect(CLIENTS).toHaveLength(10);
  });

  it('M52 a hook runs at every start of a session, also after compaction, and not for long', () => {
    expect(ownHook('bearings hook session-start')).toEqual({
      matcher: 'startup|resume|clear|compact',
      hooks: [{ type: 'command', command: 'bearings hook session-start', timeout: 15 }],
    });
  });

  it('M52 each client gets the hooks that it has, under its own names and in its own form', () => {
    const names = CLIENTS.flatMap(({ id, hooks }) =>
      hooks ? [[id, hooks.events.map((event) => hooks.names[event] ?? hooks.entry).join(' ')]] : [],
    );
    expect(Object.fromEntries(names)).toEqual({
      'claude-code': 'SessionStart SubagentStart UserPromptSubmit PreToolUse',
      cursor: 'sessionStart beforeSubmitPrompt preToolUse postToolUse preCompact',
      codex: 'SessionStart UserPromptSubmit PreToolUse',
      'gemini-cli': 'SessionStart BeforeAgent BeforeTool AfterTool SessionEnd',
      'copilot-cli': 'sessionStart userPromptSubmitted preToolUse',
      opencode: 'plugin',
    });
    const command = 'bearings hook prompt';
    expect(hookFor('prompt', CLAUDE_HOOKS, command)).toEqual({ hooks: [{ type: 'command', command, timeout: 15 }] });
    expect(hookFor('prompt', GEMINI_HOOKS, command)).toEqual({
      hooks: [{ type: 'command', command, timeout: 15_000 }],
    });
    expect(hookFor('prompt', COPILOT_HOOKS, command)).toMatchObject({ bash: command, timeoutSec: 15 });
    expect(hookFor('prompt', CURSOR_HOOKS, command)).toEqual({ command, timeout: 15 });
    // A client that gives up lets the tool run.
    expect(hookFor('before-tool', CURSOR_HOOKS, command)).toEqual({ command, timeout: 60 });
    for (const hooks of [CLAUDE_HOOKS, GEMINI_HOOKS, COPILOT_HOOKS, CURSOR_HOOKS])
      expect(isOwnHook(hookFor('prompt', hooks, command))).toBe(true);
  });

  it.each([
    ['of this version', ownHook('bearings hook prompt --workspace manta'), true],
    ['of another place', ownHook("'/opt/node' '/x y/main.cjs' hook prompt --home /h"), true],
    ['with a command of its own', ownHook('cat notes.md'), false],
    ['of another program with the same words', ownHook('other hook prompt'), false],
    ['of ours that does something else', ownHook('bearings doctor --hook'), false],
    ['without an event', ownHook('bearings hook'), false],
    [
      'that holds a second command',
      { hooks: [...(ownHook('bearings hook prompt').hooks as []), { command: 'x' }] },
      false,
    ],
    ['without commands', { hooks: [] }, false],
    ['with an empty command', { hooks: [null] }, false],
    ['that is no list', { hooks: 'bearings hook prompt' }, false],
    ['that is nothing', null, false],
    ['whose command is not text', { hooks: [{ command: ['bearings hook prompt'] }] }, false],
  ])('a hook %s is told from others', (_, value, ours) => {
    expect(isOwnHook(value)).toBe(ours);
  });
});
