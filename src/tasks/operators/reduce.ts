import {
  type Inputs,
  type InputValue,
  type ListItem,
  type ListSource,
  listOf,
  lookUp,
  type Scope,
  scopeFor,
} from '../inputs.ts';
import {
  exhausted,
  type FailureDetails,
  failedResult,
  isHalt,
  type PartialResult,
  type TaskError,
  type TaskResult,
  withWarnings,
} from '../results.ts';
import type { ResultStore, Run, Surroundings } from '../run-parts.ts';
import type { Stop } from '../stop.ts';
import type { ReduceTask } from '../template/template.ts';
import { assembleFrame } from './assemble-frame.ts';
import { fillText } from './fill-text.ts';
import { contextBelow } from './frame.ts';
import { type MapOutcome, mapInOrder } from './map-in-order.ts';
import { recordStep } from './record.ts';

interface Reducing {
  task: ReduceTask;
  around: Surroundings;
  run: Run;
  scope: Scope | null;
  /** What inner tasks and the reduction inherit from. */
  parent: string;
}

// Every input through the inner task, then the results through the reduction, in the order of the inputs.
export async function runReduce(task: ReduceTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const scope = scopeFor(task, around.scope);
  const source = sourceFor(task, scope);
  const taskText = fillText(task.description, { scope, list: task.over });
  const frame = await assembleFrame(
    {
      settings: task.settings,
      taskText,
      parent: around.parent,
      accumulated: around.accumulated,
      results: around.results,
      filePaths: task.filePaths.map((path) => fillText(path, { scope, list: task.over })),
    },
    { run, path: around.path, stop: around.stop },
  );
  const reducing: Reducing = { task, around, run, scope, parent: contextBelow(frame) };
  const store = run.newStore();
  try {
    const reduced = await mapAndReduce(reducing, source, store);
    const result = { ...reduced, notes: withWarnings(reduced.notes, frame.warnings) };
    if (run.onRecord) await recordStep({ task, frame, result, around }, run);
    return result;
  } finally {
    store.close();
  }
}

async function mapAndReduce(reducing: Reducing, source: ListSource, store: ResultStore): Promise<TaskResult> {
  const outcome = await mapInputs(reducing, source, store);
  if (outcome.status !== 'done') return failInner(outcome, store);
  return store.count === 0 ? nothingToReduce() : reduceAll(reducing, store);
}

function sourceFor(task: ReduceTask, scope: Scope | null): ListSource {
  if (task.over !== null) return listOf(lookUp(scope, task.over), task.over);
  const lists: string[] = [];
  for (let at = scope; at !== null; at = at.outer)
    for (const [name, value] of Object.entries(at.values)) if (typeof value === 'object') lists.push(name);
  const name = lists[0] ?? 'inputs';
  return listOf(lookUp(scope, name), name);
}

function mapInputs(reducing: Reducing, source: ListSource, store: ResultStore): Promise<MapOutcome> {
  const { task, around, run, scope, parent } = reducing;
  let done = 0;
  const total = run.onEvent ? source.count : null;
  return mapInOrder({
    source,
    store,
    concurrency: task.concurrency,
    stop: around.stop,
    nextTurn: run.nextTurn,
    evaluate: (item, index, stop) =>
      run.evaluate(task.inner, {
        parent,
        accumulated: '',
        results: '',
        scope: { values: namesOf(item, index), outer: scope, itemName: task.over },
        stop,
        inputPath: [...around.inputPath, index],
        path: `${around.path}.inner:${index}`,
      }),
    onDone: ({ key }) => {
      done += 1;
      run.onEvent?.({ event: 'inputs', id: task.id, inputPath: around.inputPath, done, total, key });
    },
  });
}

function namesOf({ key, value }: ListItem, index: number): Inputs {
  return { item: value as InputValue, key, index: String(index) };
}

// One reduction, or with fan_in a tree of them: each level combines so many neighbours at a time.
async function reduceAll(reducing: Reducing, inner: ResultStore): Promise<TaskResult> {
  const { task, around, run } = reducing;
  if (task.fanIn === null || inner.count <= task.fanIn) {
    const all = tooLargeFor(inner, run.limitsFor(task.reduction, null).context) ?? joinResults(inner.all());
    const result =
      typeof all === 'string' ? await combine(reducing, { results: all, place: '', stop: around.stop }) : all;
    return result.status === 'FAILED' ? failReduction(result, inner) : result;
  }
  let level = inner;
  let last: TaskResult | null = null;
  let height = 0;
  while (last === null) {
    const upper = run.newStore();
    const isTop = level.count <= task.fanIn;
    const place = height;
    try {
      const outcome = await mapInOrder({
        source: groupsOf(level, task.fanIn),
        store: upper,
        concurrency: task.concurrency,
        stop: around.stop,
        nextTurn: run.nextTurn,
        evaluate: async (group, index, stop) => {
          const { results, only } = group.value as Group;
          // Nothing to combine: it goes up as it is.
          if (only !== null && !isTop) return { status: 'COMPLETE', content: only.output, notes: only.notes };
          const result = await combine(reducing, { results, place: `:${place}:${index}`, stop });
          if (isTop) last = result;
          return result;
        },
      });
      if (outcome.status === 'failed') return failReduction(outcome.result, inner);
      if (outcome.status === 'halted') return failInner(outcome, inner);
    } finally {
      if (level !== inner) level.close();
      level = upper;
      height += 1;
    }
  }
  level.close();
  return last;
}

interface Combining {
  results: string;
  /** Level and group in the tree of a `fan_in`. */
  place: string;
  stop: Stop;
}

function combine(reducing: Reducing, { results, place, stop }: Combining): Promise<TaskResult> {
  const { task, around, run, scope, parent } = reducing;
  const path = `${around.path}.reduction${place}`;
  const surroundings = { parent, accumulated: '', results, scope, stop, inputPath: around.inputPath, path };
  return run.evaluate(task.reduction, surroundings);
}

interface Group {
  results: string;
  /** The one result of a group of one. */
  only: PartialResult | null;
}

function groupsOf(store: ResultStore, size: number): ListSource {
  return {
    count: Math.ceil(store.count / size),
    open() {
      const results = store.all()[Symbol.iterator]();
      let index = 0;
      return {
        next() {
          const group: PartialResult[] = [];
          while (group.length < size) {
            const { done, value } = results.next();
            if (done) break;
            group.push(value);
          }
          if (group.length === 0) return null;
          index += 1;
          const value: Group = { results: joinResults(group), only: group.length === 1 ? (group[0] ?? null) : null };
          return { key: `group ${index}`, value };
        },
        close: () => void results.return?.(),
      };
    },
  };
}

function joinResults(results: Iterable<PartialResult>): string {
  const parts: string[] = [];
  for (const { inputIndex, key, output } of results) parts.push(`Result ${(inputIndex ?? 0) + 1} (${key})\n${output}`);
  return parts.join('\n\n');
}

// Joined texts that can never fit are not even put together.
function tooLargeFor(store: ResultStore, limit: number): TaskResult | null {
  let chars = 0;
  for (const { output } of store.all()) {
    chars += output.length + 12;
    if (chars > limit * 64) return failedResult(exhausted('context', Math.ceil(chars / 4), limit).error);
  }
  return null;
}

function nothingToReduce(): TaskResult {
  return { status: 'COMPLETE', content: '', notes: { summary: '', warnings: ['The list has no inputs.'] } };
}

function failInner(outcome: Exclude<MapOutcome, { status: 'done' }>, store: ResultStore): TaskResult {
  if (outcome.status === 'halted')
    return failed(
      { reason: 'execution_halted', message: 'The reduce was stopped.' },
      { failedPhase: 'inner_task' },
      store,
    );
  const cause = outcome.result.notes.error;
  return failed(
    {
      reason: 'subtask_failure',
      message: `Input ${outcome.index + 1} (${outcome.key}) failed: ${cause?.message ?? ''}`,
      cause,
    },
    { failedPhase: 'inner_task', failedInputIndex: outcome.index, failedInputKey: outcome.key },
    store,
  );
}

function failReduction(result: TaskResult, store: ResultStore): TaskResult {
  const cause = result.notes.error;
  const reason = isHalt(cause) ? 'execution_halted' : 'subtask_failure';
  const message = `The reduction ${isHalt(cause) ? 'was stopped' : 'failed'}: ${cause?.message ?? ''}`;
  return failed({ reason, message, cause }, { failedPhase: 'reduction_task' }, store);
}

function failed(
  why: { reason: 'execution_halted' | 'subtask_failure'; message: string; cause?: TaskError | undefined },
  details: FailureDetails,
  store: ResultStore,
): TaskResult {
  const partialResults = Object.freeze([...store.all()]);
  const { reason, message, cause } = why;
  return failedResult(
    {
      type: 'TASK_FAILURE',
      reason,
      message,
      ...(cause?.hint ? { hint: cause.hint } : {}),
      details: { ...details, partialResults, ...(cause ? { cause } : {}) },
    },
    { partialResults },
  );
}
