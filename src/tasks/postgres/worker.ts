import { setTimeout as pause } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import type { WorkOptions } from '../engine.ts';
import { TaskFailure } from '../results.ts';
import type { CallAnswer } from '../steps.ts';
import { type Dbos, engineAddress, isAway, loadDbos, openPool, patient, RUN_QUEUE } from './connect.ts';
import {
  APPLICATION,
  CALL,
  type CallJob,
  callQueue,
  DRIVE,
  type DrivenRun,
  driveId,
  drivenRun,
  enqueueRun,
  FAILED,
  type ModelCall,
  PROTOCOL,
  queueFor,
} from './driven-run.ts';
import { type QueuedRun, runStore } from './run-store.ts';
import { takeWorkerLock, type WorkerLock } from './worker-lock.ts';

interface WorkerOptions extends WorkOptions {
  url: string;
  /** Those that it can ask, by their names. */
  models: readonly string[];
  perform(run: string, call: ModelCall, signal: AbortSignal): Promise<CallAnswer<ModelCall>>;
  drive(run: DrivenRun): Promise<void>;
}

const LOOK_MS = 100;
const RUNS_AT_ONCE = 16;
// We use none of the library's events and streams: it would look for some to send a hundred times a second.
const NO_EVENTS_MS = 60_000;
const AGAIN_MS = 500;
const MANY = 1_000;

// One worker: it drives runs and makes calls, as the queues give them. Lost to the others, it begins again under a new name.
export async function serveRuns(options: WorkerOptions): Promise<void> {
  // The library's driver warns of its own use of a coming version; a person can do nothing about it.
  process.noDeprecation = true;
  const dbos = await loadDbos();
  const url = engineAddress(options.url);
  const pool = await openPool(url, 10);
  try {
    const client = await openClient(dbos, url, pool);
    // The library knows one registry per process; what is behind it changes with each life.
    const life: Life = { ...options, url, dbos, pool, client, session: null };
    const now = (): WorkerSession => {
      if (!life.session) throw new Error('the worker has ended');
      return life.session;
    };
    const { DBOS } = dbos;
    const many = { maxRecoveryAttempts: MANY };
    DBOS.registerWorkflow((job: CallJob) => now().call(job, DBOS.workflowID ?? ''), { name: CALL, ...many });
    DBOS.registerWorkflow((run: string, attempt: number) => now().drive(run, attempt), { name: DRIVE, ...many });
    try {
      while (!options.signal.aborted)
        await oneLife(life).catch(async (error: unknown) => {
          // Lost while the database is away again: it is waited for, as in the middle of a life.
          if (!isAway(error)) throw error;
          await pause(AGAIN_MS);
        });
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

interface Life extends WorkerOptions {
  dbos: Dbos;
  pool: Pool;
  client: DBOSClient;
  /** What the workflows lead to for now. */
  session: WorkerSession | null;
}

async function oneLife(life: Life): Promise<void> {
  const { dbos, pool, client, url, models, concurrency } = life;
  const { DBOS } = dbos;
  const inHand = new Set<string>();
  const putBack = (run: QueuedRun) => enqueueRun({ client, pool }, (runs) => runs.putBack(run));
  const self = await takeWorkerLock({ pool, client, inHand, putBack });
  life.session = workerSession(life, self, inHand);
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    executorID: self.id,
    applicationVersion: PROTOCOL,
    listenQueues: [RUN_QUEUE, ...models.map(queueFor)],
    notificationCoalesceMs: NO_EVENTS_MS,
    logger: SILENT,
  });
  try {
    // Before it looks for them: a queue that comes later is found a second later.
    const runs = { workerConcurrency: RUNS_AT_ONCE, minPollingIntervalMs: LOOK_MS };
    await client.registerQueue(RUN_QUEUE, runs);
    // Taken ahead, so that no call waits for the next look into the queue.
    const ahead = { workerConcurrency: concurrency * 2, minPollingIntervalMs: LOOK_MS };
    for (const model of models) await client.registerQueue(queueFor(model), ahead);
    await DBOS.launch();
    life.onReady();
    const ended = AbortSignal.any([life.signal, self.lost]);
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
  } finally {
    await self.end();
    await DBOS.shutdown({ workflowCompletionTimeoutMS: 1 });
    life.session = null;
  }
}

// The library's own lines may name the address of the database.
const SILENT = { info() {}, debug() {}, warn() {}, error() {} };

type WorkerSession = ReturnType<typeof workerSession>;

/** What the two workflows do in this life of the worker. */
function workerSession(life: Life, self: WorkerLock, inHand: Set<string>) {
  const { perform, drive, client, pool, concurrency } = life;
  const store = runStore(patient(pool), self);
  const calls = callQueue(client, self.lost);
  const oneOfMany = limited(concurrency);
  const callOnce = (job: CallJob): Promise<CallAnswer<ModelCall>> =>
    oneOfMany(async () => {
      await self.confirm();
      return perform(job.run, job.call, self.lost);
    }).catch(async (error: unknown) => {
      await self.confirm();
      // As a text, so that it comes back byte for byte, and without its cause, which may hold what was sent.
      throw error instanceof TaskFailure
        ? Object.assign(new Error(JSON.stringify(error.error)), { name: FAILED })
        : error;
    });
  const driveOnce = async (run: string, attempt: number): Promise<void> => {
    if (!(await store.own(run, attempt))) return;
    if (attempt > 1) await forgetFailed(client, run);
    await drive(await drivenRun({ id: run, attempt }, { store, calls, self }));
  };
  // What a lost worker has to say is no outcome: it is never given, so that the work stays for the others.
  const unlessLost = async <T>(workflow: string, work: () => Promise<T>): Promise<T> => {
    inHand.add(workflow);
    const [settled] = await Promise.allSettled([work()]);
    if (self.lost.aborted) return new Promise(() => {});
    inHand.delete(workflow);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
  return {
    call: (job: CallJob, id: string) => unlessLost(id, () => callOnce(job)),
    drive: (run: string, attempt: number) => unlessLost(driveId(run, attempt), () => driveOnce(run, attempt)),
  };
}

// What failed is tried again.
async function forgetFailed(client: DBOSClient, run: string): Promise<void> {
  const those = { workflow_id_prefix: `${run}/`, status: 'ERROR', loadInput: false, loadOutput: false } as const;
  const failed = await client.listWorkflows(those);
  if (failed.length > 0) await client.deleteWorkflows(failed.map(({ workflowID }) => workflowID));
}

// So many at a time, in the order they came.
function limited(most: number) {
  const waiting: (() => void)[] = [];
  let active = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (active >= most) await new Promise<void>((enter) => waiting.push(enter));
    else active += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
