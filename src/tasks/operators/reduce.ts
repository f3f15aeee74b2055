import type { Evaluating, Run, Surroundings } from '../engine.ts';
import { type InputValue, type ListSource, listOf, lookUp, type Scope, scopeFor } from '../inputs.ts';
import { type ResultStore, spillingStore } from '../io/result-store.ts';
import { failedBelow, failedResult, halted, type PartialResult, type TaskResult } from '../results.ts';
import type { TaskOf } from '../template/template.ts';
import { assembleBelow } from './frame.ts';
import { type MapJob, type MapOutcome, mapInOrder } from './map-in-order.ts';

type MapAll = (job: Pick<MapJob, 'source' | 'store' | 'evaluate' | 'onDone'>) => Promise<MapOutcome>;

// Every input through the inner task, then the results through the reduction, in the order of the inputs.
export async function runReduce(task: TaskOf<'reduce'>, around: Surroundings, at: Evaluating): Promise<TaskResult> {
  const { run } = at;
  const source = sourceFor(task, scopeFor(task, around.scope));
  const { scope, parent } = await assembleBelow(task, around, at);
  const { signal, inputPath, path } = around;
  const below = { ...around, scope, parent, accumulated: '', results: '', previous: undefined };
  const mapAll: MapAll = (job) => mapInOrder({ ...job, concurrency: task.concurrency, signal, nextTurn: run.nextTurn });
  let done = 0;
  const total = run.onEvent ? source.count : null;
  const store = spillingStore();
  try {
    const outcome = await mapAll({
      source,
      store,
      evaluate: (item, index, stop) => {
        const values = { item: item.value as InputValue, key: item.key, index: String(index) };
        const place = { inputPath: [...inputPath, index], path: `${path}.inner:${index}` };
        return run.evaluate(task.inner, {
          ...{ ...below, ...place, signal: stop },
          scope: { values, outer: scope, itemName: task.over },
        });
      },
      onDone: ({ key }) => {
        done += 1;
        run.onEvent?.({ event: 'inputs', id: task.id, inputPath, done, total, key });
      },
    });
    if (outcome.status !== 'done') return failInner(outcome, store);
    if (store.count > 0) return await reduceAll(task, store, { run, below, mapAll });
    return { status: 'COMPLETE', content: '', notes: { summary: '', warnings: ['The list has no inputs.'] } };
  } finally {
    store.close();
  }
}

function sourceFor(task: TaskOf<'reduce'>, scope: Scope | null): ListSource {
  let name = task.over;
  for (let at = scope; at !== null && name === null; at = at.outer)
    name = Object.keys(at.values).find((key) => typeof at?.values[key] === 'object') ?? null;
  return listOf(lookUp(scope, name ?? 'inputs'), name ?? 'inputs');
}

// A tree of reductions: each level combines `fan_in` neighbours at a time, or all of them in one.
async function reduceAll(
  task: TaskOf<'reduce'>,
  inner: ResultStore,
  { run, below, mapAll }: { run: Run; below: Surroundings; mapAll: MapAll },
): Promise<TaskResult> {
  const size = task.fanIn ?? Number.POSITIVE_INFINITY;
  let level = inner;
  let last: TaskResult | null = null;
  for (let height = 0; last === null; height += 1) {
    const upper = spillingStore();
    const isTop = level.count <= size;
    try {
      const outcome = await mapAll({
        source: groupsOf(level, size),
        store: upper,
        evaluate: async (item, index, signal) => {
          const group = item.value as PartialResult[];
          const [only] = group;
          // Nothing to combine: it goes up as it is.
          if (only && group.length === 1 && !isTop)
            return { status: 'COMPLETE', content: only.output, notes: only.notes };
          const place = isTop && height === 0 ? '' : `:${height}:${index}`;
          const at = { ...below, signal, path: `${below.path}.reduction${place}` };
          const result = await run.evaluate(task.reduction, { ...at, results: joinResults(group) });
          if (isTop) last = result;
          return result;
        },
      });
      if (outcome.status === 'failed') return failReduction(outcome.result, inner);
      if (outcome.status === 'halted') return failReduction(failedResult(halted().error), inner);
    } finally {
      if (level !== inner) level.close();
      level = upper;
    }
  }
  level.close();
  return last;
}

function groupsOf(store: ResultStore, size: number): ListSource {
  const count = Math.max(1, Math.ceil(store.count / size));
  return {
    count,
    *open() {
      const results = store.all()[Symbol.iterator]();
      for (let index = 1; index <= count; index += 1) {
        const group: PartialResult[] = [];
        for (let next = results.next(); !next.done; next = results.next()) if (group.push(next.value) === size) break;
        yield { key: `group ${index}`, value: group };
      }
    },
  };
}

function joinResults(results: readonly PartialResult[]): string {
  return results.map(({ inputIndex = 0, key, output }) => `Result ${inputIndex + 1} (${key})\n${output}`).join('\n\n');
}

function failInner(outcome: Exclude<MapOutcome, { status: 'done' }>, store: ResultStore): TaskResult {
  const partialResults = Object.freeze([...store.all()]);
  const details = { failedPhase: 'inner_task' as const, partialResults };
  if (outcome.status === 'halted') {
    const message = 'The reduce was stopped.';
    return failedResult({ type: 'TASK_FAILURE', reason: 'execution_halted', message, details }, { partialResults });
  }
  const { index, key, result } = outcome;
  return failedBelow(`Input ${index + 1} (${key})`, result.notes.error, {
    ...details,
    failedInputIndex: index,
    failedInputKey: key,
  });
}

function failReduction({ notes }: TaskResult, store: ResultStore): TaskResult {
  const partialResults = Object.freeze([...store.all()]);
  return failedBelow('The reduction', notes.error, { failedPhase: 'reduction_task', partialResults });
}
