import { showHidden } from '../../safety/hidden-characters.ts';

/** One moment of a session, as one would tell it. */
export type Moment = NonNullable<ReturnType<typeof momentOf>>;

type Entry = Record<string, unknown>;

// Whether a question reached the person is told by their answer alone: a client may be unable to ask.
const TOOLS: Record<string, string> = {
  read_context: 'read its context',
  read_full_notes: 'read more of the notes',
  load_context: 'loaded a project’s context',
  confirm_taste_update: 'wanted you to decide on a taste',
  confirm_notes_update: 'wanted you to decide on a note',
  log_operation: 'logged an operation',
  log_vocabulary_gap: 'logged a gap',
};

// Calls and their results belong together, and what is told by its own entry is not told twice.
export function storyOf(entries: readonly Entry[]): Moment[] {
  return entries.flatMap((entry, index) => momentOf(entry, entries[index + 1]) ?? []);
}

/** Null: another entry tells it. */
export function momentOf(entry: Entry, next: Entry | undefined) {
  const tell = MOMENTS.get(entry.type);
  const told: Told = tell ? tell(entry, next) : ['plain', seen(String(entry.type ?? 'an entry'))];
  if (told === null) return null;
  const [kind, text, quote = null] = told;
  const { proposal_id: about } = { ...(entry.proposal as Entry | undefined), ...entry };
  return {
    ...{ at: String(entry.at ?? ''), kind, text },
    quote: typeof quote === 'string' ? seen(quote) : quote === null ? null : refused(quote),
    /** Of the proposal it is about. */
    about: typeof about === 'string' ? about : null,
    /** Of a text that was served: the name it is kept by. */
    sha256: entry.type === 'context_served' && typeof entry.sha256 === 'string' ? entry.sha256 : null,
  };
}

function said(value: unknown, otherwise = ''): string {
  const text = value ?? otherwise;
  return typeof text === 'string' ? seen(text) : refused(text);
}

/** What an entry says of itself; with what was written or shown. */
type Told = [kind: Kind, text: string, quote?: unknown] | null;
type Kind = 'plain' | 'served' | 'proposed' | 'decided' | 'set-aside' | 'problem' | 'edge';

const BY_TYPE: Record<string, (entry: Entry, next: Entry | undefined) => Told> = {
  session_start: ({ client }) => ['edge', `${said(client, 'an agent')} came in`],
  session_end: ({ reason }) => ['edge', `the session ended (${said(reason)})`],
  tool_call(entry, next) {
    const tool = String(entry.tool ?? '');
    if (tool.startsWith('propose_') && next?.type === 'proposal') return null;
    return ['plain', TOOLS[tool] ?? `called ${seen(tool)}`, argumentsOf(entry.arguments)];
  },
  tool_result: ({ ok, tool, code }) =>
    ok === false ? ['problem', `${said(tool, 'a tool')} refused: ${said(code, 'see its answer')}`] : null,
  context_served: ({ chars, sha256 }) => [
    'served',
    `got ${grouped(Number(chars ?? 0))} characters of context (${said(sha256).slice(0, 8)})`,
  ],
  proposal(entry) {
    const { kind, file, reason, content } = (entry.proposal ?? {}) as Entry;
    const notes = file === 'brief.md' ? 'the brief' : 'the notes';
    const where = kind === 'taste' ? `tastes/${String(file)}` : notes;
    const why = typeof reason === 'string' && reason !== '' ? `: “${seen(reason)}”` : '';
    return ['proposed', `proposed for ${seen(where)}${why}`, content];
  },
  decision({ decision, edited_content, reason, via }) {
    const word = decision === 'accept' ? 'accepted' : 'declined';
    const edited = edited_content === undefined ? '' : ', with your own words';
    const why = typeof reason === 'string' ? `: “${seen(reason)}”` : '';
    return ['decided', `you ${word} it (${said(via)})${edited}${why}`, edited_content];
  },
  shown: () => ['plain', 'you saw it and left it for later'],
  withdrawn: () => ['set-aside', 'took its proposal back'],
  discarded: ({ target, content }) => ['set-aside', `was set aside undecided: ${said(target)}`, content],
  revived: () => ['proposed', 'you brought it back'],
  stopped: ({ client, reason, use }) => ['problem', `${said(client, 'an agent')} was stopped: ${said(reason)}`, use],
  note: ({ text }) => ['plain', 'noted', text],
};
// A transcript may name any type, `constructor` too.
const MOMENTS = new Map<unknown, (typeof BY_TYPE)[string]>(Object.entries(BY_TYPE));

function seen(text: string): string {
  return showHidden(text, { keepLines: true });
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function argumentsOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const written = (each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each));
  const parts = Object.entries(value).map(([name, each]) => `${name}: ${written(each)}`);
  return parts.length > 0 ? parts.join('\n') : null;
}

function refused(value: unknown): string {
  const { refused: kind, length } = value as { refused?: unknown; length?: unknown };
  return `(not stored: ${seen(String(kind))}, ${String(length)} characters)`;
}
