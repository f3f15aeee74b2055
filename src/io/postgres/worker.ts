import type { DBOSClient, WorkflowStatus } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import type { CallAnswer } from '../../tasks/perform-call.ts';
import { TaskFailure } from '../../tasks/results.ts';
import {
  APPLICATION,
  CALL,
  type CallDesk,
  type CallJob,
  type CallOutcome,
  callDesk,
  callOf,
  DRIVE,
  type ModelCall,
  outcomeOf,
  PROTOCOL,
  queueFor,
  RUN_QUEUE,
} from './calls.ts';
import { type Dbos, loadDbos, openPool, patient } from './connect.ts';
import { type DrivenRun, drivenRun } from './driven-run.ts';
import { type RunStore, runStore } from './run-store.ts';
import { turnstile } from './turnstile.ts';
import { beginLife, type WorkerLife } from './worker-life.ts';
import { type WorkerStore, workerStore } from './worker-store.ts';

interface ModelBounds {
  name: string;
  /** At the same time, over all workers. */
  concurrency: number | null;
  /** Begun per minute, over all workers. */
  perMinute: number | null;
}

export interface WorkerOptions {
  url: string;
  version: string;
  /** Calls that this worker makes at the same time. */
  concurrency: number;
  models: readonly ModelBounds[];
  perform(run: string, call: ModelCall, signal: AbortSignal): Promise<CallAnswer<ModelCall>>;
  drive(run: DrivenRun): Promise<void>;
  onReady(): void;
  onTakeOver(count: number): void;
  /** Ends the worker: what is under way may finish for a while, then others take it over. */
  signal: AbortSignal;
}

const LOOK_MS = 50;
const LOOK_FOR_RUNS_MS = 80;
const AHEAD = 2;
const RUNS_AT_ONCE = 16;
const GRACE_MS = 10_000;
const MANY = 1_000;

// One worker: it drives runs and makes calls, as the queues give them. Lost to the others, it begins anew under a new name.
export async function serveRuns(options: WorkerOptions): Promise<void> {
  // The library's driver warns of its own use of a coming version; a person can do nothing about it.
  process.noDeprecation = true;
  const dbos = await loadDbos();
  const pool = await openPool(options.url, 10);
  try {
    const client = await openClient(dbos, options.url, pool);
    const shift: { now: Shift | null } = { now: null };
    register(dbos, shift);
    try {
      while (!options.signal.aborted) await oneLife({ ...options, dbos, pool, client, shift });
    } finally {
      await client.destroy();
    }
  } finally {
    await pool.end();
  }
}

export function openClient({ DBOSClient }: Dbos, url: string, pool: Pool): Promise<DBOSClient> {
  return DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger: SILENT,
  });
}

/** What the two workflows do in this life of the worker. */
interface Shift {
  call(job: CallJob, id: string): Promise<CallOutcome>;
  drive(run: string, attempt: number): Promise<void>;
}

// The library knows one registry per process; what stands behind it changes with each life.
function register({ DBOS }: Dbos, shift: { now: Shift | null }): void {
  const now = (): Shift => {
    if (!shift.now) throw new Error('the worker has ended');
    return shift.now;
  };
  const many = { maxRecoveryAttempts: MANY };
  DBOS.registerWorkflow((job: CallJob) => now().call(job, DBOS.workflowID ?? ''), { name: CALL, ...many });
  DBOS.registerWorkflow((run: string, attempt: number) => now().drive(run, attempt), { name: DRIVE, ...many });
}

interface Life extends WorkerOptions {
  dbos: Dbos;
  pool: Pool;
  client: DBOSClient;
  shift: { now: Shift | null };
}

async function oneLife(life: Life): Promise<void> {
  const { dbos, pool, client, url, version, models, concurrency } = life;
  const { DBOS } = dbos;
  const queries = patient(pool);
  const store = runStore(queries);
  const takeOver = async (worker: string): Promise<void> => {
    const left = await client.listWorkflows({
      executorId: worker,
      status: 'PENDING',
      loadInput: false,
      loadOutput: false,
    });
    await requeue(client, left);
    life.onTakeOver(left.length);
  };
  const self = await beginLife({ url, pool, version, takeOver });
  const own = workerStore(queries, self.id);
  const desk = callDesk({ client, pool, store, own });
  life.shift.now = shiftOf(life, { self, store, own, desk });
  const queues = models.map(({ name }) => queueFor(name));
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    executorID: self.id,
    applicationVersion: PROTOCOL,
    listenQueues: [RUN_QUEUE, ...queues],
    logger: SILENT,
  });
  try {
    await DBOS.launch();
    const onConflict = 'always_update' as const;
    const runs = { workerConcurrency: RUNS_AT_ONCE, minPollingIntervalMs: LOOK_FOR_RUNS_MS };
    await DBOS.registerQueue(RUN_QUEUE, { ...runs, onConflict });
    for (const model of models) {
      const calls = { ...queueBounds(model, concurrency), minPollingIntervalMs: LOOK_MS };
      await DBOS.registerQueue(queueFor(model.name), { ...calls, onConflict });
    }
    life.onReady();
    await untilAborted(AbortSignal.any([life.signal, self.lost]));
  } finally {
    desk.close();
    await DBOS.shutdown({ workflowCompletionTimeoutMS: self.lost.aborted ? 1 : GRACE_MS });
    life.shift.now = null;
    await self.end();
  }
  const unfit = self.unfit();
  if (unfit) throw unfit;
}

// Twice what is at work at once, so that a free hand never waits for the next look into the queue. A bound over all
// workers counts what is taken, so there nothing is taken ahead.
function queueBounds({ concurrency: bound, perMinute }: ModelBounds, own: number) {
  const rate = perMinute === null ? {} : { rateLimit: { limitPerPeriod: perMinute, periodSec: 60 } };
  if (bound !== null) return { globalConcurrency: bound, workerConcurrency: Math.min(own, bound), ...rate };
  return { workerConcurrency: own * AHEAD, ...rate };
}

interface Tools {
  self: WorkerLife;
  store: RunStore;
  own: WorkerStore;
  desk: CallDesk;
}

function shiftOf({ perform, drive, concurrency, client }: Life, { self, store, own, desk }: Tools): Shift {
  const hands = turnstile(concurrency);
  const callOnce = async (job: CallJob, id: string): Promise<CallOutcome> => {
    // Nothing but the call itself keeps a hand busy.
    const call = await callOf(store, job);
    try {
      const answer = await hands(async () => {
        await self.confirm();
        return perform(job.run, call, self.lost);
      });
      return await outcomeOf(own, job.run, answer);
    } catch (error) {
      await self.confirm();
      if (!(error instanceof TaskFailure)) throw error;
      await own.keepFailed(job.run, id);
      return { error: error.error };
    }
  };
  const driveOnce = async (run: string, attempt: number): Promise<void> => {
    if (!(await own.own(run, attempt))) return;
    const failed = attempt > 1 ? await store.failedCalls(run) : [];
    // In this order: whoever dies in between leaves it to the next one.
    if (failed.length > 0) await client.deleteWorkflows(failed);
    await store.forgetFailed(run, failed);
    await drive(drivenRun({ row: await store.row(run), store, own, desk, life: self }));
  };
  // What a lost worker has to say is no outcome: it is never given, so that the work stays for the others.
  const unlessLost = async <T>(work: Promise<T>): Promise<T> => {
    const [settled] = await Promise.allSettled([work]);
    if (self.lost.aborted) return new Promise(() => {});
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
  return {
    call: (job, id) => unlessLost(callOnce(job, id)),
    drive: (run, attempt) => unlessLost(driveOnce(run, attempt)),
  };
}

// Back into the queues they came from, so that the bounds of each model hold.
async function requeue(client: DBOSClient, left: readonly WorkflowStatus[]): Promise<void> {
  const byQueue = new Map<string, string[]>();
  for (const { workflowID, queueName = RUN_QUEUE } of left)
    byQueue.set(queueName, [...(byQueue.get(queueName) ?? []), workflowID]);
  for (const [queueName, ids] of byQueue) await client.resumeWorkflows(ids, { queueName });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

// The library's own lines may name the address of the database.
const SILENT = { info() {}, debug() {}, warn() {}, error() {} };
