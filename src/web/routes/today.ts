import type { Page } from '../answers.ts';
import { allGaps, gapRow } from './gaps.ts';
import { dueKey, queue, waiting } from './queue.ts';

const MAX_CHECKED = 100;

export function todayRoutes(page: Page) {
  const { bearings, live, now } = page;
  // One that can't be read leaves the others as they are.
  const orNull = <T>(part: Promise<T>): Promise<T | null> => part.catch(() => null);
  return {
    /** Served to whom, what waits, what is stale, which gaps repeat. */
    async 'GET /api/today'() {
      return {
        faults: (await (await bearings.gate()).faults('all')).map(({ ledger, message }) => `${ledger}: ${message}`),
        /** For `verify --expect`. */
        code: await (await bearings.gate()).lastCode(),
        served: await orNull(servedSince(page, dayStart(now()))),
        waits: await orNull(waits(page)),
        stale: await orNull(live.remembered('stale', () => stale(page))),
        gaps: await orNull(repeatedGaps(page)),
      };
    },
  };
}

async function waits(page: Page) {
  const { waits: total, minutes } = await queue(page, { list: 'main', key: null });
  return { total, minutes };
}

/** Gaps that were recorded more than once; the worst of them. */
async function repeatedGaps(page: Page) {
  const repeated = (await allGaps(page)).filter(({ count }) => count > 1);
  const [worst] = repeated;
  return { repeated: repeated.length, worst: worst ? gapRow(worst) : null };
}

function dayStart(time: Date): string {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).toISOString();
}

/** Contexts by who got them, the one with most first. */
function servedSince({ bearings, live }: Page, start: string) {
  return live.remembered(`served since ${start}`, async () => {
    const clients = new Map<string, { client: string; count: number; image_id: string | null; session_id: string }>();
    let unread = 0;
    // The newest first: that is the one a client's name leads to.
    for (const { session_id, image_id, client, last_at } of await (await bearings.gate()).listSessions()) {
      if (last_at < start) break;
      const session = await (await bearings.gate()).sessionRecords(session_id, image_id).catch(() => null);
      if (session === null) {
        unread += 1;
        continue;
      }
      const count = session.records.filter(({ type, at }) => type === 'context_served' && String(at) >= start).length;
      const known = clients.get(client);
      if (known) known.count += count;
      else if (count > 0) clients.set(client, { client, count, image_id, session_id });
    }
    const all = [...clients.values()].sort((a, b) => b.count - a.count);
    return { total: all.reduce((sum, { count }) => sum + count, 0), clients: all, unread };
  });
}

/** Notes and tastes to review again, and proposals whose block is gone; with the key of the first in the inbox. */
async function stale(page: Page) {
  const { due, proposals } = await waiting(page);
  const gone: string[] = [];
  for (const { proposal_id } of proposals.filter(({ replaces }) => replaces !== null).slice(0, MAX_CHECKED)) {
    const shown = await (await page.bearings.gate()).showProposal(proposal_id).catch(() => null);
    if (shown?.state === 'stale') gone.push(`p/${proposal_id}`);
  }
  const [first] = due;
  return { blocks: due.length, proposals: gone.length, first: first ? dueKey(first) : (gone[0] ?? null) };
}
