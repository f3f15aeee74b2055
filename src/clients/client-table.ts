/** Where a base folder lies differs by system; `clients/io/client-locations` knows. */
export type Base =
  | 'home'
  | 'application'
  | 'claude'
  | 'claude_state'
  | 'codex'
  | 'copilot'
  | 'opencode'
  | 'zed'
  | 'project';

export interface FileLocation {
  base: Base;
  /** Below the base, with `/`. */
  path: string;
  /** A file in a project that its people do not share. */
  isPrivate?: true;
}

/** How the server is started: a program and its arguments. */
export interface Launch {
  command: string;
  args: string[];
}

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
  /** Where hooks go, for clients that can call us at the start of a session. */
  hooks: ClientHooks | null;
  /** What the person does once it is written. */
  next: string;
}

export interface ClientHooks {
  user: FileLocation;
  project: FileLocation;
  /** Calls us at the start of a sub-agent, too. */
  hasSubagents?: true;
  /** Counts its time-out in milliseconds, and knows no pattern of occasions. */
  isPlain?: true;
}

const JSON_SERVERS = { format: 'json', servers: ['mcpServers'], extra: {}, hooks: null } as const;

// Facts of the clients' own documentation: file, key and shape of one entry.
export const CLIENTS: readonly ClientSpec[] = [
  {
    ...JSON_SERVERS,
    id: 'claude-code',
    title: 'Claude Code',
    files: { user: { base: 'claude_state', path: '.claude.json' }, project: { base: 'project', path: '.mcp.json' } },
    extra: { type: 'stdio' },
    // A hook names programs of this machine: in a project it goes into the file that is not committed.
    hooks: {
      user: { base: 'claude', path: 'settings.json' },
      project: { base: 'project', path: '.claude/settings.local.json', isPrivate: true },
      hasSubagents: true,
    },
    next: 'Start a new session, or type /mcp in a running one.',
  },
  {
    ...JSON_SERVERS,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: { user: { base: 'application', path: 'Claude/claude_desktop_config.json' }, project: null },
    next: 'Quit Claude Desktop and start it again.',
  },
  {
    ...JSON_SERVERS,
    id: 'cursor',
    title: 'Cursor',
    files: { user: { base: 'home', path: '.cursor/mcp.json' }, project: { base: 'project', path: '.cursor/mcp.json' } },
    next: 'Switch it on in Settings, MCP.',
  },
  {
    ...JSON_SERVERS,
    id: 'vscode',
    title: 'VS Code',
    servers: ['servers'],
    files: {
      user: { base: 'application', path: 'Code/User/mcp.json' },
      project: { base: 'project', path: '.vscode/mcp.json' },
    },
    extra: { type: 'stdio' },
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    ...JSON_SERVERS,
    id: 'zed',
    title: 'Zed',
    servers: ['context_servers'],
    files: { user: { base: 'zed', path: 'settings.json' }, project: { base: 'project', path: '.zed/settings.json' } },
    next: 'Look for the green dot in the Agent Panel’s settings.',
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    servers: ['mcp_servers'],
    files: { user: { base: 'codex', path: 'config.toml' }, project: { base: 'project', path: '.codex/config.toml' } },
    extra: {},
    hooks: { user: { base: 'codex', path: 'hooks.json' }, project: { base: 'project', path: '.codex/hooks.json' } },
    next: 'Restart Codex and type /mcp. A project’s file counts only where Codex trusts the project.',
  },
  {
    ...JSON_SERVERS,
    id: 'gemini-cli',
    title: 'Gemini CLI',
    files: {
      user: { base: 'home', path: '.gemini/settings.json' },
      project: { base: 'project', path: '.gemini/settings.json' },
    },
    hooks: {
      user: { base: 'home', path: '.gemini/settings.json' },
      project: { base: 'project', path: '.gemini/settings.json' },
      isPlain: true,
    },
    next: 'Restart Gemini CLI and type /mcp.',
  },
  {
    ...JSON_SERVERS,
    id: 'windsurf',
    title: 'Windsurf',
    files: { user: { base: 'home', path: '.codeium/windsurf/mcp_config.json' }, project: null },
    next: 'Press refresh in the list of MCP servers.',
  },
  {
    ...JSON_SERVERS,
    id: 'copilot-cli',
    title: 'Copilot CLI',
    files: {
      user: { base: 'copilot', path: 'mcp-config.json' },
      project: { base: 'project', path: '.github/mcp.json' },
    },
    extra: { type: 'local', tools: ['*'] },
    next: 'Restart Copilot CLI and type /mcp show.',
  },
  {
    ...JSON_SERVERS,
    id: 'opencode',
    title: 'OpenCode',
    servers: ['mcp'],
    files: {
      user: { base: 'opencode', path: 'opencode.json' },
      project: { base: 'project', path: 'opencode.json' },
    },
    extra: { type: 'local', enabled: true },
    isOneList: true,
    next: 'Restart OpenCode; "opencode mcp list" shows it.',
  },
];

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

/** Where context comes back: start, resume, /clear and compaction. */
const HOOK_MATCHER = 'startup|resume|clear|compact';
const HOOK_SECONDS = 15;

/** The list of a client's file that each of our hooks is in. */
export const HOOK_PATHS = { hook: ['hooks', 'SessionStart'], subagent_hook: ['hooks', 'SubagentStart'] } as const;
export type HookKind = keyof typeof HOOK_PATHS;

export function isHookKind(what: string): what is HookKind {
  return what in HOOK_PATHS;
}

export function hookKinds({ hasSubagents }: ClientHooks): HookKind[] {
  return hasSubagents ? ['hook', 'subagent_hook'] : ['hook'];
}

export function hookFor(kind: HookKind, { isPlain }: ClientHooks, command: string): Record<string, unknown> {
  if (isPlain) return { hooks: [{ type: 'command', command, timeout: HOOK_SECONDS * 1_000 }] };
  const hooks = [{ type: 'command', command, timeout: HOOK_SECONDS }];
  return kind === 'hook' ? { matcher: HOOK_MATCHER, hooks } : { hooks };
}

const OWN_HOOK = /\bread\b.* --hook\b/;

/** A hook of ours, also one that an earlier version or another place of the binary wrote. */
export function isOwnHook(value: unknown): boolean {
  const hooks = (value as { hooks?: unknown } | null)?.hooks;
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  const { command } = (hooks[0] ?? {}) as { command?: unknown };
  return typeof command === 'string' && OWN_HOOK.test(command) && /bearings|main\.cjs/.test(command);
}
