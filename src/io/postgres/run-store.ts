import type { Pool } from 'pg';
import { notFound } from '../../errors.ts';
import type { RunReport, RunSpec, RunState, RunSummary, StepTime } from '../../tasks/engine.ts';
import type { ListItem, ListSource } from '../../tasks/inputs.ts';
import type { TaskResult } from '../../tasks/results.ts';
import type { RunEvent, StepRecord } from '../../tasks/run-parts.ts';
import { sha256 } from '../sha256.ts';

export interface RunRow {
  id: string;
  spec: RunSpec;
  file: string;
  name: string;
  priority: number;
  state: 'queued' | 'running' | 'complete' | 'failed' | 'stopped';
  attempt: number;
  cancel: boolean;
  started_at: Date;
  ended_at: Date | null;
  result: string | null;
}

/** A record as it stands in the table: with when its step ended, and how long it took. */
export type TimedRecord = StepRecord & Partial<StepTime>;

const INPUT_BATCH = 1_000;
const EVENT_BATCH = 1_000;
const LIST_LIMIT = 200;
const COLUMNS = 'id, file, name, priority, state, attempt, cancel, started_at, ended_at, result';

// Our own tables: what a run is, what went into it and what came out. Large texts are named by their hash.
export function runStore(pool: Pool) {
  const store = {
    async add(id: string, spec: RunSpec, priority: number): Promise<void> {
      await pool.query('INSERT INTO bearings.runs (id, spec, file, name, priority) VALUES ($1, $2, $3, $4, $5)', [
        id,
        JSON.stringify(spec),
        spec.file,
        spec.task.name,
        priority,
      ]);
    },

    async addInputs(run: string, name: string, source: ListSource): Promise<number> {
      const reader = source.open();
      let count = 0;
      try {
        for (let batch: ListItem[] = []; ; batch = []) {
          while (batch.length < INPUT_BATCH) {
            const item = await reader.next();
            if (item === null) break;
            batch.push(item);
          }
          if (batch.length === 0) return count;
          await pool.query(
            `INSERT INTO bearings.inputs (run, name, idx, key, value)
             SELECT $1, $2, $3 + n - 1, k::json, v::json FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS t(k, v, n)`,
            [
              run,
              name,
              count,
              batch.map(({ key }) => JSON.stringify(key)),
              batch.map(({ value }) => JSON.stringify(value)),
            ],
          );
          count += batch.length;
        }
      } finally {
        reader.close();
      }
    },

    // Read in windows: a worker never holds the whole list.
    inputs(run: string, name: string, count: number): ListSource {
      return {
        count,
        open() {
          let window: ListItem[] = [];
          let next = 0;
          let at = 0;
          return {
            async next() {
              if (at === window.length) {
                const { rows } = await pool.query<{ key: string; value: unknown }>(
                  'SELECT key, value FROM bearings.inputs WHERE run = $1 AND name = $2 AND idx >= $3 ORDER BY idx LIMIT $4',
                  [run, name, next, INPUT_BATCH],
                );
                window = rows;
                next += rows.length;
                at = 0;
                if (rows.length === 0) return null;
              }
              at += 1;
              return window[at - 1] ?? null;
            },
            close() {},
          };
        },
      };
    },

    async row(id: string): Promise<RunRow> {
      const { rows } = await pool.query<RunRow>(`SELECT ${COLUMNS}, spec FROM bearings.runs WHERE id = $1`, [id]);
      if (!rows[0]) throw notFound(`There is no run ${id.slice(0, 60)}.`, 'See them: bearings runs list');
      return rows[0];
    },

    // Without the template: asked for several times a second.
    async state(id: string): Promise<Pick<RunRow, 'state' | 'cancel' | 'attempt'>> {
      const { rows } = await pool.query<RunRow>('SELECT state, cancel, attempt FROM bearings.runs WHERE id = $1', [id]);
      if (!rows[0]) throw notFound(`There is no run ${id.slice(0, 60)}.`, 'See them: bearings runs list');
      return rows[0];
    },

    async list(): Promise<RunSummary[]> {
      const { rows } = await pool.query<RunRow>(
        `SELECT ${COLUMNS} FROM bearings.runs ORDER BY started_at DESC, id DESC LIMIT ${LIST_LIMIT}`,
      );
      return rows.map(summaryOf);
    },

    async keepText(run: string, text: string): Promise<string> {
      const hash = sha256(text);
      await pool.query('INSERT INTO bearings.payloads (run, sha256, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        run,
        hash,
        JSON.stringify(text),
      ]);
      return hash;
    },

    async text(run: string, hash: string): Promise<string | null> {
      const { rows } = await pool.query<{ text: string }>(
        'SELECT text FROM bearings.payloads WHERE run = $1 AND sha256 = $2',
        [run, hash],
      );
      return rows[0]?.text ?? null;
    },

    async report(id: string): Promise<RunReport> {
      const row = await store.row(id);
      const { rows: seen } = await pool.query<{ record: TimedRecord }>(
        'SELECT record FROM bearings.seen WHERE run = $1 ORDER BY seq',
        [id],
      );
      const { rows: counted } = await pool.query<{ steps: number }>(
        `SELECT (SELECT count(*) FROM bearings.kept WHERE run = $1)::int + (SELECT count(*) FROM dbos.workflow_status
           WHERE workflow_uuid LIKE $2 AND status = 'SUCCESS')::int AS steps`,
        [id, `${id}/%`],
      );
      return {
        ...summaryOf(row),
        recorded: seen.length,
        spec: row.spec,
        steps: counted[0]?.steps ?? 0,
        seen: seen.map(({ record: { at, ms, ...record } }) => record),
        times: timesOf(seen.map(({ record }) => record)),
        result: await store.result(row),
        damaged: 0,
      };
    },

    async result({ id, result }: Pick<RunRow, 'id' | 'result'>): Promise<TaskResult | null> {
      const text = result === null ? null : await store.text(id, result);
      return text === null ? null : (JSON.parse(text) as TaskResult);
    },

    async events(run: string, after: string): Promise<{ last: string; events: RunEvent[] }> {
      const { rows } = await pool.query<{ seq: string; event: RunEvent }>(
        `SELECT seq, event FROM bearings.events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT ${EVENT_BATCH}`,
        [run, after],
      );
      return { last: rows.at(-1)?.seq ?? after, events: rows.map(({ event }) => event) };
    },

    async addEvents(run: string, events: readonly RunEvent[]): Promise<void> {
      if (events.length === 0) return;
      await pool.query(
        'INSERT INTO bearings.events (run, event) SELECT $1, e::json FROM unnest($2::text[]) WITH ORDINALITY AS t(e, n) ORDER BY n',
        [run, events.map((event) => JSON.stringify(event))],
      );
    },

    async addSeen(run: string, records: readonly TimedRecord[], texts: ReadonlyMap<string, string>): Promise<void> {
      if (texts.size > 0)
        await pool.query(
          `INSERT INTO bearings.payloads (run, sha256, text)
           SELECT $1, h, t::json FROM unnest($2::text[], $3::text[]) AS x(h, t) ON CONFLICT DO NOTHING`,
          [run, [...texts.keys()], [...texts.values()].map((text) => JSON.stringify(text))],
        );
      if (records.length > 0)
        await pool.query(
          `INSERT INTO bearings.seen (run, path, record)
           SELECT $1, p, r::json FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS x(p, r, n) ORDER BY n ON CONFLICT DO NOTHING`,
          [run, records.map(({ path }) => path), records.map((record) => JSON.stringify(record))],
        );
    },

    async keptStep(run: string, key: string, asked: string): Promise<{ value: unknown } | null> {
      const { rows } = await pool.query<{ value: unknown }>(
        'SELECT value FROM bearings.kept WHERE run = $1 AND key = $2 AND asked = $3',
        [run, key, asked],
      );
      return rows[0] ?? null;
    },

    // Whoever is first counts: two workers at one run see the same answer.
    async keepStep(run: string, key: string, asked: string, value: unknown): Promise<unknown> {
      const { rows } = await pool.query<{ value: unknown }>(
        `INSERT INTO bearings.kept (run, key, asked, value) VALUES ($1, $2, $3, $4)
         ON CONFLICT (run, key, asked) DO UPDATE SET key = EXCLUDED.key RETURNING value`,
        [run, key, asked, JSON.stringify(value)],
      );
      return rows[0]?.value ?? value;
    },

    async keepFailed(run: string, call: string): Promise<void> {
      await pool.query('INSERT INTO bearings.failed (run, call) VALUES ($1, $2) ON CONFLICT DO NOTHING', [run, call]);
    },

    async takeFailed(run: string): Promise<string[]> {
      const { rows } = await pool.query<{ call: string }>('DELETE FROM bearings.failed WHERE run = $1 RETURNING call', [
        run,
      ]);
      return rows.map(({ call }) => call);
    },

    // Whoever begins to drive a run owns it from then on; what an earlier driver still says no longer counts.
    async own(id: string, attempt: number, owner: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE bearings.runs SET owner = $3, state = 'running'
         WHERE id = $1 AND attempt = $2 AND state IN ('queued', 'running')`,
        [id, attempt, owner],
      );
      return rowCount === 1;
    },

    async end(id: string, owner: string, state: RunRow['state'], result: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE bearings.runs SET state = $3, result = $4, ended_at = now(), owner = NULL
         WHERE id = $1 AND owner = $2 AND state = 'running'`,
        [id, owner, state, result],
      );
      return rowCount === 1;
    },

    async askToStop(id: string): Promise<void> {
      await pool.query("UPDATE bearings.runs SET cancel = true WHERE id = $1 AND state IN ('queued', 'running')", [id]);
      await pool.query(
        "UPDATE bearings.runs SET state = 'stopped', ended_at = now() WHERE id = $1 AND state = 'queued'",
        [id],
      );
    },

    async again(id: string): Promise<number | null> {
      const { rows } = await pool.query<{ attempt: number }>(
        `UPDATE bearings.runs SET attempt = attempt + 1, state = 'queued', cancel = false, owner = NULL, result = NULL, ended_at = NULL
         WHERE id = $1 AND state IN ('failed', 'stopped') RETURNING attempt`,
        [id],
      );
      return rows[0]?.attempt ?? null;
    },

    async liveWorkers(): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM bearings.workers w JOIN pg_locks l ON l.locktype = 'advisory' AND l.granted
         AND ((l.classid::bigint << 32) | l.objid::bigint) = w.lock`,
      );
      return rows[0]?.count ?? 0;
    },
  };
  return store;
}

export type RunStore = ReturnType<typeof runStore>;

// What another version of a worker wrote has no times.
function timesOf(records: readonly TimedRecord[]): Record<string, StepTime> {
  const timed = records.flatMap(({ path, at, ms }): [string, StepTime][] =>
    at === undefined || ms === undefined ? [] : [[path, { at, ms }]],
  );
  return Object.fromEntries(timed);
}

function summaryOf(row: RunRow): RunSummary {
  const state: RunState = row.state === 'queued' ? 'waiting' : row.state;
  return {
    id: row.id,
    state,
    file: row.file,
    name: row.name,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    recorded: null,
  };
}
