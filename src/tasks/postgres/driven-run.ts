import { sha256 } from '../../files/sha256.ts';
import type { OpenRun, RunSpec } from '../engine.ts';
import type { InputValue } from '../inputs.ts';
import { statusOf } from '../io/run-files.ts';
import type { TaskResult } from '../results.ts';
import type { RunEvent } from '../run-parts.ts';
import type { StepRunner } from '../steps.ts';
import { type CallQueue, slimCall } from './calls.ts';
import type { RunRow, RunStore } from './run-store.ts';
import type { WorkerLock } from './worker-lock.ts';
import type { SeenStep, WorkerStore } from './worker-store.ts';

export interface DrivenRun extends OpenRun {
  inputs: Record<string, InputValue>;
  tell(event: RunEvent): void;
}

interface Driving {
  row: RunRow;
  store: RunStore;
  own: WorkerStore;
  calls: CallQueue;
  life: Pick<WorkerLock, 'lost' | 'confirm'>;
}

const FLUSH_MS = 250;
const LOOK_FOR_CANCEL_MS = 500;
const MAX_SEEN_TEXT = 1024 * 1024;
const MAX_SEEN_TOTAL = 64 * 1024 * 1024;
const MAX_KNOWN_HASHES = 10_000;
const MAX_TOLD = 20_000;

// A run in the hands of one worker: its calls go to the queues, what it says goes to the tables in batches.
export function drivenRun({ row, store, own, calls, life }: Driving): DrivenRun {
  const { id, spec, priority } = row;
  let events: RunEvent[] = [];
  let progress = new Map<string, RunEvent>();
  let steps: (Omit<SeenStep, 'agoMs'> & { endedMs: number })[] = [];
  let texts = new Map<string, string>();
  const written = new Set<string>();
  let seenSize = 0;
  let told = 0;
  let flushing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const batch = [...events, ...progress.values()];
    const [seen, said] = [steps, texts];
    [events, progress, steps, texts] = [[], new Map(), [], new Map()];
    flushing = flushing.then(async () => {
      await life.confirm();
      await own.addEvents(id, batch);
      await own.keepTexts(id, said);
      const nowMs = performance.now();
      await own.addSeen(
        id,
        seen.map(({ record, ms, endedMs }) => ({ record, ms, agoMs: nowMs - endedMs })),
      );
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
        return (await calls.ask(
          { ...step, call: slimCall(call, call.model ?? spec.model) },
          { run: id, priority },
        )) as never;
      // The memory system's answers come from this worker's own files, and are kept: they may differ elsewhere.
      const asked = sha256(JSON.stringify(call));
      const before = await store.storedStep(id, step.key, asked);
      if (before) return before.value as never;
      const value = await work();
      await life.confirm();
      return (await own.keepStep(id, { key: step.key, asked, value })) as never;
    },
  };

  return {
    id,
    spec,
    inputs: storedInputs(store, id, spec),
    steps: runner,
    cancelled: AbortSignal.any([cancelling.signal, life.lost]),
    tell(event) {
      const isInner = event.inputPath.length > 0;
      if (event.event === 'inputs') progress.set(`${event.id} ${event.inputPath.join('.')}`, event);
      else if (event.event === 'warning' ? told < MAX_TOLD : !isInner) {
        told += 1;
        events.push(event.event === 'ended' ? { ...event, result: { ...event.result, content: '' } } : event);
      }
    },
    record(record, { texts: seen, ms }) {
      steps.push({ record, ms, endedMs: performance.now() });
      for (const text of seen) {
        if (text === '' || text.length > MAX_SEEN_TEXT || seenSize > MAX_SEEN_TOTAL) continue;
        const hash = sha256(text);
        if (written.has(hash)) continue;
        // Forgotten ones are sent again, which does no harm: the set must not grow with the list.
        if (written.size >= MAX_KNOWN_HASHES) written.clear();
        written.add(hash);
        seenSize += text.length;
        texts.set(hash, text);
      }
    },
    async end(result: TaskResult) {
      await close();
      await life.confirm();
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
