import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { WorkspaceGap } from '../../gate/gap-list.ts';
import type { Live } from '../live.ts';
import { masked } from '../masked.ts';
import type { GapPage, GapProposed, GapRow, GapRows } from '../seen-wire.ts';

const MOST_ROWS = 200;
const MOST_RECORDS = 50;
const MOST_TIMES = 5_000;

// Remembered for the day: what is recent weighs more, and that changes by itself.
export function allGaps(bearings: Rooms, live: Live, now: Date): Promise<WorkspaceGap[]> {
  return live.remembered(`gaps ${now.toISOString().slice(0, 10)}`, async () => (await bearings.gate()).allGaps());
}

export async function gapRows(gaps: readonly WorkspaceGap[], from: number): Promise<GapRows> {
  return { total: gaps.length, from, rows: gaps.slice(from, from + MOST_ROWS).map(gapRow) };
}

export function gapPage(gaps: readonly WorkspaceGap[], wanted: { workspace: string; key: string }): GapPage {
  const gap = gaps.find(({ image_id, key }) => image_id === wanted.workspace && key === wanted.key);
  if (!gap) throw notFound('This gap is not recorded any more.', 'It may have been cleared: bearings sessions gaps');
  const newest = gap.records.toReversed();
  return {
    ...gapRow(gap),
    category: masked(gap.intent_category),
    first_at: gap.first_at,
    times: newest.slice(0, MOST_TIMES).map(({ timestamp }) => timestamp),
    records: newest.slice(0, MOST_RECORDS).map((record) => ({
      at: record.timestamp,
      session_id: record.session_id,
      description: masked(record.description),
      intent: record.intent === null ? null : masked(record.intent),
      workaround: record.workaround ? masked(record.workaround) : null,
      notes: masked(record.notes),
      commit: record.snapshot_hash,
      satisfaction: record.satisfaction,
    })),
  };
}

const WANTED = z.strictObject({ workspace: z.string(), key: z.string() });

// The person's own wish, made on her page: it waits in the inbox like any other proposal.
export async function proposeGap(bearings: Rooms, body: unknown): Promise<GapProposed> {
  const parsed = WANTED.safeParse(body);
  if (!parsed.success) throw invalidInput('Name a gap.', 'Reload the page.');
  const { workspace, key } = parsed.data;
  const proposed = await (await bearings.gate()).proposeGap(key, { id: workspace, client: 'page' });
  return {
    status: proposed.status,
    proposal_id: proposed.status === 'pending' ? proposed.proposal_id : null,
  };
}

export function gapRow(gap: WorkspaceGap): GapRow {
  const { image_id, key, count, sessions, last_at, satisfaction } = gap;
  return {
    image_id,
    key,
    words: masked(gap.missing_capability ?? gap.description),
    count,
    sessions,
    last_at,
    satisfaction,
  };
}
