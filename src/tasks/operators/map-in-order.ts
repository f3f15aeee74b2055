import type { ResultStore } from '../engine.ts';
import type { ListItem, ListSource } from '../inputs.ts';
import { failedResult, failure, isHalt, TaskFailure, type TaskResult, unlessHalted } from '../results.ts';

export interface MapJob {
  source: ListSource;
  concurrency: number;
  signal: AbortSignal;
  store: ResultStore;
  evaluate(item: ListItem, index: number, signal: AbortSignal): Promise<TaskResult>;
  onDone?(item: ListItem): void;
  /** Gives way to clocks and signals. */
  nextTurn(): Promise<void>;
}

export type MapOutcome =
  | { status: 'done' }
  | { status: 'failed'; index: number; key: string; result: TaskResult }
  | { status: 'halted' };

// So far ahead of the slowest input others may run: bounds what waits in memory for its turn.
const MAX_AHEAD = 1_024;
// After so many inputs others get their turn: models that answer at once would keep every deadline waiting to the end.
const INPUTS_OF_A_TURN = 256;

interface Flight {
  index: number;
  controller: AbortController;
}

// The lowest failing index decides: those before it are finished, those after it are cancelled. So timing decides nothing.
// Plain arrays for what is in flight: a Map that lives long and changes often keeps what was deleted from it alive for long.
export async function mapInOrder(job: MapJob): Promise<MapOutcome> {
  const flying: Flight[] = [];
  const waiting = new Map<number, Ready>();
  let failed: { index: number; key: string; result: TaskResult } | null = null;
  let next = 0;
  let head = 0;
  let wake: (() => void) | null = null;

  const settle = (flight: Flight, item: ListItem, result: TaskResult): void => {
    const { index } = flight;
    flying.splice(flying.indexOf(flight), 1);
    if (result.status === 'FAILED') {
      if (!failed || index < failed.index) {
        failed = { index, key: item.key, result };
        for (const other of [...flying]) if (other.index > index) other.controller.abort();
      }
    } else {
      job.onDone?.(item);
      if (index !== head) waiting.set(index, { item, result });
      else {
        keep(job.store, head, { item, result });
        head += 1;
        for (let ready = waiting.get(head); ready; ready = waiting.get(head)) {
          waiting.delete(head);
          keep(job.store, head, ready);
          head += 1;
        }
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
    const flight = { index, controller: new AbortController() };
    flying.push(flight);
    // Whatever goes wrong inside is a result; anything else is one too, so that no input is ever lost.
    job.evaluate(item, index, flight.controller.signal).then(
      (result) => settle(flight, item, result),
      (error) => settle(flight, item, failedResult(failure('unexpected_error', END, undefined, error).error)),
    );
  };
  const stopAll = (): void => {
    for (const { controller } of [...flying]) controller.abort();
  };

  const list = job.source.open();
  const items = Symbol.iterator in list ? list[Symbol.iterator]() : list[Symbol.asyncIterator]();
  job.signal.addEventListener('abort', stopAll, { once: true });
  try {
    for (;;) {
      while (flying.length >= job.concurrency || next - head >= MAX_AHEAD + job.concurrency) await somethingSettles();
      if (failed || job.signal.aborted) break;
      const item = await readNext(items, job.signal);
      if (item === null || failed || job.signal.aborted) break;
      if (item instanceof TaskFailure) {
        failed = { index: next, key: String(next), result: failedResult(item.error) };
        break;
      }
      launch(next, item);
      next += 1;
      if (next % INPUTS_OF_A_TURN === 0) await job.nextTurn();
    }
    while (flying.length > 0) await somethingSettles();
  } finally {
    job.signal.removeEventListener('abort', stopAll);
    Promise.resolve(items.return?.()).catch(() => {});
  }
  const end = failed as { index: number; key: string; result: TaskResult } | null;
  if (job.signal.aborted && (end === null || isHalt(end.result.notes.error))) {
    for (const index of [...waiting.keys()].sort((a, b) => a - b)) keep(job.store, index, waiting.get(index) as Ready);
    return { status: 'halted' };
  }
  return end ? { status: 'failed', ...end } : { status: 'done' };
}

const END = 'An input ended unexpectedly.';

// An input that can't be read fails like any other: it has its index, and those before it are kept.
async function readNext(
  items: Iterator<ListItem> | AsyncIterator<ListItem>,
  signal: AbortSignal,
): Promise<ListItem | null | TaskFailure> {
  try {
    const next = items.next();
    const { done, value } = next instanceof Promise ? await unlessHalted(signal, next) : next;
    return done ? null : value;
  } catch (error) {
    if (signal.aborted) return null;
    if (error instanceof TaskFailure) return error;
    return failure('input_validation_failure', 'The list could not be read to its end.', 'Check the list.', error);
  }
}

interface Ready {
  item: ListItem;
  result: TaskResult;
}

function keep(store: ResultStore, inputIndex: number, { item, result }: Ready): void {
  store.add({ inputIndex, key: item.key, output: result.content, notes: result.notes });
}
