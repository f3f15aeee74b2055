import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import { conflict } from '../../errors.ts';
import { keysMark } from '../answer-run.ts';
import type { GivenInput, RunEvent, RunSpec } from '../engine.ts';
import { type InputValue, isList, listOf } from '../inputs.ts';
import { type Engine, stamp } from '../io/local-engine.ts';
import { failedResult, failure, type TaskResult } from '../results.ts';
import type { SharedWatch } from '../runs.ts';
import { engineAddress, inTransaction, loadDbos, openPool, patient, type Queries, unreachable } from './connect.ts';
import { enqueueRun, stepLine } from './driven-run.ts';
import { runStore } from './run-store.ts';
import { openClient } from './worker.ts';

/** Runs in a database that workers share: this side submits them, watches them and stops them. */
export type SharedEngine = ReturnType<typeof sharedEngine>;

const LOOK_MS = 100;
const CANCEL_WAIT_MS = 10_000;
// Of whoever waits for a run while the database restarts.
const PATIENCE_MS = 60_000;
const NOBODY_AFTER_LOOKS = 20;

export async function openSharedEngine(given: string, now: () => Date): Promise<SharedEngine> {
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

function sharedEngine(pool: Pool, client: DBOSClient, now: () => Date) {
  const store = runStore(pool);
  const steady = runStore(patient(pool, PATIENCE_MS));
  const isOver = (state: string): boolean => state !== 'waiting' && state !== 'running';
  /** Puts a run that failed, was stopped or has an answer back into the queue. */
  const again = (id: string): Promise<void> => enqueueRun({ client, pool }, (own) => own.again(id));

  return {
    async submit(spec: RunSpec, inputs: Readonly<Record<string, InputValue>>): Promise<string> {
      const mark = spec.answeredBy ? `-${keysMark(spec.answeredBy)}` : '';
      const id = `${stamp(now())}-${randomBytes(3).toString('hex')}${mark}`;
      await enqueueRun({ client, pool }, async (own) => {
        const given: Record<string, GivenInput> = {};
        for (const [name, value] of Object.entries(inputs))
          given[name] = isList(value) ? { stored: await own.addInputs(id, name, listOf(value, name)) } : { value };
        // Where the project lies is each worker's own business.
        return own.add(id, { ...spec, inputs: given, project: '' });
      });
      return id;
    },

    /** Until it ends. An abort asks the run to stop, and still waits for its end. */
    async follow(id: string, { signal, onEvent, onRecord, onNoWorker }: SharedWatch): Promise<TaskResult> {
      let last = '0';
      const onAbort = (): void => void store.askToStop(id).catch(() => {});
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      for (let looks = 1; ; looks += 1) {
        const { state } = await steady.state(id);
        for (const { seq, value } of await steady.lines(id, 'event', last)) {
          onEvent?.(value as RunEvent);
          last = seq;
        }
        if (isOver(state)) break;
        if (looks === NOBODY_AFTER_LOOKS && (await steady.liveWorkers()) === 0) onNoWorker?.();
        await pause(LOOK_MS);
      }
      signal?.removeEventListener('abort', onAbort);
      if (onRecord) for (const record of await steady.seen(id)) onRecord(record);
      return (await steady.result(await steady.row(id))) ?? STOPPED_BEFORE_IT_BEGAN;
    },

    again,
    list: store.list,
    read: store.read,
    spec: async (id: string) => (await store.row(id)).spec,
    text: store.text,

    async cancel(id) {
      await store.row(id);
      await store.askToStop(id);
      for (let waited = 0; ; waited += LOOK_MS) {
        const { state } = await store.state(id);
        if (isOver(state) || waited > CANCEL_WAIT_MS) return state;
        await pause(LOOK_MS);
      }
    },

    /** Keeps the person's word and puts the run back into the queue. */
    async answer(id, key, call, answer) {
      await store.keep(id, 'step', [[stepLine(key, call), answer]]);
      await again(id);
    },
  } satisfies Engine & Record<string, unknown>;
}

const STOPPED_BEFORE_IT_BEGAN = failedResult(failure('execution_halted', 'The run was stopped before it began.').error);

// All that a run has is in lines, as in the journal of one process. Values are JSON, since Postgres keeps no NUL in a text and sorts the
// keys of jsonb.
const VERSION = 2;
const TABLES = `
CREATE SCHEMA bearings;
CREATE TABLE bearings.meta (version int NOT NULL);
INSERT INTO bearings.meta VALUES (${VERSION});
CREATE TABLE bearings.runs (
  id text PRIMARY KEY, spec json NOT NULL, file text NOT NULL, name text NOT NULL,
  state text NOT NULL DEFAULT 'waiting', attempt int NOT NULL DEFAULT 1, owner text, cancel boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT now(), taken_at timestamptz, ended_at timestamptz, recorded int, result text);
CREATE INDEX runs_newest ON bearings.runs (started_at DESC);
CREATE INDEX runs_under_way ON bearings.runs (id) WHERE state IN ('waiting', 'running');
CREATE TABLE bearings.lines (
  run text NOT NULL, kind text NOT NULL, key text NOT NULL, seq bigserial, value json NOT NULL, PRIMARY KEY (run, kind, key));
CREATE INDEX lines_in_order ON bearings.lines (run, kind, seq);
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
  throw conflict(
    'The tables of this database are for another version of bearings.',
    'Use the same version on all machines.',
  );
}

// Asked again and again, not waited for: a waiting statement would hold up the library, which builds indexes beside others.
async function holdLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    await pause(LOOK_MS);
  }
}
