import type { Acted, ActedAll, Asked, Item, Queue, QueueRow } from '../../wire.ts';

// Only what was on this page in full, and this one.
export function batch(item: Item | null, skipped: ReadonlyMap<string, Item>): Item[] {
  const all = [...skipped.values(), ...(item && !skipped.has(item.key) ? [item] : [])];
  return all.filter(({ body }) => body.type === (item?.body.type === 'block' ? 'block' : 'proposal'));
}

/** What changed a text can be taken back: a proposal by its name, the person's own edit as the last decision. */
export function undoOf({ body, binding }: Item, { status }: Acted): Asked | null {
  if (body.type === 'block') return status === 'taken out' ? { what: 'undo' } : null;
  if (binding.type !== 'proposal' || status !== 'accepted') return null;
  return { what: 'undo', decision: binding.shown.proposal_id };
}

export function outcome({ status, target, ledger }: Acted): string {
  return [status, target, ledger === null ? '' : `ledger ${ledger}`].filter(Boolean).join(' · ');
}

/** How several ended, with what was not decided. */
export function severalSaid({ acted, problem }: ActedAll, asked: number): string {
  if (problem === null) return `${acted.length} decided, each as it was shown`;
  return `${problem} Decided before that: ${acted.length} of ${asked}; the other ${asked - acted.length} were not.`;
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

/** Which of all it is; of a list from which to which. */
export function placeIn(total: number, at: number, group: QueueRow['group']): string {
  const all = total.toLocaleString('en');
  if (at === -1) return all;
  if (group === null) return `${(at + 1).toLocaleString('en')} of ${all}`;
  const first = at + 2 - group.index;
  return `${first.toLocaleString('en')} to ${(first + group.total - 1).toLocaleString('en')} of ${all}`;
}

export function titleOf({ body }: Item): string {
  if (body.type === 'proposal' || body.type === 'aside')
    return (
      (body.content || `no longer holds: ${body.type === 'proposal' ? body.replaces : ''}`).trim().split('\n')[0] ?? ''
    );
  if (body.type === 'due') return body.content.split('\n')[0] ?? '';
  if (body.type === 'approve') return body.question;
  return body.type === 'block' ? (body.text.split('\n')[0] ?? '') : body.type;
}

/** Whether the person may put other words in its place. */
export function isEditable(item: Item | null): item is Item {
  return item !== null && ['proposal', 'approve', 'due'].includes(item.body.type);
}

export function contentOf({ body }: Item): string {
  return 'content' in body ? body.content : '';
}

export function mapOf({ rows, from }: Queue): Map<number, QueueRow> {
  return new Map(rows.map((row, index) => [from + index, row]));
}

export function indexOf(rows: ReadonlyMap<number, QueueRow>, key: string): number {
  for (const [index, row] of rows) if (row.key === key) return index;
  return -1;
}
