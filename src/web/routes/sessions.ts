import type { Rooms } from '../../bearings.ts';
import type { Live } from '../live.ts';
import type { SessionPage, SessionRow } from '../wire.ts';

const MOST_ROWS = 200;
const MOST_RECORDS = 400;

export async function sessionRows(
  bearings: Rooms,
  live: Live,
  from: number,
): Promise<{ total: number; from: number; rows: SessionRow[] }> {
  const all = await live.remembered('sessions', async () => (await bearings.gate()).listSessions());
  return { total: all.length, from, rows: all.slice(from, from + MOST_ROWS) };
}

export async function sessionPage(
  bearings: Rooms,
  live: Live,
  { id, workspace, from }: { id: string; workspace: string | null; from: number },
): Promise<SessionPage> {
  const key = JSON.stringify(['session', id, workspace]);
  const {
    records,
    unreadable: _,
    ...session
  } = await live.remembered(key, async () => (await bearings.gate()).sessionRecords(id, workspace));
  return { session, total: records.length, from, records: records.slice(from, from + MOST_RECORDS) };
}
