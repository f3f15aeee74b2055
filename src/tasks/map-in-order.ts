import type { ListItem, ListReader, ListSource } from './inputs.ts';
import { failedResult, failure, halted, isHalt, TaskFailure, type TaskResult } from './results.ts';
import type { ResultStore } from './run-parts.ts';
import { Stop, unlessStopped } from './stop.ts';

export interface MapJob {
  source: ListSource;
  concurrency: number;
  stop: Stop;
  store: ResultStore;
  evaluate(item: ListItem, index: number, stop: Stop): Promise<TaskResult>;
  onDone?(item: ListItem): void;
}

export type MapOutcome =
  | { status: 'done' }
  | { status: 'failed'; index: number; key: string; result: TaskResult }
  | { status: 'halted' };

// So far ahead of the slowest input others may run: bounds what waits in memory for its turn.
const MAX_AHEAD = 1_024;

interface Flight {
  item: ListItem;
  stop: Stop;
}

// The lowest failing index decides: those before it are finished, those after it are cancelled. So timing decides nothing.
export async function mapInOrder(job: MapJob): Promise<MapOutcome> {
  const flying = new Map<number, Flight>();
  const waiting = new Map<number, { item: ListItem; result: TaskResult }>();
  let failed: { index: number; key: string; result: TaskResult } | null = null;
  let next = 0;
  let head = 0;
  let wake: (() => void) | null = null;

  const settle = (index: number, item: ListItem, result: TaskResult): void => {
    const flight = flying.get(index);
    flying.delete(index);
    flight?.stop.release();
    if (result.status === 'FAILED') {
      if (!failed || index < failed.index) {
        failed = { index, key: item.key, result };
        for (const [other, { stop }] of [...flying]) if (other > index) stop.stop();
      }
    } else {
      waiting.set(index, { item, result });
      job.onDone?.(item);
      for (let ready = waiting.get(head); ready; ready = waiting.get(head)) {
        waiting.delete(head);
        keep(job.store, head, ready);
        head += 1;
      }
    }
    const waker = wake;
    wake = null;
    waker?.();
  };
  const somethingSettles = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const launch = (index: number, item: ListItem): void => {
    const stop = new Stop(job.stop);
    flying.set(index, { item, stop });
    // Whatever goes wrong inside is a result; anything else is one too, so that no input is ever lost.
    job.evaluate(item, index, stop).then(
      (result) => settle(index, item, result),
      (error) =>
        settle(
          index,
          item,
          failedResult(failure('unexpected_error', 'An input ended unexpectedly.', undefined, error).error),
        ),
    );
  };

  const reader = job.source.open();
  try {
    for (;;) {
      while (flying.size >= job.concurrency || next - head >= MAX_AHEAD + job.concurrency) await somethingSettles();
      if (failed || job.stop.stopped) break;
      const item = await readNext(reader, job.stop);
      if (item === null) break;
      if (item instanceof TaskFailure) {
        if (!failed) failed = { index: next, key: String(next), result: failedResult(item.error) };
        break;
      }
      if (failed) break;
      launch(next, item);
      next += 1;
    }
    while (flying.size > 0) await somethingSettles();
  } finally {
    reader.close();
  }
  const end = failed as { index: number; key: string; result: TaskResult } | null;
  if (job.stop.stopped && (end === null ? true : isHalt(end.result.notes.error))) {
    for (const index of [...waiting.keys()].sort((a, b) => a - b)) keep(job.store, index, waiting.get(index));
    return { status: 'halted' };
  }
  return end ? { status: 'failed', ...end } : { status: 'done' };
}

// An input that can't be read fails like any other: it has its index, and those before it are kept.
async function readNext(reader: ListReader, stop: Stop): Promise<ListItem | null | TaskFailure> {
  try {
    const item = reader.next();
    return item instanceof Promise ? await unlessStopped(stop, item, halted) : item;
  } catch (error) {
    if (stop.stopped) return null;
    if (error instanceof TaskFailure) return error;
    return failure('input_validation_failure', 'The list could not be read to its end.', 'Check the list.', error);
  }
}

function keep(store: ResultStore, inputIndex: number, ready: { item: ListItem; result: TaskResult } | undefined): void {
  if (ready) store.add({ inputIndex, key: ready.item.key, output: ready.result.content, notes: ready.result.notes });
}
