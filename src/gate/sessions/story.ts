import { showHidden } from '../../safety/hidden-characters.ts';

/** One moment of a session, as one would tell it. */
export interface Moment {
  at: string;
  kind: 'plain' | 'served' | 'proposed' | 'decided' | 'set-aside' | 'problem' | 'edge';
  text: string;
  quote: string | null;
  /** Of the proposal it is about. */
  about: string | null;
  /** Of a text that was served: the name it is kept by. */
  sha256: string | null;
}

type Entry = Record<string, unknown>;

// Whether a question reached the person is told by their answer alone: a client may be unable to ask.
const TOOLS: Record<string, string> = {
  read_context: 'read its context',
  read_full_notes: 'read more of the notes',
  load_context: 'loaded a project’s context',
  propose_taste_update: 'proposed a taste',
  propose_notes_update: 'proposed a note',
  confirm_taste_update: 'wanted you to decide on a taste',
  confirm_notes_update: 'wanted you to decide on a note',
  list_proposals: 'looked at what waits',
  withdraw_proposal: 'took a proposal back',
  end_session: 'ended the session',
  log_operation: 'logged an operation',
  log_vocabulary_gap: 'logged a gap',
};

// Calls and their results belong together, and what is told by its own entry is not told twice.
export function storyOf(entries: readonly Entry[]): Moment[] {
  return entries.flatMap((entry, index) => momentOf(entry, entries[index + 1]) ?? []);
}

/** Null: another entry tells it. */
export function momentOf(entry: Entry, next: Entry | undefined): Moment | null {
  const moment = (kind: Moment['kind'], text: string, quote: unknown = null, about: unknown = null): Moment => ({
    at: String(entry.at ?? ''),
    kind,
    text,
    quote: typeof quote === 'string' ? seen(quote) : quote === null || quote === undefined ? null : refused(quote),
    about: typeof about === 'string' ? about : null,
    sha256: entry.type === 'context_served' && typeof entry.sha256 === 'string' ? entry.sha256 : null,
  });
  const said = (field: string, otherwise = '') => {
    const value = entry[field] ?? otherwise;
    return typeof value === 'string' ? seen(value) : refused(value);
  };
  switch (entry.type) {
    case 'session_start':
      return moment('edge', `${said('client', 'an agent')} came in`);
    case 'session_end':
      return moment('edge', `the session ended (${said('reason')})`);
    case 'tool_call': {
      const tool = String(entry.tool ?? '');
      if (tool.startsWith('propose_') && next?.type === 'proposal') return null;
      const details = argumentsOf(entry.arguments);
      return moment('plain', TOOLS[tool] ?? `called ${seen(tool)}`, details);
    }
    case 'tool_result':
      if (entry.ok !== false) return null;
      return moment('problem', `${said('tool', 'a tool')} refused: ${said('code', 'see its answer')}`);
    case 'context_served': {
      const count = grouped(Number(entry.chars ?? 0));
      return moment('served', `got ${count} characters of context (${said('sha256').slice(0, 8)})`);
    }
    case 'proposal': {
      const proposal = (entry.proposal ?? {}) as Entry;
      const where =
        proposal.kind === 'taste'
          ? `tastes/${String(proposal.file)}`
          : proposal.file === 'brief.md'
            ? 'the brief'
            : 'the notes';
      const why = typeof proposal.reason === 'string' && proposal.reason !== '' ? `: “${seen(proposal.reason)}”` : '';
      return moment('proposed', `proposed for ${seen(where)}${why}`, proposal.content, proposal.proposal_id);
    }
    case 'decision': {
      const word = entry.decision === 'accept' ? 'accepted' : 'declined';
      const edited = entry.edited_content === undefined ? '' : ', with your own words';
      const why = typeof entry.reason === 'string' ? `: “${seen(entry.reason)}”` : '';
      const text = `you ${word} it (${said('via')})${edited}${why}`;
      return moment('decided', text, entry.edited_content, entry.proposal_id);
    }
    case 'shown':
      return moment('plain', 'you saw it and left it for later', null, entry.proposal_id);
    case 'withdrawn':
      return moment('set-aside', 'took its proposal back', null, entry.proposal_id);
    case 'discarded':
      return moment('set-aside', `was set aside undecided: ${said('target')}`, entry.content, entry.proposal_id);
    case 'revived':
      return moment('proposed', 'you brought it back', null, entry.proposal_id);
    case 'stopped':
      return moment('problem', `${said('client', 'an agent')} was stopped: ${said('reason')}`, entry.use);
    case 'note':
      return moment('plain', 'noted', entry.text);
    default:
      return moment('plain', seen(String(entry.type ?? 'an entry')));
  }
}

function seen(text: string): string {
  return showHidden(text, { keepLines: true });
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function argumentsOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const parts = Object.entries(value).map(
    ([name, each]) => `${name}: ${typeof each === 'string' ? each : JSON.stringify(each)}`,
  );
  return parts.length > 0 ? parts.join('\n') : null;
}

function refused(value: unknown): string {
  const { refused: kind, length } = value as { refused?: unknown; length?: unknown };
  return `(not stored: ${seen(String(kind))}, ${String(length)} characters)`;
}
