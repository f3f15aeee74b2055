import type { FileLocation } from './file-location.ts';

/** The moments at which a client can call us, with Claude Code's names for them. */
export const CLAUDE_NAMES = {
  'session-start': 'SessionStart',
  'subagent-start': 'SubagentStart',
  prompt: 'UserPromptSubmit',
  'before-tool': 'PreToolUse',
  'after-tool': 'PostToolUse',
  'before-compaction': 'PreCompact',
  'session-end': 'SessionEnd',
} as const;
export type HookEvent = keyof typeof CLAUDE_NAMES;
export const HOOK_EVENTS = Object.keys(CLAUDE_NAMES) as HookEvent[];

/** One of our entries in a client's file, as `install` lists it: `prompt hook`. */
export type HookKind = `${HookEvent} hook`;

export interface ClientHooks {
  user: FileLocation;
  project: FileLocation;
  /** How one entry is written: in a group with a pattern, in a group alone, by itself, or all of them as a plugin. */
  entry: 'matched' | 'grouped' | 'copilot' | 'cursor' | 'plugin';
  /** The client's own names; an event that is not here does not exist there. */
  names: Readonly<Partial<Record<HookEvent, string>>>;
  /** Those that install writes. */
  events: readonly HookEvent[];
}

export const CAMEL_NAMES = Object.fromEntries(
  Object.entries(CLAUDE_NAMES).map(([event, name]) => [event, `${name[0]?.toLowerCase()}${name.slice(1)}`]),
);

export const isHookKind = (what: string): what is HookKind => what.endsWith(' hook');
export const kindOf = (event: HookEvent): HookKind => `${event} hook`;
export const eventOf = (kind: HookKind): HookEvent => kind.slice(0, -' hook'.length) as HookEvent;

/** Where context comes back: start, resume, /clear and compaction. */
const SOURCES = 'startup|resume|clear|compact';
/** Tools that run a command or touch a file. */
const TOOLS = 'Bash|Read|Edit|MultiEdit|Write|NotebookEdit|apply_patch|shell|mcp__.*';
// Where a client gives up, it lets the tool run: on a busy machine too a rule should have been read by then.
const secondsFor = (event: HookEvent): number => (event === 'before-tool' ? 60 : 15);

/** What it starts is one line for a shell; a plugin is all of its text. */
export function hookFor(event: HookEvent, { entry }: ClientHooks, command: string): Record<string, unknown> | string {
  const timeout = secondsFor(event);
  switch (entry) {
    case 'plugin':
      return command;
    case 'copilot':
      return { type: 'command', bash: command, powershell: command, timeoutSec: timeout };
    case 'cursor':
      return { command, timeout };
    case 'grouped':
      // It counts its time-out in milliseconds, and knows no pattern of occasions.
      return { hooks: [{ type: 'command', command, timeout: timeout * 1_000 }] };
    case 'matched': {
      const hooks = [{ type: 'command', command, timeout }];
      if (event === 'session-start') return { matcher: SOURCES, hooks };
      return event === 'before-tool' || event === 'after-tool' ? { matcher: TOOLS, hooks } : { hooks };
    }
  }
}

/** The command line of one entry, in whichever form. */
export function hookLine(value: unknown): string {
  const { hooks, command, bash } = (value ?? {}) as { hooks?: unknown; command?: unknown; bash?: unknown };
  const inner = Array.isArray(hooks) && hooks.length === 1 ? (hooks[0] as { command?: unknown } | null)?.command : null;
  return [hooks === undefined ? null : inner, command, bash].find((each) => typeof each === 'string') ?? '';
}

const OWN_HOOK = new RegExp(`\\bhook (?:${HOOK_EVENTS.join('|')})\\b`);

/** A hook of ours, also one that another place of the binary wrote. */
export function isOwnHook(value: unknown): boolean {
  const line = hookLine(value);
  return OWN_HOOK.test(line) && /bearings|main\.cjs/.test(line);
}
