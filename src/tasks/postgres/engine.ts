import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { keysMark } from '../answer-run.ts';
import type { GivenInput, RunEvent, RunSpec, RunState, StepRecord } from '../engine.ts';
import { type InputValue, isList, listOf } from '../inputs.ts';
import { stamp } from '../io/local-engine.ts';
import { failedResult, failure, type TaskResult } from '../results.ts';
import type { ApproveAnswer, StepCall } from '../steps.ts';
import { enqueueRun } from './calls.ts';
import {
  engineAddress,
  inTransaction,
  isAway,
  loadDbos,
  openPool,
  patient,
  type Queries,
  unreachable,
} from './connect.ts';
import { runStore } from './run-store.ts';
import { openClient } from './worker.ts';

interface FollowOptions {
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  onRecord?: (record: StepRecord) => void;
  /** Told once when nobody is there to do it. */
  onNoWorker?: () => void;
}

/** Runs in a database that workers share: this side submits them, watches them and stops them. */
export type SharedEngine = ReturnType<typeof sharedEngine>;

const LOOK_MS = 100;
const CANCEL_WAIT_MS = 10_000;
// Of whoever waits for a run while the database restarts.
const PATIENCE_MS = 60_000;
const NOBODY_AFTER_LOOKS = 20;

export async function openSharedEngine(given: string, now: () => Date) {
  const url = engineAddress(given);
  const dbos = await loadDbos();
  let pool: Pool | null = null;
  try {
    pool = await openPool(url, 4);
    await makeTables(pool, () => withoutWords(() => dbos.DBOS.migrate(url)));
    const client = await openClient(dbos, url, pool);
    return sharedEngine(pool, client, now);
  } catch (error) {
    await pool?.end();
    throw unreachable(error);
  }
}

// The library tells of its migration on standard output, where a caller of ours expects JSON, and takes no logger for it.
async function withoutWords(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await work();
  } finally {
    console.log = log;
  }
}

function sharedEngine(pool: Pool, client: Awaited<ReturnType<typeof openClient>>, now: () => Date) {
  const store = runStore(pool);
  const enqueue = (change: Parameters<typeof enqueueRun>[1]): Promise<void> => enqueueRun({ client, pool }, change);
  const steady = runStore(patient(pool, PATIENCE_MS));
  const isSubmitted = (id: string): Promise<boolean> =>
    steady.state(id).then(
      () => true,
      () => false,
    );
  const isOver = (state: string): boolean =>
    state === 'complete' || state === 'failed' || state === 'stopped' || state === 'awaiting_person';

  const again = (id: string): Promise<void> => enqueue((own) => own.again(id));

  return {
    async submit(spec: RunSpec, inputs: Readonly<Record<string, InputValue>>): Promise<string> {
      const id = `${stamp(now())}-${randomBytes(3).toString('hex')}${spec.answeredBy ? `-${keysMark(spec.answeredBy)}` : ''}`;
      const given: Record<string, GivenInput> = {};
      try {
        for (const [name, value] of Object.entries(inputs))
          given[name] = isList(value) ? { stored: await store.addInputs(id, name, listOf(value, name)) } : { value };
        // Where the project lies is each worker's own business.
        await enqueue((own) => own.add(id, { ...spec, inputs: given, project: '' })).catch(async (error) => {
          // The answer may be all that was lost.
          if (!isAway(error) || !(await isSubmitted(id))) throw error;
        });
      } catch (error) {
        await store.dropInputs(id).catch(() => {});
        throw error;
      }
      return id;
    },

    /** Until it ends. An abort asks the run to stop, and still waits for its end. */
    async follow(id: string, { signal, onEvent, onRecord, onNoWorker }: FollowOptions): Promise<TaskResult> {
      let last = '0';
      let looks = 0;
      const onAbort = (): void => void store.askToStop(id).catch(() => {});
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        for (;;) {
          const { state } = await steady.state(id);
          const news = await steady.events(id, last);
          last = news.last;
          for (const event of news.events) onEvent?.(event);
          if (isOver(state)) break;
          looks += 1;
          if (looks === NOBODY_AFTER_LOOKS && (await steady.liveWorkers()) === 0) onNoWorker?.();
          await pause(LOOK_MS);
        }
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
      if (onRecord) for (const record of await steady.seen(id)) onRecord(record);
      return (await steady.result(await steady.row(id))) ?? STOPPED_BEFORE_IT_BEGAN;
    },

    /** Puts a run that failed or was stopped back into the queue. */
    again,

    list: store.list,
    read: store.report,
    spec: async (id: string) => (await store.row(id)).spec,
    text: store.text,

    async cancel(id: string): Promise<RunState> {
      await store.row(id);
      await store.askToStop(id);
      for (let waited = 0; ; waited += LOOK_MS) {
        const { state } = await store.state(id);
        if (isOver(state) || waited > CANCEL_WAIT_MS) return state === 'queued' ? 'waiting' : state;
        await pause(LOOK_MS);
      }
    },

    /** Keeps the person's word and puts the run back into the queue. */
    async answer(id: string, key: string, call: StepCall, answer: ApproveAnswer): Promise<void> {
      await store.keepAnswer(id, { key, asked: sha256(JSON.stringify(call)), value: answer });
      await again(id);
    },

    async close(): Promise<void> {
      await client.destroy();
      await pool.end();
    },
  };
}

const STOPPED_BEFORE_IT_BEGAN = failedResult(failure('execution_halted', 'The run was stopped before it began.').error);

// Texts are stored as JSON, since Postgres keeps no NUL in a text and sorts the keys of jsonb.
const VERSION = 1;
const TABLES = `
CREATE SCHEMA bearings;
CREATE TABLE bearings.meta (version int NOT NULL);
INSERT INTO bearings.meta VALUES (${VERSION});
CREATE TABLE bearings.runs (
  id text PRIMARY KEY, spec json NOT NULL, file text NOT NULL, name text NOT NULL,
  state text NOT NULL DEFAULT 'queued', attempt int NOT NULL DEFAULT 1, owner text, cancel boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT now(), taken_at timestamptz, ended_at timestamptz, recorded int, result text);
CREATE INDEX runs_newest ON bearings.runs (started_at DESC);
CREATE INDEX runs_under_way ON bearings.runs (id) WHERE state IN ('queued', 'running');
CREATE TABLE bearings.inputs (
  run text NOT NULL, name text NOT NULL, idx int NOT NULL, key json NOT NULL, value json NOT NULL, PRIMARY KEY (run, name, idx));
CREATE TABLE bearings.payloads (run text NOT NULL, sha256 text NOT NULL, text json NOT NULL, PRIMARY KEY (run, sha256));
CREATE TABLE bearings.kept (
  run text NOT NULL, key text NOT NULL, asked text NOT NULL, value json NOT NULL, PRIMARY KEY (run, key, asked));
CREATE TABLE bearings.seen (run text NOT NULL, path text NOT NULL, seq bigserial, record json NOT NULL, PRIMARY KEY (run, path));
CREATE TABLE bearings.events (run text NOT NULL, seq bigserial, event json NOT NULL, PRIMARY KEY (run, seq));
CREATE TABLE bearings.workers (id text PRIMARY KEY, started_at timestamptz NOT NULL DEFAULT now());
`;

const LOCK = 7_206_174_091;

// One process at a time; the others wait and find it done. The library's tables come first, so that where ours are there, all is.
async function makeTables(pool: Pool, makeLibraryTables: () => Promise<void>): Promise<void> {
  if (await areThere(pool)) return;
  const client = await pool.connect();
  try {
    await holdLock(client);
    if (await areThere(client)) return;
    await makeLibraryTables();
    await inTransaction(pool, async (session) => void (await session.query(TABLES)));
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

async function areThere(client: Queries): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'bearings' AND tablename = 'meta'");
  if (rowCount === 0) return false;
  const { rows } = await client.query<{ version: number }>('SELECT version FROM bearings.meta');
  if (rows[0]?.version === VERSION) return true;
  throw new BearingsError('conflict', 'The tables of this database are for another version of bearings.', {
    hint: 'Use the same version on all machines.',
  });
}

// Asked again and again, not waited for: a waiting statement would hold up the library, which builds indexes beside others.
async function holdLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    await pause(LOOK_MS);
  }
}
