import { z } from 'zod';
import { notFound } from '../../errors.ts';
import type { WorkspaceGap } from '../../gate/gap-list.ts';
import type { Ask, Page } from '../answers.ts';
import { masked } from './sessions.ts';

const MAX_ROWS = 200;
const MAX_RECORDS = 50;
const WANTED = z.strictObject({ workspace: z.string(), key: z.string() });

// Remembered for the day: what is recent weighs more, and that changes by itself.
function allGaps({ bearings, live, now }: Pick<Page, 'bearings' | 'live' | 'now'>): Promise<WorkspaceGap[]> {
  return live.remembered(`gaps ${now().toISOString().slice(0, 10)}`, async () => (await bearings.gate()).allGaps());
}

export function gapRoutes(page: Page) {
  return {
    async 'GET /api/gaps'() {
      const all = await allGaps(page);
      return { total: all.length, rows: all.slice(0, MAX_ROWS).map(gapRow) };
    },

    async 'GET /api/gap'({ text }: Ask) {
      const gap = (await allGaps(page)).find(
        ({ image_id, key }) => image_id === text('workspace') && key === text('key'),
      );
      if (!gap)
        throw notFound('This gap is not recorded any more.', 'It may have been cleared: bearings sessions gaps');
      const newest = gap.records.toReversed();
      return {
        ...gapRow(gap),
        category: masked(gap.intent_category),
        /** The newest first; only the last ones of many. */
        records: newest
          .slice(0, MAX_RECORDS)
          .map(({ timestamp, session_id, snapshot_hash, satisfaction, ...record }) => ({
            ...{ timestamp, session_id, snapshot_hash, satisfaction },
            description: masked(record.description),
            intent: masked(record.intent ?? ''),
            workaround: masked(record.workaround ?? ''),
            notes: masked(record.notes),
          })),
      };
    },

    // The person's own wish, made on their page: it waits in the inbox like any other proposal.
    async 'POST /api/gap'({ body }: Ask) {
      const { workspace, key } = await body(WANTED, 'Name a gap.');
      const proposed = await (await page.bearings.gate()).proposeGap(key, { id: workspace, client: 'page' });
      const { status } = proposed;
      return { status, proposal_id: status === 'pending' ? proposed.proposal_id : null };
    },
  };
}

function gapRow({ image_id, key, count, sessions, last_at, satisfaction, ...gap }: WorkspaceGap) {
  const words = masked(gap.missing_capability ?? gap.description);
  return { image_id, key, words, count, sessions, last_at, satisfaction };
}
