import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sha256 } from '../../files/file-fingerprint.ts';
import { keysMark } from '../answer-run.ts';
import type { GivenInput, RunEvent, RunSpec, RunState, StepRecord } from '../engine.ts';
import { type InputValue, isList, listOf } from '../inputs.ts';
import { stamp } from '../io/local-engine.ts';
import { failedResult, failure, type TaskResult } from '../results.ts';
import type { ApproveAnswer, StepCall } from '../steps.ts';
import { enqueueRun } from './calls.ts';
import { engineAddress, isAway, loadDbos, openPool, patient, unreachable } from './connect.ts';
import { runStore } from './run-store.ts';
import { makeTables } from './schema.ts';
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
    async submit(spec: RunSpec, inputs: Readonly<Record<string, InputValue>>, priority: number): Promise<string> {
      const id = `${stamp(now())}-${randomBytes(3).toString('hex')}${spec.answeredBy ? `-${keysMark(spec.answeredBy)}` : ''}`;
      const given: Record<string, GivenInput> = {};
      try {
        for (const [name, value] of Object.entries(inputs))
          given[name] = isList(value) ? { stored: await store.addInputs(id, name, listOf(value, name)) } : { value };
        // Where the project lies is each worker's own business.
        await enqueue((own) => own.add(id, { ...spec, inputs: given, project: '' }, priority)).catch(async (error) => {
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
