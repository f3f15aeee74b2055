import type { DiffLine } from '../../../gate/proposals/proposal-diff.ts';
import { isRecord } from '../../../json-record.ts';

export type Listed = NonNullable<ReturnType<typeof listedIn>>;
export type Waiting = Listed['waiting'][number];
export type Details = NonNullable<ReturnType<typeof detailsIn>>;

// A host hands on what it was given: nothing of it is believed to have a shape.
export function listedIn(result: Record<string, unknown>) {
  const value = answerOf(result);
  if (!isRecord(value) || !Array.isArray(value.proposals)) return null;
  const waiting = value.proposals.filter(isRecord).map((row) => ({
    proposal_id: text(row.proposal_id),
    kind: row.kind === 'taste' ? ('taste' as const) : ('notes' as const),
    target: text(row.target),
    client: text(row.client),
    created_at: text(row.created_at),
    /** Its beginning; the whole text comes with the details. */
    content: text(row.content),
    /** Proposed in the session that shows this. */
    yours: row.yours === true,
  }));
  /** How many wait in all, other sessions included. */
  const total = Number(value.total) || waiting.length;
  return { waiting, total };
}

/** What `bearings://proposals/ID` holds. */
export function detailsIn(result: Record<string, unknown>) {
  const value = jsonOf(result.contents);
  if (!isRecord(value) || !Array.isArray(value.diff)) return null;
  return {
    reason: typeof value.reason === 'string' ? value.reason : null,
    isStale: value.state === 'stale',
    diff: value.diff.filter(isRecord).map(
      ({ mark, number, text: line }): DiffLine => ({
        mark: mark === '+' || mark === '-' ? mark : ' ',
        number: typeof number === 'number' ? number : null,
        text: text(line),
      }),
    ),
    /** The proposal on the person's own page, while one runs: a page of this machine, and nowhere else. */
    page: /^http:\/\/127\.0\.0\.1:\d{1,5}\/p\/p_[0-9a-f]+$/.test(text(value.page)) ? text(value.page) : null,
  };
}

/** What a confirm tool answered, in a sentence. */
export function answerIn(result: Record<string, unknown>): string {
  const value = answerOf(result);
  if (!isRecord(value)) return 'Not decided.';
  if (isRecord(value.error)) return text(value.error.message) || 'Not decided.';
  if (value.status === 'accepted') return 'You accepted it.';
  if (value.status === 'declined') return 'You declined it.';
  return 'Not decided yet. To decide now: bearings review, in a terminal.';
}

function answerOf({ structuredContent, content }: Record<string, unknown>): unknown {
  return isRecord(structuredContent) ? structuredContent : jsonOf(content);
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
