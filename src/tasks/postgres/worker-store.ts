import { sha256 } from '../../files/file-fingerprint.ts';
import type { RunEvent, StepRecord } from '../engine.ts';
import type { Queries } from './connect.ts';
import type { RunRow } from './run-store.ts';
import type { WorkerLock } from './worker-lock.ts';

// All that one worker writes of runs.
export function workerStore(pool: Queries, self: Pick<WorkerLock, 'id' | 'givenUp'>) {
  // Others have this worker's work: from then on nothing that it says counts. The lock keeps it so until a statement is done.
  const whileAlive = async <T>(said: string, values: readonly unknown[]): Promise<T[]> => {
    const { rows } = await pool.query<{ alive: boolean; said: T[] | null }>(
      `WITH alive AS (SELECT FROM bearings.workers WHERE id = $1 FOR SHARE), ${said}
       SELECT EXISTS (SELECT FROM alive) AS alive, (SELECT json_agg(said) FROM said) AS said`,
      [self.id, ...values],
    );
    if (!rows[0]?.alive) throw self.givenUp();
    return rows[0].said ?? [];
  };
  const store = {
    async keepText(run: string, text: string): Promise<string> {
      const hash = sha256(text);
      await store.keepTexts(run, new Map([[hash, text]]));
      return hash;
    },

    async keepTexts(run: string, texts: ReadonlyMap<string, string>): Promise<void> {
      if (texts.size === 0) return;
      await whileAlive(
        `said AS (INSERT INTO bearings.payloads (run, sha256, text)
         SELECT $2, h, t::json FROM alive, unnest($3::text[], $4::text[]) AS x(h, t) ON CONFLICT DO NOTHING RETURNING 1)`,
        [run, [...texts.keys()], [...texts.values()].map((text) => JSON.stringify(text))],
      );
    },

    async addEvents(run: string, events: readonly RunEvent[]): Promise<void> {
      if (events.length === 0) return;
      await whileAlive(
        `said AS (INSERT INTO bearings.events (run, event)
         SELECT $2, e::json FROM alive, unnest($3::text[]) WITH ORDINALITY AS t(e, n) ORDER BY n RETURNING 1)`,
        [run, events.map((event) => JSON.stringify(event))],
      );
    },

    async addSeen(run: string, records: readonly StepRecord[]): Promise<void> {
      if (records.length === 0) return;
      await whileAlive(
        `said AS (INSERT INTO bearings.seen (run, path, record)
         SELECT $2, p, r::json FROM alive, unnest($3::text[], $4::text[]) WITH ORDINALITY AS x(p, r, n)
         ORDER BY n ON CONFLICT (run, path) DO UPDATE SET record = EXCLUDED.record
         WHERE seen.record ->> 'status' <> 'COMPLETE' RETURNING 1)`,
        [run, records.map(({ path }) => path), records.map((record) => JSON.stringify(record))],
      );
    },

    // Whoever is first counts: two workers at one run see the same answer.
    async keepStep(run: string, step: { key: string; asked: string; value: unknown }): Promise<unknown> {
      const [kept] = await whileAlive<{ value: unknown }>(
        `said AS (INSERT INTO bearings.kept (run, key, asked, value) SELECT $2, $3, $4, $5::json FROM alive
         ON CONFLICT (run, key, asked) DO UPDATE SET key = EXCLUDED.key RETURNING value)`,
        [run, step.key, step.asked, JSON.stringify(step.value)],
      );
      return kept?.value;
    },

    // Whoever begins to drive a run owns it from then on; what an earlier driver still says no longer counts.
    async own(run: string, attempt: number): Promise<boolean> {
      const owned = await whileAlive(
        `said AS (UPDATE bearings.runs SET owner = $4, state = 'running', taken_at = now() FROM alive
         WHERE id = $2 AND attempt = $3 AND state IN ('queued', 'running') RETURNING 1)`,
        [run, attempt, ownerOf(attempt)],
      );
      return owned.length === 1;
    },

    async end(run: Pick<RunRow, 'id' | 'attempt'>, state: RunRow['state'], result: string): Promise<void> {
      await whileAlive(
        `said AS (UPDATE bearings.runs SET state = $4, result = $5, ended_at = now(), owner = NULL,
           recorded = (SELECT count(*) FROM bearings.seen WHERE run = $2) FROM alive
         WHERE id = $2 AND owner = $3 AND state = 'running' RETURNING 1)`,
        [run.id, ownerOf(run.attempt), state, result],
      );
    },
  };
  const ownerOf = (attempt: number): string => `${self.id}:${attempt}`;
  return store;
}

export type WorkerStore = ReturnType<typeof workerStore>;
