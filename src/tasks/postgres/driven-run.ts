import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import { sha256 } from '../../files/file-fingerprint.ts';
import type { OpenRun, RunEvent, RunSpec, StepRecord } from '../engine.ts';
import type { InputValue } from '../inputs.ts';
import { seenTexts, statusOf } from '../io/run-files.ts';
import { TaskFailure, type TaskResult } from '../results.ts';
import type { CallAnswer, StepRunner } from '../steps.ts';
import { type CallJob, type CallQueue, driveId, FAILED, type ModelCall, slimCall } from './calls.ts';
import type { RunRow, RunStore, WorkerStore } from './run-store.ts';
import type { WorkerLock } from './worker-lock.ts';

interface DrivenRun extends OpenRun {
  inputs: Record<string, InputValue>;
  tell(event: RunEvent): void;
}

const FLUSH_MS = 250;
const LOOK_FOR_CANCEL_MS = 500;
const MAX_TOLD = 20_000;

// A run in the hands of one worker: its calls go to the queues, what it says goes to the tables in batches.
function drivenRun(
  row: RunRow,
  { store, own, calls, self }: Pick<Tools, 'store' | 'own' | 'calls' | 'self'>,
): DrivenRun {
  const { id, spec } = row;
  const empty = () => ({
    events: new Map<string, RunEvent>(),
    seen: [] as StepRecord[],
    texts: new Map<string, string>(),
  });
  let unwritten = empty();
  const keepSeen = seenTexts(new Set(), (hash, text) => unwritten.texts.set(hash, text));
  let told = 0;
  let flushing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const { events, seen, texts } = unwritten;
    unwritten = empty();
    flushing = flushing.then(async () => {
      await self.confirm();
      await own.addEvents(id, [...events.values()]);
      await own.keepTexts(id, texts);
      await own.addSeen(id, seen);
    });
    return flushing;
  };
  // What a watcher sees may come late or, if the database can't be reached, not at all: the run itself does not wait for it.
  const flusher = setInterval(() => void flush().catch(() => {}), FLUSH_MS);
  const cancelling = new AbortController();
  const canceller = setInterval(() => {
    store.state(id).then(
      ({ cancel }) => cancel && cancelling.abort(),
      () => {},
    );
  }, LOOK_FOR_CANCEL_MS);
  const close = async (): Promise<void> => {
    clearInterval(flusher);
    clearInterval(canceller);
    await flush().catch(() => {});
  };

  const runner: StepRunner = {
    async step(step, work) {
      const { call } = step;
      if (call.kind === 'model')
        return (await calls.ask(id, { ...step, call: slimCall(call, call.model ?? spec.model) })) as never;
      // The memory system's answers come from this worker's own files, and are kept: they may differ elsewhere.
      const asked = sha256(JSON.stringify(call));
      const before = await store.storedStep(id, step.key, asked);
      if (before) return before.value as never;
      const value = await work();
      await self.confirm();
      return (await own.keepStep(id, { key: step.key, asked, value })) as never;
    },
  };

  return {
    id,
    spec,
    inputs: storedInputs(store, id, spec),
    steps: runner,
    cancelled: AbortSignal.any([cancelling.signal, self.lost]),
    tell(event) {
      const isInner = event.inputPath.length > 0;
      // Of the progress of a list only the newest is told.
      const isProgress = event.event === 'inputs';
      if (!isProgress && (event.event === 'warning' ? told >= MAX_TOLD : isInner)) return;
      if (!isProgress) told += 1;
      const name = isProgress ? `${event.id} ${event.inputPath.join('.')}` : String(told);
      unwritten.events.set(
        name,
        event.event === 'ended' ? { ...event, result: { ...event.result, content: '' } } : event,
      );
    },
    record(record, texts) {
      unwritten.seen.push({ ...record, at: new Date().toISOString() });
      keepSeen(texts);
    },
    async end(result: TaskResult) {
      await close();
      await self.confirm();
      await own.end(row, statusOf(result), await own.keepText(id, JSON.stringify(result)));
    },
    leave: close,
  };
}

function storedInputs(store: RunStore, run: string, spec: RunSpec): Record<string, InputValue> {
  const values: Record<string, InputValue> = Object.create(null);
  for (const [name, given] of Object.entries(spec.inputs)) {
    if ('value' in given) values[name] = given.value;
    else if ('stored' in given) values[name] = store.inputs(run, name, given.stored);
  }
  return values;
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
  calls: CallQueue;
  /** Calls that this worker makes at the same time, of whatever model. */
  concurrency: number;
}

export type WorkerSession = ReturnType<typeof workerSession>;

/** What the two workflows do in this life of the worker. */
export function workerSession(tools: Tools) {
  const { perform, drive, client, self, store, own, calls, concurrency } = tools;
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
    if (!(await own.own(run, attempt))) return;
    if (attempt > 1) await forgetFailed(client, run);
    await drive(drivenRun(await store.row(run), { store, own, calls, self }));
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
    call: (job: CallJob, id: string) => unlessLost(id, () => callOnce(job)),
    drive: (run: string, attempt: number) => unlessLost(driveId(run, attempt), () => driveOnce(run, attempt)),
    /** Whether it heard that this workflow is its own. */
    isAt: (workflow: string): boolean => inHand.has(workflow),
  };
}

// What failed is tried again.
async function forgetFailed(client: DBOSClient, run: string): Promise<void> {
  const failed = await client.listWorkflows({
    workflow_id_prefix: `${run}/`,
    status: 'ERROR',
    loadInput: false,
    loadOutput: false,
  });
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
