import { CAMEL_NAMES, CLAUDE_NAMES, type ClientHooks } from './client-hooks.ts';
import type { FileLocation } from './file-location.ts';

/** How the server is started: a program and its arguments. */
export interface Launch {
  command: string;
  args: string[];
}

/** Of our entry in a client's table of servers. */
export const ENTRY_NAME = 'bearings';

export type Scope = 'user' | 'project';

export interface ClientSpec {
  id: string;
  title: string;
  format: 'json' | 'toml';
  /** The keys that lead to the table of servers. */
  servers: readonly string[];
  files: { user: FileLocation; project: FileLocation | null };
  /** Keys before `command` and `args`. */
  extra: Readonly<Record<string, unknown>>;
  /** One list of words under `command`, in place of a program and its `args`. */
  isOneList?: true;
  /** The file of instructions in a project that it reads by itself. */
  instructions: string | null;
  /** Where hooks go, for clients that can call us. */
  hooks: ClientHooks | null;
  /** What the person does once it is written. */
  next: string;
}

const at = (base: FileLocation['base'], path: string): FileLocation => ({ base, path });
const inProject = (path: string) => at('project', path);
/** The same file below the person's folder and in a project. */
const inBoth = (path: string) => ({ user: at('home', path), project: inProject(path) });

/** What most of them have. */
const USUAL = { format: 'json', servers: ['mcpServers'], extra: {}, hooks: null, instructions: 'AGENTS.md' } as const;

// Facts of the clients' own documentation: file, key and shape of one entry. Those of hooks were seen by running them, where
// docs/hooks.md says so.
const SPECS: readonly (Omit<ClientSpec, keyof typeof USUAL> & Partial<ClientSpec>)[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    files: { user: at('claude_state', '.claude.json'), project: inProject('.mcp.json') },
    // Its tools are in the first request, and not behind a search.
    extra: { type: 'stdio', alwaysLoad: true },
    instructions: 'CLAUDE.md',
    hooks: {
      user: at('claude', 'settings.json'),
      // A hook names programs of this machine: in a project it goes into the file that is not committed.
      project: { base: 'project', path: '.claude/settings.local.json', isPrivate: true },
      entry: 'matched',
      names: CLAUDE_NAMES,
      events: ['session-start', 'subagent-start', 'prompt', 'before-tool'],
    },
    next: 'Start a new session, or type /mcp in a running one.',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: { user: at('application', 'Claude/claude_desktop_config.json'), project: null },
    instructions: null,
    next: 'Quit Claude Desktop and start it again.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    files: inBoth('.cursor/mcp.json'),
    hooks: {
      ...inBoth('.cursor/hooks.json'),
      entry: 'cursor',
      names: { ...CAMEL_NAMES, prompt: 'beforeSubmitPrompt' },
      events: ['session-start', 'prompt', 'before-tool', 'after-tool', 'before-compaction'],
    },
    next: 'Switch it on in Settings, MCP.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    servers: ['servers'],
    files: { user: at('application', 'Code/User/mcp.json'), project: inProject('.vscode/mcp.json') },
    extra: { type: 'stdio' },
    instructions: '.github/copilot-instructions.md',
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    id: 'zed',
    title: 'Zed',
    servers: ['context_servers'],
    files: { user: at('zed', 'settings.json'), project: inProject('.zed/settings.json') },
    next: 'Look for the green dot in the Agent Panel’s settings.',
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    servers: ['mcp_servers'],
    files: { user: at('codex', 'config.toml'), project: inProject('.codex/config.toml') },
    hooks: {
      user: at('codex', 'hooks.json'),
      project: inProject('.codex/hooks.json'),
      entry: 'matched',
      names: CLAUDE_NAMES,
      events: ['session-start', 'prompt', 'before-tool'],
    },
    next: 'Restart Codex and type /mcp. A project’s file counts only where Codex trusts the project.',
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    files: inBoth('.gemini/settings.json'),
    instructions: 'GEMINI.md',
    hooks: {
      ...inBoth('.gemini/settings.json'),
      entry: 'grouped',
      names: {
        'session-start': 'SessionStart',
        prompt: 'BeforeAgent',
        'before-tool': 'BeforeTool',
        'after-tool': 'AfterTool',
        'before-compaction': 'PreCompress',
        'session-end': 'SessionEnd',
      },
      // It reads its own memory before the first hook: what went past the guard is gone by the end of the session that wrote it.
      events: ['session-start', 'prompt', 'before-tool', 'after-tool', 'session-end'],
    },
    next: 'Restart Gemini CLI and type /mcp.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    files: { user: at('home', '.codeium/windsurf/mcp_config.json'), project: null },
    next: 'Press refresh in the list of MCP servers.',
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    files: { user: at('copilot', 'mcp-config.json'), project: inProject('.github/mcp.json') },
    extra: { type: 'local', tools: ['*'] },
    hooks: {
      user: at('copilot', 'hooks/bearings.json'),
      project: inProject('.github/hooks/bearings.json'),
      entry: 'copilot',
      names: { ...CAMEL_NAMES, prompt: 'userPromptSubmitted' },
      events: ['session-start', 'prompt', 'before-tool'],
    },
    next: 'Restart Copilot CLI and type /mcp show.',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    servers: ['mcp'],
    files: { user: at('opencode', 'opencode.json'), project: inProject('opencode.json') },
    extra: { type: 'local', enabled: true },
    isOneList: true,
    // One file with one entry: the plugin calls for the others too.
    hooks: {
      user: at('opencode', 'plugin/bearings.js'),
      project: inProject('.opencode/plugin/bearings.js'),
      entry: 'plugin',
      names: {},
      events: ['prompt'],
    },
    next: 'Restart OpenCode; "opencode mcp list" shows it.',
  },
];
export const CLIENTS: readonly ClientSpec[] = SPECS.map((spec) => ({ ...USUAL, ...spec }));

/** Where a client keeps a memory of its own, and how it is switched off. */
interface ClientMemory {
  folder: FileLocation;
  /** Where its sub-agents keep theirs: written past no gate, and never moved, since projects share them. */
  ofAgents?: readonly FileLocation[];
  /** Of all projects, so no notes of one. */
  isShared?: true;
  /** A key of its settings (in TOML: of a table) that, when false, keeps it from reading and writing its memory. */
  switch?: string;
}

export const CLIENT_MEMORIES: Readonly<Record<string, ClientMemory>> = {
  'claude-code': {
    folder: at('claude', 'projects/*/memory'),
    ofAgents: [
      at('claude', 'agent-memory'),
      inProject('.claude/agent-memory'),
      inProject('.claude/agent-memory-local'),
    ],
    switch: 'autoMemoryEnabled',
  },
  codex: { folder: at('codex', 'memories'), isShared: true, switch: 'features.memories' },
  'gemini-cli': { folder: at('home', '.gemini/tmp/*/memory') },
};

export function entryFor(client: ClientSpec, launch: Launch): Record<string, unknown> {
  if (client.isOneList) return { ...client.extra, command: [launch.command, ...launch.args] };
  return { ...client.extra, command: launch.command, args: launch.args };
}

/** What an entry starts, in either form; empty where it is something else. */
export function launchIn(entry: unknown): Launch {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const words = (value: unknown) => (Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
  if (!Array.isArray(command)) return { command: typeof command === 'string' ? command : '', args: words(args) };
  const [program = '', ...rest] = words(command);
  return { command: program, args: rest };
}
