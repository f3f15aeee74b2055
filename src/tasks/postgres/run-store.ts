import { notFound } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { RunEvent, RunReport, RunSpec, RunState, RunSummary, StepRecord } from '../engine.ts';
import type { ListItem, ListSource } from '../inputs.ts';
import type { TaskResult } from '../results.ts';
import { cleanData } from '../text.ts';
import type { Queries } from './connect.ts';
import { HELD_LOCKS, type WorkerLock } from './worker-lock.ts';

export interface RunRow {
  id: string;
  spec: RunSpec;
  file: string;
  name: string;
  state: 'queued' | 'running' | 'complete' | 'failed' | 'stopped' | 'awaiting_person';
  attempt: number;
  cancel: boolean;
  started_at: Date;
  ended_at: Date | null;
  recorded: number | null;
  result: string | null;
}

export type QueuedRun = Pick<RunRow, 'id' | 'attempt'>;

const INPUT_BATCH = 1_000;
const LIST_LIMIT = 200;
const COLUMNS = 'id, file, name, state, attempt, cancel, started_at, ended_at, recorded, result';

// Our own tables: what a run is, what went into it and what came out. Large texts are named by their hash.
export function runStore(pool: Queries) {
  const all = async <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
    (await pool.query<T>(statement, values)).rows;
  const first = async <T extends object>(statement: string, values: unknown[] = []): Promise<T | null> =>
    (await all<T>(statement, values))[0] ?? null;
  const one = async (id: string, columns: string): Promise<RunRow> => {
    const row = await first<RunRow>(`SELECT ${columns} FROM bearings.runs WHERE id = $1`, [id]);
    if (!row) throw notFound(`There is no run ${shownName(id)}.`, 'See them: bearings runs list');
    return row;
  };
  const store = {
    add: (id: string, spec: RunSpec) =>
      first<QueuedRun>(
        'INSERT INTO bearings.runs (id, spec, file, name) VALUES ($1, $2, $3, $4) RETURNING id, attempt',
        [id, JSON.stringify(spec), spec.file, spec.task.name],
      ),

    async addInputs(run: string, name: string, source: ListSource): Promise<number> {
      let count = 0;
      let batch: ListItem[] = [];
      const flush = async (): Promise<void> => {
        await pool.query(
          `INSERT INTO bearings.inputs (run, name, idx, key, value)
           SELECT $1, $2, $3 + n - 1, k::json, v::json FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS t(k, v, n)`,
          [
            run,
            name,
            count,
            batch.map(({ key }) => JSON.stringify(key)),
            batch.map(({ value }) => JSON.stringify(cleanData(value))),
          ],
        );
        count += batch.length;
        batch = [];
      };
      for await (const item of source.open()) if (batch.push(item) === INPUT_BATCH) await flush();
      if (batch.length > 0) await flush();
      return count;
    },

    /** Of a run that did not come to be. */
    async dropInputs(run: string): Promise<void> {
      await pool.query(
        'DELETE FROM bearings.inputs WHERE run = $1 AND NOT EXISTS (SELECT FROM bearings.runs WHERE id = $1)',
        [run],
      );
    },

    // Read in windows: a worker never holds the whole list.
    inputs(run: string, name: string, count: number): ListSource {
      return {
        count,
        async *open() {
          for (let at = 0; at < count; at += INPUT_BATCH) {
            yield* await all<ListItem>(
              'SELECT key, value FROM bearings.inputs WHERE run = $1 AND name = $2 AND idx >= $3 ORDER BY idx LIMIT $4',
              [run, name, at, INPUT_BATCH],
            );
          }
        },
      };
    },

    row: (id: string): Promise<RunRow> => one(id, `${COLUMNS}, spec`),
    // Without the template: asked for several times a second.
    state: (id: string): Promise<Pick<RunRow, 'state' | 'cancel' | 'attempt'>> => one(id, 'state, cancel, attempt'),

    async list(): Promise<RunSummary[]> {
      const newest = `SELECT ${COLUMNS} FROM bearings.runs ORDER BY started_at DESC, id DESC LIMIT ${LIST_LIMIT}`;
      return (await all<RunRow>(newest)).map(summaryOf);
    },

    async text(run: string, hash: string): Promise<string | null> {
      const stored = 'SELECT text FROM bearings.payloads WHERE run = $1 AND sha256 = $2';
      return (await first<{ text: string }>(stored, [run, hash]))?.text ?? null;
    },

    async seen(id: string): Promise<StepRecord[]> {
      const stored = 'SELECT record FROM bearings.seen WHERE run = $1 ORDER BY seq';
      return (await all<{ record: StepRecord }>(stored, [id])).map(({ record }) => record);
    },

    async report(id: string): Promise<RunReport> {
      const row = await store.row(id);
      const seen = await store.seen(id);
      const counted = await first<{ steps: number }>(
        `SELECT (SELECT count(*) FROM bearings.kept WHERE run = $1)::int + (SELECT count(*) FROM dbos.workflow_status
           WHERE workflow_uuid LIKE $2 AND status = 'SUCCESS')::int AS steps`,
        [id, `${id}/%`],
      );
      return {
        ...summaryOf(row),
        recorded: seen.length,
        spec: row.spec,
        steps: counted?.steps ?? 0,
        seen,
        result: await store.result(row),
        damaged: 0,
      };
    },

    async result({ id, result }: Pick<RunRow, 'id' | 'result'>): Promise<TaskResult | null> {
      const text = result === null ? null : await store.text(id, result);
      return text === null ? null : (JSON.parse(text) as TaskResult);
    },

    async events(run: string, after: string): Promise<{ last: string; events: RunEvent[] }> {
      const rows = await all<{ seq: string; event: RunEvent }>(
        'SELECT seq, event FROM bearings.events WHERE run = $1 AND seq > $2 ORDER BY seq',
        [run, after],
      );
      return { last: rows.at(-1)?.seq ?? after, events: rows.map(({ event }) => event) };
    },

    storedStep: (run: string, key: string, asked: string) =>
      first<{ value: unknown }>('SELECT value FROM bearings.kept WHERE run = $1 AND key = $2 AND asked = $3', [
        run,
        key,
        asked,
      ]),

    // The person's word, as the answer of a step: the run finds it when it comes there again.
    async keepAnswer(run: string, step: { key: string; asked: string; value: unknown }): Promise<void> {
      await pool.query(
        'INSERT INTO bearings.kept (run, key, asked, value) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [run, step.key, step.asked, JSON.stringify(step.value)],
      );
    },

    async askToStop(id: string): Promise<void> {
      await pool.query("UPDATE bearings.runs SET cancel = true WHERE id = $1 AND state IN ('queued', 'running')", [id]);
      await pool.query(
        "UPDATE bearings.runs SET state = 'stopped', ended_at = now() WHERE id = $1 AND state = 'queued'",
        [id],
      );
    },

    again: (id: string) =>
      first<QueuedRun>(
        `UPDATE bearings.runs SET attempt = attempt + 1, state = 'queued', cancel = false, owner = NULL, result = NULL, ended_at = NULL
         WHERE id = $1 AND state IN ('failed', 'stopped', 'awaiting_person') RETURNING id, attempt`,
        [id],
      ),

    // One that should be under way and is in no queue. Null when somebody was quicker.
    putBack: ({ id, attempt }: Pick<RunRow, 'id' | 'attempt'>) =>
      first<QueuedRun>(
        `UPDATE bearings.runs SET attempt = attempt + 1, state = 'queued', owner = NULL
         WHERE id = $1 AND attempt = $2 AND state IN ('queued', 'running') RETURNING id, attempt`,
        [id, attempt],
      ),

    async liveWorkers(): Promise<number> {
      const alive = `SELECT count(*)::int AS count FROM bearings.workers WHERE hashtextextended(id, 0) IN (${HELD_LOCKS})`;
      return (await first<{ count: number }>(alive))?.count ?? 0;
    },
  };
  return store;
}

export type RunStore = ReturnType<typeof runStore>;

function summaryOf(row: RunRow): RunSummary {
  const state: RunState = row.state === 'queued' ? 'waiting' : row.state;
  return {
    id: row.id,
    state,
    file: row.file,
    name: row.name,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    recorded: row.recorded,
  };
}

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
