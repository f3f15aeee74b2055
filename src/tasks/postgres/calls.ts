import { setTimeout as pause } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { sha256 } from '../../files/file-fingerprint.ts';
import { halted, type TaskError, TaskFailure } from '../results.ts';
import { askedText, type CallAnswer, type Step, type StepCall } from '../steps.ts';
import { inTransaction } from './connect.ts';
import { type QueuedRun, type RunStore, runStore } from './run-store.ts';

export type ModelCall = Extract<StepCall, { kind: 'model' }>;

/** A call of a model on its way to a worker. */
export interface CallJob {
  run: string;
  call: ModelCall;
}
type Answer = CallAnswer<ModelCall>;

/** The name of an error whose message is one of the taxonomy. */
export const FAILED = 'TaskFailure';
export const PROTOCOL = '1';
export const APPLICATION = 'bearings';
export const RUN_QUEUE = 'bearings-runs';
export const CALL = 'call';
export const DRIVE = 'drive';
export const queueFor = (model: string): string => `model-${model}`;
export const driveId = (run: string, attempt: number): string => `${run}@${attempt}`;

const LOOK_MS = 30;

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
export function slimCall(call: ModelCall, model: string): ModelCall {
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

/** Sends calls to the queues of their models and waits for the answers of all of them in one place. */
export function callQueue(client: DBOSClient) {
  const waiting = new Map<string, { queue: string; resolve(answer: Answer): void; reject(error: unknown): void }>();
  let looking = false;
  let closed = false;

  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    while (waiting.size > 0 && !closed) {
      await pause(LOOK_MS);
      await lookOnce().catch(() => {});
    }
    looking = false;
  };

  // One question for all calls under way, instead of one for each.
  const lookOnce = async (): Promise<void> => {
    const rows = await client.listWorkflows({
      workflowIDs: [...waiting.keys()],
      status: ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'],
      loadInput: false,
      loadOutput: true,
    });
    for (const { workflowID, status, output, error } of rows) {
      const awaited = waiting.get(workflowID);
      if (!awaited) continue;
      // Set aside when an earlier attempt was stopped: now it is wanted again.
      if (status !== 'SUCCESS' && status !== 'ERROR') {
        await client.resumeWorkflow(workflowID, { queueName: awaited.queue });
        continue;
      }
      waiting.delete(workflowID);
      if (status === 'SUCCESS') awaited.resolve(output as Answer);
      else awaited.reject(isFailure(error) ? new TaskFailure(JSON.parse(error.message) as TaskError) : error);
    }
  };

  return {
    async ask(run: string, { key, call, signal }: Step & { call: ModelCall }): Promise<Answer> {
      const id = callId(run, key, call);
      const queueName = queueFor(call.model ?? '');
      const job: CallJob = { run, call };
      await client.enqueue({ workflowName: CALL, queueName, workflowID: id, appVersion: PROTOCOL }, job);
      const answered = new Promise<Answer>((resolve, reject) => {
        waiting.set(id, { queue: queueName, resolve, reject });
      });
      const onAbort = (): void => {
        if (!waiting.has(id)) return;
        waiting.get(id)?.reject(halted());
        waiting.delete(id);
        // Closed, another worker waits for the answer from now on.
        if (!closed) client.cancelWorkflow(id).catch(() => {});
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      void look();
      return answered.finally(() => signal.removeEventListener('abort', onAbort));
    },
    close(): void {
      closed = true;
    },
  };
}
