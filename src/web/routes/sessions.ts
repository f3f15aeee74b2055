import { z } from 'zod';
import { notFound } from '../../errors.ts';
import type { WorkspaceGap } from '../../gate/gap-list.ts';
import { cleanFile } from '../../safety/clean-text.ts';
import { type Ask, beginningOf, type Page } from '../answers.ts';

const MAX_ROWS = 200;
const WANTED = z.strictObject({ workspace: z.string(), key: z.string() });
const MARK = /\[redacted:/g;

export function sessionRoutes({ bearings }: Page) {
  const allGaps = async () => (await bearings.gate()).rankedGaps('all');
  return {
    async 'GET /api/sessions'() {
      const all = await (await bearings.gate()).listSessions();
      return { total: all.length, rows: all.slice(0, MAX_ROWS) };
    },

    async 'GET /api/session'({ text }: Ask) {
      return (await bearings.gate()).sessionRecords(text('id'), text('workspace') || null);
    },

    async 'GET /api/gaps'() {
      const all = await allGaps();
      return { total: all.length, rows: all.slice(0, MAX_ROWS).map(gapRow) };
    },

    async 'GET /api/gap'({ text }: Ask) {
      const gap = (await allGaps()).find(({ image_id, key }) => image_id === text('workspace') && key === text('key'));
      if (!gap)
        throw notFound('This gap is not recorded any more.', 'It may have been cleared: bearings sessions gaps');
      return {
        ...gapRow(gap),
        category: masked(gap.intent_category),
        /** The newest first. */
        records: gap.records
          .toReversed()
          .map(({ timestamp, session_id, snapshot_hash, satisfaction, description, intent, workaround, notes }) => ({
            ...{ timestamp, session_id, snapshot_hash, satisfaction },
            ...{ description: masked(description), intent: masked(intent ?? '') },
            ...{ workaround: masked(workaround ?? ''), notes: masked(notes) },
          })),
      };
    },

    // The person's own wish, made on their page: it waits in the inbox like any other proposal.
    async 'POST /api/gap'({ body }: Ask) {
      const { workspace, key } = await body(WANTED, 'Name a gap.');
      const proposed = await (await bearings.gate()).proposeGap(key, { id: workspace, client: 'page' });
      return { status: proposed.status, proposal_id: 'proposal_id' in proposed ? proposed.proposal_id : null };
    },

    async 'GET /api/served'({ text }: Ask) {
      const served = await (await bearings.gate()).servedText(text('sha256'));
      if (served === null)
        throw notFound('This text is no longer stored.', 'How much is: bearings config get keep_served (in megabytes)');
      const clean = masked(served);
      /** How many secrets were replaced by their class: this page shows none. */
      const count = (clean.match(MARK)?.length ?? 0) - (served.match(MARK)?.length ?? 0);
      return { ...beginningOf(clean), masked: count };
    },
  };
}

function gapRow({ image_id, key, count, sessions, last_at, missing_capability, description }: WorkspaceGap) {
  return { image_id, key, words: masked(missing_capability ?? description), count, sessions, last_at };
}

// What is certainly a secret is replaced by its class, as in a bundle. Files that were edited past the gate may hold one.
function masked(text: string): string {
  const { text: clean, refused } = cleanFile(text);
  return refused === undefined ? clean : `[redacted:${refused}]`;
}
