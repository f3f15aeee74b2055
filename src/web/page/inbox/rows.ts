import type { Asked, Item, Queue, QueueRow } from '../api.ts';

// Only what was on this page in full, and this one.
export function batch(item: Item | null, skipped: ReadonlyMap<string, Item>): Item[] {
  const all = [...skipped.values(), ...(item && !skipped.has(item.key) ? [item] : [])];
  return all.filter(({ body }) => body.type === (item?.body.type === 'block' ? 'block' : 'proposal'));
}

/** What changed a text can be taken back: a proposal by its name, the person's own edit as the last decision. */
export function undoOf({ body, binding }: Item, status: string): Asked | null {
  if (body.type === 'block') return status === 'taken out' ? { what: 'undo' } : null;
  if (binding.type !== 'proposal' || status !== 'accepted') return null;
  return { what: 'undo', decision: binding.shown.proposal_id };
}

/** What comes next of a session, or of all that waits. */
export function keyOf({ rows }: Queue, session: string): string | null {
  return (rows.find((row) => row.session === session && row.type === 'proposal') ?? rows[0])?.key ?? null;
}

/** Who follows a link to one proposal wants to see that one. */
export function sessionOf(rows: readonly QueueRow[], key: string | null): string[] {
  const session = rows.find((row) => row.key === key)?.session;
  return session ? [session] : [];
}

export function titleOf({ body }: Item): string {
  if (body.type === 'proposal' && body.content === '') return `no longer holds: ${body.replaces ?? ''}`;
  if (body.type === 'approve') return body.question;
  const text = 'content' in body ? body.content : 'text' in body ? body.text : body.type;
  return text.trim().split('\n')[0] ?? '';
}

export function contentOf({ body }: Item): string {
  return 'content' in body ? body.content : '';
}

export function indexOf(rows: ReadonlyMap<number, QueueRow>, key: string): number {
  for (const [index, row] of rows) if (row.key === key) return index;
  return -1;
}
