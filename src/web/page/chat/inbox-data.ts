import type { DiffLine } from '../../../gate/proposals/proposal-diff.ts';
import { isRecord } from '../../../json-record.ts';

/** One row of `list_proposals`. */
export interface Waiting {
  proposal_id: string;
  kind: 'taste' | 'notes';
  target: string;
  client: string;
  created_at: string;
  /** Its beginning; the whole text comes with the details. */
  content: string;
  /** Proposed in the session that shows this. */
  yours: boolean;
}

/** What `bearings://proposals/ID` holds. */
export interface Details {
  reason: string | null;
  state: 'fresh' | 'stale';
  diff: DiffLine[];
  /** The proposal on the person's own page, while one runs. */
  page: string | null;
}

export interface Listed {
  waiting: Waiting[];
  /** How many wait in all, other sessions included. */
  total: number;
}

// A host hands on what it was given: nothing of it is believed to have a shape.
export function listedIn(result: Record<string, unknown>): Listed | null {
  const value = isRecord(result.structuredContent) ? result.structuredContent : jsonOf(result.content);
  if (!isRecord(value) || !Array.isArray(value.proposals)) return null;
  const waiting = value.proposals.filter(isRecord).map((row) => ({
    proposal_id: text(row.proposal_id),
    kind: row.kind === 'taste' ? ('taste' as const) : ('notes' as const),
    target: text(row.target),
    client: text(row.client),
    created_at: text(row.created_at),
    content: text(row.content),
    yours: row.yours === true,
  }));
  return { waiting, total: Number(value.total) || waiting.length };
}

export function detailsIn(result: Record<string, unknown>): Details | null {
  const value = jsonOf(result.contents);
  if (!isRecord(value) || !Array.isArray(value.diff)) return null;
  return {
    reason: typeof value.reason === 'string' ? value.reason : null,
    state: value.state === 'stale' ? 'stale' : 'fresh',
    diff: value.diff.filter(isRecord).map(({ mark, number, text: line }) => ({
      mark: mark === '+' || mark === '-' ? mark : ' ',
      number: typeof number === 'number' ? number : null,
      text: text(line),
    })),
    page: isOwnPage(value.page) ? value.page : null,
  };
}

/** What a confirm tool answered, in a sentence. */
export function answerIn(result: Record<string, unknown>): string {
  const value = isRecord(result.structuredContent) ? result.structuredContent : jsonOf(result.content);
  if (!isRecord(value)) return 'Not decided.';
  if (isRecord(value.error)) return text(value.error.message) || 'Not decided.';
  if (value.status === 'accepted') return 'You accepted it.';
  if (value.status === 'declined') return 'You declined it.';
  return 'Not decided yet. To decide now: bearings review, in a terminal.';
}

// Where a link of ours may lead: a page of this machine, and nowhere else.
function isOwnPage(value: unknown): value is string {
  return typeof value === 'string' && /^http:\/\/127\.0\.0\.1:\d{1,5}\/p\/p_[0-9a-f]+$/.test(value);
}

function jsonOf(blocks: unknown): unknown {
  const [first] = Array.isArray(blocks) ? blocks : [];
  try {
    return isRecord(first) ? JSON.parse(text(first.text)) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
