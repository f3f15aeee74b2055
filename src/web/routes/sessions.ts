import type { Bearings } from '../../bearings.ts';
import { isRecord, type JsonRecord } from '../../json-record.ts';
import type { Live } from '../live.ts';
import type { SessionPage, SessionRow } from '../wire.ts';

const MOST_ROWS = 200;
const MOST_RECORDS = 400;
const STANDING = 'standing';

export async function sessionRows(
  bearings: Bearings,
  live: Live,
  from: number,
): Promise<{ total: number; from: number; rows: SessionRow[] }> {
  const all = await live.remembered('sessions', () => bearings.listSessions());
  return { total: all.length, from, rows: all.slice(from, from + MOST_ROWS) };
}

export async function sessionPage(
  bearings: Bearings,
  live: Live,
  { id, workspace, from }: { id: string; workspace: string | null; from: number },
): Promise<SessionPage> {
  const key = JSON.stringify(['session', id, workspace]);
  const {
    records,
    unreadable: _,
    ...session
  } = await live.remembered(key, async () => {
    const read = await bearings.readSession(id, workspace ?? undefined);
    const later = id === STANDING ? [] : await decidedLater(bearings, read.image_id, proposalsIn(read.records));
    // A decision may be made outside of the session: the story is not whole without it.
    return later.length === 0 ? read : { ...read, records: inTime([...read.records, ...later]) };
  });
  return { session, total: records.length, from, records: records.slice(from, from + MOST_RECORDS) };
}

function proposalsIn(records: readonly JsonRecord[]): Set<unknown> {
  return new Set(
    records.flatMap(({ type, proposal }) => (type === 'proposal' && isRecord(proposal) ? [proposal.proposal_id] : [])),
  );
}

async function decidedLater(bearings: Bearings, workspace: string | null, ids: Set<unknown>): Promise<JsonRecord[]> {
  if (ids.size === 0 || workspace === null) return [];
  const standing = await bearings.readSession(STANDING, workspace).catch(() => null);
  return (standing?.records ?? []).filter(({ type, proposal_id }) => type === 'decision' && ids.has(proposal_id));
}

function inTime(records: JsonRecord[]): JsonRecord[] {
  const at = (record: JsonRecord) => String(record.at);
  return records.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
}
