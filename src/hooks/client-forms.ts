import { CLAUDE_NAMES, type HookEvent } from '../clients/client-hooks.ts';
import { CLIENTS } from '../clients/client-table.ts';
import { isRecord, type JsonRecord, parseJson } from '../json.ts';

/** What a client says when it calls. Everything in it may be anybody's words. */
export interface HookCall {
  client: string;
  event: HookEvent;
  /** As the client names its session; null: it does not say. */
  session: string | null;
  cwd: string | null;
  prompt: string;
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  source: string | null;
  tool: ToolUse | null;
  /** What it sent is no call: cut off, too large or not JSON; or nothing came in time. */
  isBroken: boolean;
  isEmpty: boolean;
}

interface ToolUse {
  /** A command line for a shell. */
  command: string | null;
  /** Files that it names, as the client writes them. */
  paths: string[];
  kind: 'reads' | 'edits' | 'other';
  /** The text it writes, where the client says it. */
  written: string | null;
}

/** What we say to it; neither: nothing at all. */
export interface HookAnswer {
  context?: string;
  stop?: { decision: 'deny' | 'ask'; reason: string };
}

type Form = 'nested' | 'gemini' | 'flat' | 'cursor';

// `asks`: its question to the person can be relied on; else what should be asked about is refused, with the way to go on.
const FORMS: Readonly<Record<string, { form: Form; asks: boolean; takesContextBefore: boolean }>> = {
  'claude-code': { form: 'nested', asks: true, takesContextBefore: true },
  vscode: { form: 'nested', asks: true, takesContextBefore: true },
  codex: { form: 'nested', asks: false, takesContextBefore: true },
  'gemini-cli': { form: 'gemini', asks: false, takesContextBefore: false },
  'copilot-cli': { form: 'flat', asks: true, takesContextBefore: true },
  cursor: { form: 'cursor', asks: true, takesContextBefore: false },
  // Its plugin is ours: it reads the flat form.
  opencode: { form: 'flat', asks: false, takesContextBefore: false },
};

export const HOOK_CLIENTS: readonly string[] = Object.keys(FORMS);

/** Larger than what any client sends but for the text of a file it writes, and of that only the path counts. */
const MAX_PROMPT = 20_000;

/** Whatever the input is, a call: what can't be understood is left out. */
export function readCall(client: string, event: HookEvent, input: string): HookCall {
  const read = parsed(input);
  const value = read ?? {};
  const text = (...keys: string[]) => {
    const found = keys.map((key) => value[key]).find((each) => typeof each === 'string' && each !== '');
    return typeof found === 'string' ? found : null;
  };
  const name = text('tool_name', 'toolName', 'tool');
  return {
    client,
    event,
    session: text('session_id', 'sessionId', 'conversation_id', 'sessionID'),
    cwd: text('cwd') ?? firstText(value.workspace_roots),
    prompt: (text('prompt') ?? '').slice(0, MAX_PROMPT),
    source: text('source', 'trigger'),
    tool: name === null ? null : toolUse(name, value.tool_input ?? value.toolArgs ?? value.args),
    isBroken: read === null && input !== '',
    isEmpty: input === '',
  };
}

const SHELLS =
  /(?:^|__|[.:])(?:bash|sh|shell|powershell|local_shell|shell_command|exec_command|run_shell_command|run_in_terminal|run_terminal_cmd|terminal|execute_command|run_command)$/i;
const EDITS = /edit|write|create|replace|patch|insert|delete|remove|rename|move/i;
const READS = /read|view|open|cat\b/i;
const PATH_KEYS = 'file_path filePath path absolute_path notebook_path target_file new_path old_path'.split(' ');
const WRITTEN_KEYS = ['content', 'contents', 'file_text', 'new_string', 'newString', 'new_str', 'new_source', 'fact'];
const LIST_KEYS = ['files', 'paths', 'filePaths', 'file_paths'];
// Codex edits by one text that names its files, whatever the key is called.
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

function toolUse(name: string, given: unknown): ToolUse {
  // Some send a text: JSON, a patch, or the command line itself.
  const input = isRecord(given)
    ? given
    : typeof given === 'string'
      ? (parsed(given) ?? { text: given, command: given })
      : {};
  const texts = (keys: readonly string[]) => keys.map((key) => input[key]).filter((each) => typeof each === 'string');
  const lists = LIST_KEYS.map((key) => input[key]).filter((each) => Array.isArray(each));
  const patch = texts(['command', 'cmd', 'input', 'patch', 'patchText', 'text']).find((each) =>
    each.includes('*** Begin Patch'),
  );
  const patched = [...(patch ?? '').matchAll(PATCHED)].map(([, file, to]) => (file ?? to ?? '').trim());
  const paths = [...texts(PATH_KEYS), ...lists.flat().map(pathIn), ...patched].filter((each) => each !== '');
  // A patch may be a part of what a shell is given.
  const command = SHELLS.test(name) ? commandIn(input.command ?? input.cmd ?? input.script) : null;
  if (patched.length > 0) return { command, paths, kind: 'edits', written: addedIn(patch ?? '') };
  if (SHELLS.test(name)) return { command, paths: [], kind: 'other', written: null };
  const isView = input.command === 'view' || (!EDITS.test(name) && READS.test(name));
  const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [];
  const parts = [input, ...edits]
    .flatMap((each) => WRITTEN_KEYS.map((key) => each[key]))
    .filter((each) => typeof each === 'string');
  const written = parts.length === 0 ? null : parts.join('\n\n');
  return { command: null, paths, kind: isView ? 'reads' : EDITS.test(name) ? 'edits' : 'other', written };
}

const addedIn = (patch: string): string => [...patch.matchAll(/^\+(.*)$/gm)].map(([, line]) => line).join('\n');

// A list of words is one command already: quoted, it is read back as those words.
function commandIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const words = value.filter((word) => typeof word === 'string');
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}

function pathIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return isRecord(value) ? (PATH_KEYS.map((key) => value[key]).find((each) => typeof each === 'string') ?? '') : '';
}

function firstText(value: unknown): string | null {
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : null;
}

function parsed(text: string): JsonRecord | null {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isRecord(value) ? value : null;
}

/** In the client's own form; an empty text where there is nothing to say. */
export function writeAnswer(client: string, event: HookEvent, { context, stop }: HookAnswer): string {
  const { form, asks } = FORMS[client] ?? { form: 'nested', asks: true };
  const names = CLIENTS.find(({ id }) => id === client)?.hooks?.names ?? CLAUDE_NAMES;
  if (context === undefined && stop === undefined) return '';
  const decision = stop && (stop.decision === 'ask' && !asks ? 'deny' : stop.decision);
  const reason = stop && (decision === stop.decision ? stop.reason : `${stop.reason} Ask the person first.`);
  const flat = {
    ...(stop && { permissionDecision: decision, permissionDecisionReason: reason }),
    ...(context !== undefined && { additionalContext: context }),
  };
  const inCursor = {
    ...(event === 'prompt' && { continue: true }),
    ...(stop && { permission: decision, user_message: reason, agent_message: reason }),
    ...(context !== undefined && { additional_context: context }),
  };
  if (form === 'flat' || form === 'cursor') return JSON.stringify(form === 'flat' ? flat : inCursor);
  if (form === 'gemini' && stop) return JSON.stringify({ decision: 'deny', reason });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: names[event] ?? event, ...flat } });
}

/** Words of ours come with a tool before it runs; else after it. */
export function takesContextBefore(client: string): boolean {
  return FORMS[client]?.takesContextBefore ?? true;
}
