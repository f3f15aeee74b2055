import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { CallAnswer } from '../perform-call.ts';
import { TaskFailure } from '../results.ts';
import {
  type CallJob,
  type CallOutcome,
  type CallQueue,
  callOf,
  driveId,
  type ModelCall,
  outcomeOf,
  RUN_QUEUE,
} from './calls.ts';
import type { Dbos } from './connect.ts';
import { type DrivenRun, drivenRun } from './driven-run.ts';
import type { RunStore } from './run-store.ts';
import type { WorkerLock } from './worker-lock.ts';
import type { WorkerStore } from './worker-store.ts';

/** What the two workflows do in this life of the worker. */
export interface WorkerSession {
  call(job: CallJob, id: string): Promise<CallOutcome>;
  drive(run: string, attempt: number): Promise<void>;
  /** Whether it heard that this workflow is its own. */
  isAt(workflow: string): boolean;
  /** Gives the runs that it drives back to their queue. Calls go on. */
  handOver(): Promise<void>;
}

export interface Work {
  perform(run: string, call: ModelCall, signal: AbortSignal): Promise<CallAnswer<ModelCall>>;
  drive(run: DrivenRun): Promise<void>;
}

interface Tools extends Work {
  dbos: Dbos;
  client: DBOSClient;
  self: WorkerLock;
  store: RunStore;
  own: WorkerStore;
  calls: CallQueue;
  /** Calls that this worker makes at the same time, of whatever model. */
  concurrency: number;
}

export function workerSession(tools: Tools): WorkerSession {
  const { perform, drive, dbos, client, self, store, own, calls, concurrency } = tools;
  const oneOfMany = limited(concurrency);
  const callOnce = async (job: CallJob, id: string): Promise<CallOutcome> => {
    // Nothing but the call itself takes up a place.
    const call = await callOf(store, job);
    const begin = async (): Promise<CallAnswer<ModelCall>> => {
      await self.confirm();
      return perform(job.run, call, self.lost);
    };
    try {
      const answer = await oneOfMany(begin);
      return await outcomeOf(own, job.run, answer);
    } catch (error) {
      await self.confirm();
      if (!(error instanceof TaskFailure)) throw error;
      await own.keepFailed(job.run, id);
      return { error: error.error };
    }
  };
  const leaving = new AbortController();
  // To a run that is handed over this worker is as good as lost.
  const untilHandedOver: Pick<WorkerLock, 'lost' | 'confirm'> = {
    lost: AbortSignal.any([self.lost, leaving.signal]),
    async confirm() {
      leaving.signal.throwIfAborted();
      await self.confirm();
    },
  };
  const driveOnce = async (run: string, attempt: number): Promise<void> => {
    leaving.signal.throwIfAborted();
    if (!(await own.own(run, attempt))) return;
    const failed = attempt > 1 ? await store.failedCalls(run) : [];
    // In this order: whoever dies in between leaves it to the next one.
    if (failed.length > 0) await client.deleteWorkflows(failed);
    await store.forgetFailed(run, failed);
    await drive(drivenRun({ row: await store.row(run), store, own, calls, life: untilHandedOver }));
  };
  const driveOrGiveBack = async (run: string, attempt: number): Promise<void> => {
    const workflow = driveId(run, attempt);
    try {
      await driveOnce(run, attempt);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
      await client.resumeWorkflows([workflow], { queueName: RUN_QUEUE });
      // In the library's words: somebody else has it, this is no outcome.
      throw new dbos.DBOSWorkflowConflictError(workflow);
    }
  };
  // What a lost worker has to say is no outcome: it is never given, so that the work stays for the others.
  const inHand = new Set<string>();
  const drives = new Set<Promise<void>>();
  const unlessLost = async <T>(workflow: string, work: () => Promise<T>): Promise<T> => {
    inHand.add(workflow);
    const [settled] = await Promise.allSettled([work()]);
    if (self.lost.aborted) return new Promise(() => {});
    inHand.delete(workflow);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
  return {
    call: (job, id) => unlessLost(id, () => callOnce(job, id)),
    drive(run, attempt) {
      const driven = unlessLost(driveId(run, attempt), () => driveOrGiveBack(run, attempt));
      const forget = (): void => void drives.delete(driven);
      drives.add(driven);
      driven.then(forget, forget);
      return driven;
    },
    isAt: (workflow) => inHand.has(workflow),
    async handOver() {
      leaving.abort();
      await Promise.allSettled(drives);
      // For the library to hear of it: what is still a drive to it, it would wait for.
      await nextTurn();
    },
  };
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
