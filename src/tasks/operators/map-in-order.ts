import type { ListItem, ListSource } from '../inputs.ts';
import type { ResultStore } from '../io/result-store.ts';
import { badInput, failedResult, isHalt, TaskFailure, type TaskResult, unlessHalted } from '../results.ts';

export interface MapJob {
  source: ListSource;
  concurrency: number;
  signal: AbortSignal;
  store: ResultStore;
  evaluate(item: ListItem, index: number, signal: AbortSignal): Promise<TaskResult>;
  onDone?: (item: ListItem) => void;
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
export async function mapInOrder({ source, concurrency, signal, store, ...job }: MapJob): Promise<MapOutcome> {
  const list = source.open();
  const items = Symbol.iterator in list ? list[Symbol.iterator]() : list[Symbol.asyncIterator]();
  const flying = new Map<number, { stop: AbortController; landed: Promise<void> }>();
  const ready = new Map<number, { item: ListItem; result: TaskResult }>();
  let failed: Extract<MapOutcome, { status: 'failed' }> | null = null;
  let [next, head] = [0, 0];

  const landing = () => Promise.race([...flying.values()].map(({ landed }) => landed));
  const stopAfter = (index: number): void => {
    for (const [at, { stop }] of flying) if (at > index) stop.abort();
  };
  const stopAll = (): void => stopAfter(-1);
  const fail = (index: number, key: string, result: TaskResult): void => {
    if (failed && failed.index < index) return;
    failed = { status: 'failed', index, key, result };
    stopAfter(index);
  };
  const keep = (index: number): boolean => {
    const done = ready.get(index);
    if (done)
      store.add({ inputIndex: index, key: done.item.key, output: done.result.content, notes: done.result.notes });
    return ready.delete(index);
  };
  const fly = async (index: number, item: ListItem, stop: AbortSignal): Promise<void> => {
    const result = await job.evaluate(item, index, stop);
    flying.delete(index);
    if (result.status === 'FAILED') fail(index, item.key, result);
    else {
      job.onDone?.(item);
      ready.set(index, { item, result });
      while (keep(head)) head += 1;
    }
  };

  signal.addEventListener('abort', stopAll, { once: true });
  try {
    while (!failed && !signal.aborted) {
      if (flying.size >= concurrency || next - head >= MAX_AHEAD + concurrency) {
        await landing();
        continue;
      }
      if (next > 0 && next % INPUTS_OF_A_TURN === 0) await job.nextTurn();
      const item = await readNext(items, signal);
      if (item === null || failed || signal.aborted) break;
      if (item instanceof TaskFailure) fail(next, String(next), failedResult(item.error));
      else {
        const flight = { stop: new AbortController(), landed: Promise.resolve() };
        // Before it begins: whatever it does can end it.
        flying.set(next, flight);
        flight.landed = fly(next, item, flight.stop.signal);
      }
      next += 1;
    }
    while (flying.size > 0) await landing();
  } finally {
    signal.removeEventListener('abort', stopAll);
    Promise.resolve(items.return?.()).catch(() => {});
  }
  const end = failed as Extract<MapOutcome, { status: 'failed' }> | null;
  if (!signal.aborted || (end && !isHalt(end.result.notes.error))) return end ?? { status: 'done' };
  for (const index of [...ready.keys()].sort((a, b) => a - b)) keep(index);
  return { status: 'halted' };
}

// An input that can't be read fails like any other: it has its index, and those before it are kept.
async function readNext(
  items: Iterator<ListItem> | AsyncIterator<ListItem>,
  signal: AbortSignal,
): Promise<ListItem | null | TaskFailure> {
  try {
    const { done, value } = await unlessHalted(signal, Promise.resolve(items.next()));
    return done ? null : value;
  } catch (error) {
    if (signal.aborted) return null;
    return error instanceof TaskFailure ? error : badInput('The list could not be read to its end.', 'Check the list.');
  }
}
