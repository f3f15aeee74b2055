import { notFound } from '../../errors.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { RunReport, RunSpec, RunState, RunSummary, StepRecord } from '../engine.ts';
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
  project: string;
  state: Exclude<RunState, 'interrupted' | 'answered'>;
  attempt: number;
  cancel: boolean;
  started_at: Date;
  ended_at: Date | null;
  recorded: number | null;
  result: string | null;
}

export type QueuedRun = Pick<RunRow, 'id' | 'attempt'>;

/** What a line of a run is: a text by its hash, a step's answer, a step's record, an event, an input of a list. */
export type LineKind = 'text' | 'step' | 'seen' | 'event' | `input ${string}`;

interface Line {
  seq: string;
  value: unknown;
}

// Whoever is first counts: two workers at one run see the same answer. Only a step that failed or waited may end otherwise, and of
// the same event only the newest is told.
const AGAIN: Partial<Record<LineKind, string>> = {
  seen: "DO UPDATE SET value = EXCLUDED.value WHERE lines.value ->> 'status' <> 'COMPLETE'",
  event: 'DO UPDATE SET value = EXCLUDED.value, seq = EXCLUDED.seq',
};
const BATCH = 1_000;
const LIST_LIMIT = 200;
const SUMMARY = "id, file, name, spec ->> 'project' AS project, state, started_at, ended_at, recorded";

const WAITING = "attempt = attempt + 1, state = 'waiting', owner = NULL";
const UNDER_WAY = "attempt = $3 AND state IN ('waiting', 'running')";

// Our own tables: what a run is, what went into it and what came out. Of a worker it writes only while the others have not given it up.
export function runStore(pool: Queries, worker?: Pick<WorkerLock, 'id' | 'givenUp'>) {
  const all = async <T extends object>(statement: string, values: unknown[]): Promise<T[]> =>
    (await pool.query<T>(statement, values)).rows;
  const one = async <T extends object>(id: string, columns: string): Promise<T> => {
    const [row] = await all<T>(`SELECT ${columns} FROM bearings.runs WHERE id = $1`, [id]);
    if (!row) throw notFound(`There is no run ${shownName(id)}.`, 'See them: bearings runs list');
    return row;
  };
  // Others may have this worker's work: then nothing that it says counts. The lock keeps it so until a statement is done.
  const alive = worker ? 'SELECT FROM bearings.workers WHERE id = $1 FOR SHARE' : 'SELECT WHERE $1::text IS NULL';
  const write = async (statement: string, values: readonly unknown[]): Promise<QueuedRun | null> => {
    const [row] = await all<{ alive: boolean; written: QueuedRun[] | null }>(
      `WITH alive AS (${alive}), written AS (${statement})
       SELECT EXISTS (SELECT FROM alive) AS alive, (SELECT json_agg(written) FROM written) AS written`,
      [worker?.id ?? null, ...values],
    );
    if (worker && !row?.alive) throw worker.givenUp();
    return row?.written?.[0] ?? null;
  };
  // Nothing, and null, where it is not in the state for it.
  const change = (id: string, set: string, where: string, values: readonly unknown[] = []) =>
    write(`UPDATE bearings.runs SET ${set} FROM alive WHERE id = $2 AND ${where} RETURNING id, attempt`, [
      id,
      ...values,
    ]);
  const ownerOf = (attempt: number): string => `${worker?.id}:${attempt}`;

  const store = {
    add: (id: string, spec: RunSpec) =>
      write(
        `INSERT INTO bearings.runs (id, spec, file, name) SELECT $2, $3::json, $4, $5 FROM alive RETURNING id, attempt`,
        [id, JSON.stringify(spec), spec.file, spec.task.name],
      ),

    async addInputs(run: string, name: string, source: ListSource): Promise<number> {
      let count = 0;
      let batch: [key: string, item: ListItem][] = [];
      for await (const { key, value } of source.open()) {
        batch.push([String(count), { key, value: cleanData(value) }]);
        count += 1;
        if (batch.length < BATCH) continue;
        await store.keep(run, `input ${name}`, batch);
        batch = [];
      }
      await store.keep(run, `input ${name}`, batch);
      return count;
    },

    // Read in windows: a worker never holds the whole list.
    inputs(run: string, name: string, count: number): ListSource {
      return {
        count,
        async *open() {
          for (let after = '0', left = count; left > 0; left -= BATCH) {
            const lines = await store.lines(run, `input ${name}`, after, BATCH);
            for (const { value } of lines) yield value as ListItem;
            after = lines.at(-1)?.seq ?? after;
          }
        },
      };
    },

    async keep(run: string, kind: LineKind, lines: Iterable<readonly [key: string, value: unknown]>): Promise<void> {
      const given = [...lines];
      if (given.length === 0) return;
      await write(
        `INSERT INTO bearings.lines (run, kind, key, value)
         SELECT $2, $3, k, v::json FROM alive, unnest($4::text[], $5::text[]) WITH ORDINALITY AS given(k, v, n)
         ORDER BY n ON CONFLICT (run, kind, key) ${AGAIN[kind] ?? 'DO NOTHING'} RETURNING 1`,
        [run, kind, given.map(([key]) => key), given.map(([, value]) => JSON.stringify(value))],
      );
    },

    /** In the order in which they came. */
    lines: (run: string, kind: LineKind, after = '0', limit: number | null = null) =>
      all<Line>(
        'SELECT seq, value FROM bearings.lines WHERE run = $1 AND kind = $2 AND seq > $3 ORDER BY seq LIMIT $4',
        [run, kind, after, limit],
      ),

    async line(run: string, kind: LineKind, key: string): Promise<Pick<Line, 'value'> | null> {
      const stored = 'SELECT value FROM bearings.lines WHERE run = $1 AND kind = $2 AND key = $3';
      return (await all<Line>(stored, [run, kind, key]))[0] ?? null;
    },

    row: (id: string) => one<RunRow>(id, `${SUMMARY}, attempt, cancel, result, spec`),
    // Without the template: asked for several times a second.
    state: (id: string) => one<Pick<RunRow, 'state' | 'cancel'>>(id, 'state, cancel'),

    async list(): Promise<RunSummary[]> {
      const newest = `SELECT ${SUMMARY} FROM bearings.runs ORDER BY started_at DESC, id DESC LIMIT ${LIST_LIMIT}`;
      return (await all<RunRow>(newest, [])).map(summaryOf);
    },

    async text(run: string, hash: string): Promise<string | null> {
      return ((await store.line(run, 'text', hash))?.value as string | undefined) ?? null;
    },

    async seen(run: string): Promise<StepRecord[]> {
      return (await store.lines(run, 'seen')).map(({ value }) => value as StepRecord);
    },

    async read(id: string): Promise<RunReport> {
      const row = await store.row(id);
      const seen = await store.seen(id);
      const [counted] = await all<{ steps: number }>(
        `SELECT (SELECT count(*) FROM bearings.lines WHERE run = $1 AND kind = 'step')::int + (SELECT count(*)
           FROM dbos.workflow_status WHERE workflow_uuid LIKE $2 AND status = 'SUCCESS')::int AS steps`,
        [id, `${id}/%`],
      );
      const [steps, result] = [counted?.steps ?? 0, await store.result(row)];
      return { ...summaryOf(row), recorded: seen.length, spec: row.spec, steps, seen, result, damaged: 0 };
    },

    async result({ id, result }: Pick<RunRow, 'id' | 'result'>): Promise<TaskResult | null> {
      const text = result === null ? null : await store.text(id, result);
      return text === null ? null : (JSON.parse(text) as TaskResult);
    },

    async askToStop(id: string): Promise<void> {
      await all("UPDATE bearings.runs SET cancel = true WHERE id = $1 AND state IN ('waiting', 'running')", [id]);
      await all("UPDATE bearings.runs SET state = 'stopped', ended_at = now() WHERE id = $1 AND state = 'waiting'", [
        id,
      ]);
    },

    again: (id: string) =>
      change(
        id,
        `${WAITING}, cancel = false, result = NULL, ended_at = NULL`,
        "state IN ('failed', 'stopped', 'awaiting_person')",
      ),

    // One that should be under way and is in no queue. Null when somebody was quicker.
    putBack: ({ id, attempt }: QueuedRun) => change(id, WAITING, UNDER_WAY, [attempt]),

    // Whoever begins to drive a run owns it from then on; what an earlier driver still says no longer counts.
    own: (id: string, attempt: number) =>
      change(id, "owner = $4, state = 'running', taken_at = now()", UNDER_WAY, [attempt, ownerOf(attempt)]),

    end: ({ id, attempt }: QueuedRun, state: RunRow['state'], result: string) =>
      change(
        id,
        `state = $4, result = $5, ended_at = now(), owner = NULL,
         recorded = (SELECT count(*) FROM bearings.lines WHERE run = $2 AND kind = 'seen')`,
        "owner = $3 AND state = 'running'",
        [ownerOf(attempt), state, result],
      ),

    async liveWorkers(): Promise<number> {
      const holding = `SELECT FROM bearings.workers WHERE hashtextextended(id, 0) IN (${HELD_LOCKS})`;
      return (await all(holding, [])).length;
    },
  };
  return store;
}

export type RunStore = ReturnType<typeof runStore>;

function summaryOf({ id, state, file, name, project, started_at, ended_at, recorded }: RunRow): RunSummary {
  const [startedAt, endedAt] = [started_at.toISOString(), ended_at?.toISOString() ?? null];
  return { id, state, file, name, project, startedAt, endedAt, recorded };
}
