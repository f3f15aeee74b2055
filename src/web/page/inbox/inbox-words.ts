import type { Acted, Item, Queue, QueueRow } from '../../wire.ts';

/** What an undo would propose. */
export interface Undo {
  file: string;
  id: string | undefined;
  text: string;
  earlier: string | null;
}

// Only what stood on this page in full, and this one.
export function batch(item: Item | null, skipped: ReadonlyMap<string, Item>): Item[] {
  const all = [...skipped.values(), ...(item && !skipped.has(item.key) ? [item] : [])];
  return all.filter(({ body }) => body.type === (item?.body.type === 'block' ? 'block' : 'proposal'));
}

export function undoOf({ body }: Item, { status }: Acted, edited: string | undefined): Undo | null {
  if (body.type !== 'proposal' || status !== 'accepted') return null;
  const file = body.kind === 'taste' ? `tastes/${body.file}` : body.file;
  return { file, id: body.image_id ?? undefined, text: edited ?? body.content, earlier: body.replaces };
}

export function outcome({ status, target, ledger }: Acted): string {
  return [status, target, ledger === null ? '' : `ledger ${ledger}`].filter(Boolean).join(' · ');
}

export function titleOf({ body }: Item): string {
  if (body.type === 'proposal' || body.type === 'aside') return body.content.trim().split('\n')[0] ?? '';
  if (body.type === 'approve') return body.question;
  return body.type === 'block' ? (body.text.split('\n')[0] ?? '') : body.type;
}

export function mapOf({ rows, from }: Queue): Map<number, QueueRow> {
  return new Map(rows.map((row, index) => [from + index, row]));
}

export function indexOf(rows: ReadonlyMap<number, QueueRow>, key: string): number {
  for (const [index, row] of rows) if (row.key === key) return index;
  return -1;
}
