import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { sha256 } from '../../files/file-fingerprint.ts';
import type { OpenRun, RunEvent, RunSpec } from '../engine.ts';
import type { InputValue } from '../inputs.ts';
import { seenTexts, statusOf } from '../io/run-files.ts';
import { type TaskError, TaskFailure, unlessHalted } from '../results.ts';
import { askedText, type CallAnswer, type Step, type StepCall } from '../steps.ts';
import { inTransaction, RUN_QUEUE } from './connect.ts';
import { type LineKind, type QueuedRun, type RunStore, runStore } from './run-store.ts';
import type { WorkerLock } from './worker-lock.ts';

export type ModelCall = Extract<StepCall, { kind: 'model' }>;

/** A call of a model on its way to a worker. */
export interface CallJob {
  run: string;
  call: ModelCall;
}

/** The name of an error whose message is one of the taxonomy. */
export const FAILED = 'TaskFailure';
export const PROTOCOL = '1';
export const APPLICATION = 'bearings';
export const CALL = 'call';
export const DRIVE = 'drive';
export const queueFor = (model: string): string => `model-${model}`;
export const driveId = (run: string, attempt: number): string => `${run}@${attempt}`;

const LOOK_MS = 50;

/** Changes a run and puts it into the queue: nobody sees the one without the other. */
export async function enqueueRun(
  { client, pool }: { client: DBOSClient; pool: Pool },
  change: (own: RunStore) => Promise<QueuedRun | null>,
): Promise<void> {
  await inTransaction(pool, async (session) => {
    const run = await change(runStore(session));
    if (!run) return;
    const { id, attempt } = run;
    const entry = { workflowName: DRIVE, queueName: RUN_QUEUE, workflowID: driveId(id, attempt), appVersion: PROTOCOL };
    await client.enqueueInTransaction(session, entry, id, attempt);
  });
}

// Only what a model behind a wire needs: the prompt holds the frame already.
function slimCall(call: ModelCall, model: string): ModelCall {
  const { key, prompt, outputFormat, maxOutputTokens, turn } = call.request;
  const frame = { inherited: '', accumulated: '', fresh: '', results: '' };
  const request = { key, prompt, question: '', frame, outputFormat, maxOutputTokens, turn } as ModelCall['request'];
  return { kind: 'model', model, request };
}

// The same question at the same place has the same name, whoever asks and however often: that is what makes a run go on.
const callId = (run: string, key: string, call: ModelCall): string =>
  `${run}/${key}/${sha256(askedText(call)).slice(0, 16)}`;

const isFailure = (error: unknown): error is Error => error instanceof Error && error.name === FAILED;

export type CallQueue = ReturnType<typeof callQueue>;

/** Sends calls to the queues of their models and waits for the answers. `lost`: another worker waits for them from then on. */
export function callQueue(client: DBOSClient, lost: AbortSignal) {
  return {
    async ask(run: string, { key, call, signal }: Step & { call: ModelCall }): Promise<CallAnswer<ModelCall>> {
      const workflowID = callId(run, key, call);
      const queueName = queueFor(call.model ?? '');
      const job: CallJob = { run, call };
      const handle = client.retrieveWorkflow<CallAnswer<ModelCall>>(workflowID);
      const answered = async (): Promise<CallAnswer<ModelCall>> => {
        await client.enqueue({ workflowName: CALL, queueName, workflowID, appVersion: PROTOCOL }, job);
        for (;;) {
          try {
            return await handle.getResult({ pollingIntervalMs: LOOK_MS });
          } catch (error) {
            if (isFailure(error)) throw new TaskFailure(JSON.parse(error.message) as TaskError);
            const status = signal.aborted ? null : (await handle.getStatus())?.status;
            if (status !== 'CANCELLED' && status !== 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') throw error;
            // Set aside when an earlier attempt was stopped: now it is wanted again.
            await client.resumeWorkflow(workflowID, { queueName });
          }
        }
      };
      return unlessHalted(signal, answered()).catch((error) => {
        if (signal.aborted && !lost.aborted) client.cancelWorkflow(workflowID).catch(() => {});
        throw error;
      });
    },
    forget: (run: string, { key, call }: Step & { call: ModelCall }) =>
      client.deleteWorkflows([callId(run, key, call)]),
  };
}

export interface DrivenRun extends OpenRun {
  inputs: Record<string, InputValue>;
  tell(event: RunEvent): void;
}

const LOOK_FOR_CANCEL_MS = 500;

// A run in the hands of one worker: its calls go to the queues, what it says goes to the tables one after the other.
export async function drivenRun(
  { id, attempt }: { id: string; attempt: number },
  { store, calls, self }: { store: RunStore; calls: CallQueue; self: WorkerLock },
): Promise<DrivenRun> {
  const { spec } = await store.row(id);
  let writing = Promise.resolve();
  // What a watcher sees may come late or, if the database can't be reached, not at all: the run itself does not wait for it.
  const note = (kind: LineKind, lines: readonly [key: string, value: unknown][]): void => {
    const write = () => self.confirm().then(() => store.keep(id, kind, lines));
    writing = writing.then(write).catch(() => {});
  };
  const unknown: [hash: string, text: string][] = [];
  const keepSeen = seenTexts(new Set(), (hash, text) => unknown.push([hash, text]));
  const cancelling = new AbortController();
  const canceller = setInterval(() => {
    store.state(id).then(
      ({ cancel }) => cancel && cancelling.abort(),
      () => {},
    );
  }, LOOK_FOR_CANCEL_MS);
  const close = async (): Promise<void> => {
    clearInterval(canceller);
    await writing;
  };

  return {
    id,
    spec,
    inputs: storedInputs(store, id, spec),
    steps: {
      async step(step, work) {
        const { call } = step;
        if (call.kind === 'model') {
          const asked = { ...step, call: slimCall(call, call.model ?? spec.model) };
          const answer = await calls.ask(id, asked);
          try {
            await step.judge?.(answer as never);
          } catch (error) {
            await self.confirm();
            await calls.forget(id, asked);
            throw error;
          }
          return answer as never;
        }
        // The memory system's answers come from this worker's own files, and are kept: they may differ elsewhere.
        const key = stepLine(step.key, call);
        if (!(await store.line(id, 'step', key))) {
          const value = await work();
          await self.confirm();
          await store.keep(id, 'step', [[key, value]]);
        }
        return (await store.line(id, 'step', key))?.value as never;
      },
    },
    cancelled: AbortSignal.any([cancelling.signal, self.lost]),
    tell(event) {
      // Of the progress of a list only the newest is told, and of what is inside of it only warnings.
      if (event.event !== 'warning' && event.inputPath.length > 0) return;
      const key = `${event.event} ${event.id} ${event.event === 'warning' ? sha256(event.message) : ''}`;
      note('event', [[key, event.event === 'ended' ? { ...event, result: { ...event.result, content: '' } } : event]]);
    },
    record(record, texts) {
      keepSeen(texts);
      note('text', unknown.splice(0));
      note('seen', [[record.path, { ...record, at: new Date().toISOString() }]]);
    },
    async end(result) {
      await close();
      await self.confirm();
      const text = JSON.stringify(result);
      await store.keep(id, 'text', [[sha256(text), text]]);
      await store.end({ id, attempt }, statusOf(result), sha256(text));
    },
    leave: close,
  };
}

/** What names the answer of a step: its place in the run, and what was asked there. */
export const stepLine = (key: string, call: StepCall): string => `${key} ${sha256(JSON.stringify(call))}`;

function storedInputs(store: RunStore, run: string, spec: RunSpec): Record<string, InputValue> {
  const values: Record<string, InputValue> = Object.create(null);
  for (const [name, given] of Object.entries(spec.inputs)) {
    if ('value' in given) values[name] = given.value;
    else if ('stored' in given) values[name] = store.inputs(run, name, given.stored);
  }
  return values;
}
