import type { Rooms } from '../../bearings.ts';
import type { Live } from '../live.ts';
import type { RunSource } from '../run-source.ts';
import type { ServedToday, StaleToday, TodayPage } from '../seen-wire.ts';
import { allGaps, gapRow } from './gaps.ts';
import { dueKey, queue, waiting } from './queue.ts';

const MOST_LOOKED_AT = 100;

interface Day {
  bearings: Rooms;
  live: Live;
  runs: RunSource;
  now(): Date;
}

// Served to whom, what waits, what is stale, which gaps repeat. One that can't be read leaves the others as they are.
export async function today({ bearings, live, runs, now }: Day): Promise<TodayPage> {
  const time = now();
  const orNull = <T>(part: Promise<T>): Promise<T | null> => part.catch(() => null);
  const gate = await bearings.gate();
  return {
    faults: (await gate.faults('all')).map(({ ledger, message }) => `${ledger}: ${message}`),
    code: await gate.lastCode(),
    served: await orNull(servedSince(bearings, live, dayStart(time))),
    waits: await orNull(waits({ bearings, live, runs })),
    stale: await orNull(live.remembered('stale', () => stale(bearings, live))),
    gaps: await orNull(repeatedGaps(bearings, live, time)),
  };
}

async function waits(asked: Omit<Day, 'now'>): Promise<TodayPage['waits']> {
  const { total, counts, minutes } = await queue(asked, { from: 0, count: 1, key: null });
  return { total: total - counts.aside, minutes };
}

async function repeatedGaps(bearings: Rooms, live: Live, time: Date): Promise<TodayPage['gaps']> {
  const repeated = (await allGaps(bearings, live, time)).filter(({ count }) => count > 1);
  const [worst] = repeated;
  return { repeated: repeated.length, worst: worst ? gapRow(worst) : null };
}

function dayStart(time: Date): string {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).toISOString();
}

function servedSince(bearings: Rooms, live: Live, start: string): Promise<ServedToday> {
  return live.remembered(`served since ${start}`, async () => {
    const clients = new Map<string, ServedToday['clients'][number]>();
    let unread = 0;
    // The newest first: that is the one a client's name leads to.
    const gate = await bearings.gate();
    for (const { session_id, image_id, client, last_at } of await gate.listSessions()) {
      if (last_at < start) break;
      const session = await gate.sessionRecords(session_id, image_id).catch(() => null);
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

async function stale(bearings: Rooms, live: Live): Promise<StaleToday> {
  const { due, proposals } = await waiting(bearings, live);
  const gone: string[] = [];
  for (const { proposal_id } of proposals.filter(({ replaces }) => replaces !== null).slice(0, MOST_LOOKED_AT)) {
    const shown = await (await bearings.gate()).showProposal(proposal_id).catch(() => null);
    if (shown?.state === 'stale') gone.push(`p/${proposal_id}`);
  }
  const [first] = due;
  return { blocks: due.length, proposals: gone.length, first: first ? dueKey(first) : (gone[0] ?? null) };
}
