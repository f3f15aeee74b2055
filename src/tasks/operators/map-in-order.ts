import type { ResultStore } from '../engine.ts';
import type { ListItem, ListSource } from '../inputs.ts';
import { badInput, failedResult, failure, isHalt, TaskFailure, type TaskResult, unlessHalted } from '../results.ts';

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

// The lowest failing index decides: those before it are finished, those after it are cancelled. So timing decides nothing.
export async function mapInOrder(job: MapJob): Promise<MapOutcome> {
  const { concurrency, signal, store } = job;
  const list = job.source.open();
  const items = Symbol.iterator in list ? list[Symbol.iterator]() : list[Symbol.asyncIterator]();
  const flying: ({ index: number; controller: AbortController } | null)[] = new Array(concurrency).fill(null);
  const ready = new Map<number, Ready>();
  let failed: { index: number; key: string; result: TaskResult } | null = null;
  let isOver = false;
  let [next, head] = [0, 0];
  let wake = (): void => {};

  const isEnding = (): boolean => isOver || failed !== null || signal.aborted;
  const stopAfter = (index: number): void => {
    for (const flight of flying) if (flight && flight.index > index) flight.controller.abort();
    wake();
  };
  const stopAll = (): void => stopAfter(-1);
  const fail = (index: number, key: string, result: TaskResult): void => {
    if (failed && failed.index < index) return;
    failed = { index, key, result };
    stopAfter(index);
  };
  const takeNext = async (): Promise<{ index: number; item: ListItem } | null> => {
    if (next > 0 && next % INPUTS_OF_A_TURN === 0) await job.nextTurn();
    while (!isEnding() && next - head >= MAX_AHEAD + concurrency)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const item = isEnding() ? null : await readNext(items, signal);
    if (item === null || isEnding()) isOver = true;
    else if (item instanceof TaskFailure) fail(next, String(next), failedResult(item.error));
    else {
      next += 1;
      return { index: next - 1, item };
    }
    return null;
  };
  // One after the other, whoever asks.
  let taking: ReturnType<typeof takeNext> = Promise.resolve(null);
  const take = (): typeof taking => {
    taking = taking.then(takeNext);
    return taking;
  };
  const work = async (lane: number): Promise<void> => {
    for (let taken = await take(); taken; taken = await take()) {
      const { index, item } = taken;
      const controller = new AbortController();
      flying[lane] = { index, controller };
      // Whatever goes wrong inside is a result; anything else is one too, so that no input is ever lost.
      const result = await job
        .evaluate(item, index, controller.signal)
        .catch((error) => failedResult(failure('unexpected_error', END, undefined, error).error));
      flying[lane] = null;
      if (result.status === 'FAILED') fail(index, item.key, result);
      else {
        job.onDone?.(item);
        ready.set(index, { item, result });
        for (let first = ready.get(head); first; first = ready.get(head)) {
          ready.delete(head);
          keep(store, head, first);
          head += 1;
        }
      }
      wake();
    }
  };

  signal.addEventListener('abort', stopAll, { once: true });
  try {
    await Promise.all(flying.map((_, lane) => work(lane)));
  } finally {
    signal.removeEventListener('abort', stopAll);
    Promise.resolve(items.return?.()).catch(() => {});
  }
  const end = failed as { index: number; key: string; result: TaskResult } | null;
  if (signal.aborted && (end === null || isHalt(end.result.notes.error))) {
    for (const [index, result] of [...ready].sort(([a], [b]) => a - b)) keep(store, index, result);
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
    return badInput('The list could not be read to its end.', 'Check the list.', error);
  }
}

interface Ready {
  item: ListItem;
  result: TaskResult;
}

function keep(store: ResultStore, inputIndex: number, { item, result }: Ready): void {
  store.add({ inputIndex, key: item.key, output: result.content, notes: result.notes });
}
