import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { CallAnswer } from '../perform-call.ts';
import { TaskFailure } from '../results.ts';
import { type CallDesk, type CallJob, type CallOutcome, callOf, driveId, type ModelCall, outcomeOf } from './calls.ts';
import { type DrivenRun, drivenRun } from './driven-run.ts';
import type { WithSlot } from './model-slots.ts';
import type { RunStore } from './run-store.ts';
import type { Semaphore } from './semaphore.ts';
import type { WorkerLock } from './worker-lock.ts';
import type { WorkerStore } from './worker-store.ts';

/** What the two workflows do in this life of the worker. */
export interface WorkerSession {
  call(job: CallJob, id: string): Promise<CallOutcome>;
  drive(run: string, attempt: number): Promise<void>;
  /** Whether it heard that this workflow is its own. */
  isAt(workflow: string): boolean;
}

export interface Work {
  perform(run: string, call: ModelCall, signal: AbortSignal): Promise<CallAnswer<ModelCall>>;
  drive(run: DrivenRun): Promise<void>;
}

interface Tools extends Work {
  client: DBOSClient;
  self: WorkerLock;
  store: RunStore;
  own: WorkerStore;
  desk: CallDesk;
  hands: Semaphore;
  places: ReadonlyMap<string, WithSlot>;
}

export function workerSession(tools: Tools): WorkerSession {
  const { perform, drive, client, self, store, own, desk, hands, places } = tools;
  const ofModel = <T>(model: string | null, work: () => Promise<T>): Promise<T> =>
    places.get(model ?? '')?.(work) ?? work();
  const callOnce = async (job: CallJob, id: string): Promise<CallOutcome> => {
    // Nothing but the call itself keeps a hand busy, and a place at its model.
    const call = await callOf(store, job);
    const begin = async (): Promise<CallAnswer<ModelCall>> => {
      await self.confirm();
      return perform(job.run, call, self.lost);
    };
    try {
      const answer = await ofModel(call.model, () => hands.within(begin));
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
  const inHand = new Set<string>();
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
    drive: (run, attempt) => unlessLost(driveId(run, attempt), () => driveOnce(run, attempt)),
    isAt: (workflow) => inHand.has(workflow),
  };
}
