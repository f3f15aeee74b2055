import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { type Evaluating, type Run, SEEN_PARTS, type StepRecord, type Surroundings } from '../engine.ts';
import { type InputValue, lookUp, type Scope, scopeFor, stepValue } from '../inputs.ts';
import {
  failedResult,
  failure,
  halted,
  type TaskError,
  TaskFailure,
  type TaskResult,
  withWarnings,
} from '../results.ts';
import { APPROVE, type Frame, performCall } from '../steps.ts';
import { type InputSpec, placeholdersIn, type Task, type TaskOf } from '../template/template.ts';
import { extractOf, runAtomic, runScript } from './atomic.ts';
import { fillText } from './frame.ts';
import { runReduce } from './reduce.ts';
import { runLoop, runSequential } from './sequential.ts';

// The main path of a run: one task, its operator, a result. It never throws: every failure is a result.
export function evaluateTask(
  task: Task,
  around: Surroundings,
  effects: Omit<Run, 'evaluate' | 'call'>,
): Promise<TaskResult> {
  const run: Run = {
    ...effects,
    evaluate: (inner, at) => evaluate(inner, at, run),
    call: (key, call, signal, judge) =>
      effects.steps.step({ key, call, signal, judge }, async () => {
        const answer = await performCall(call, effects, { signal, key });
        await judge?.(answer);
        return answer;
      }),
  };
  return run.evaluate(task, around);
}

async function evaluate(task: Task, around: Surroundings, run: Run): Promise<TaskResult> {
  const { id } = task;
  const { inputPath } = around;
  const startedMs = run.clockMs();
  run.onEvent?.({ event: 'started', id, inputPath, type: task.type, name: task.name });
  const seen: Evaluating['seen'] = { frame: null, question: null };
  let result: TaskResult;
  try {
    if (around.signal.aborted) throw halted();
    result = await (OPERATE[task.type] as Operate<Task>)(task, around, { run, seen });
  } catch (error) {
    result = failedResult(errorOf(error));
  }
  const { frame, question } = seen;
  if (frame) result = { ...result, notes: withWarnings(result.notes, frame.warnings) };
  if (frame && run.onRecord) {
    const ms = Math.round(run.clockMs() - startedMs);
    const texts = { ...frame, question: question ?? frame.taskText, output: result.content };
    const record = { ...recordOf(task, around, frame, result), ...(await measured(texts, run)), ms };
    run.onRecord(record, { frame, texts: SEEN_PARTS.map((part) => texts[part]) });
  }
  for (const message of result.notes.warnings ?? []) run.onEvent?.({ event: 'warning', id, inputPath, message });
  run.onEvent?.({ event: 'ended', id, inputPath, status: result.status, result });
  return result;
}

type Operate<T> = (task: T, around: Surroundings, at: Evaluating) => Promise<TaskResult>;
const OPERATE: { [K in Task['type']]: Operate<TaskOf<K>> } = {
  atomic: runAtomic,
  sequential: runSequential,
  reduce: runReduce,
  call: runCall,
  script: runScript,
  director_evaluator_loop: runLoop,
  approve: runApprove,
};

// The template that is called sees its parameters and nothing else by name; context reaches it like any other task.
function runCall(task: TaskOf<'call'>, around: Surroundings, { run }: Evaluating): Promise<TaskResult> {
  const values: Record<string, InputValue> = {};
  for (const input of task.inputs) {
    const value = parameter(input, around.scope);
    if (value !== undefined) values[input.name] = value;
  }
  return run.evaluate(task.target, { ...around, scope: { values, outer: null }, path: `${around.path}.call` });
}

function parameter({ name, fallback, from }: InputSpec, scope: Scope | null): InputValue | undefined {
  const given = from === null ? undefined : stepValue(scope, from);
  if (given !== undefined) return given;
  if (fallback === null) return lookUp(scope, name);
  // A value alone is handed over as it is: a list stays a list.
  const [only] = placeholdersIn(fallback);
  if (only !== undefined && fallback.replace(/\s/g, '') === `{{${only}}}`) return lookUp(scope, only) ?? '';
  return fillText(fallback, { scope });
}

// Waits for the person. Their answer is in the journal like any other: it is given once and not asked for again.
async function runApprove(
  task: TaskOf<'approve'>,
  around: Surroundings,
  { run, seen }: Evaluating,
): Promise<TaskResult> {
  const { previous, signal } = around;
  const question = fillText(task.description, { scope: scopeFor(task, around.scope), results: around.results });
  const shown = previous?.content ?? around.accumulated;
  const call = { kind: 'approve', question, shown } as const;
  const { answer, text, reason } = await run.call(`${around.path}${APPROVE}`, call, signal);
  const empty = { inherited: '', fresh: '', results: '', matches: [], warnings: [] };
  seen.frame = Object.freeze({ ...empty, taskText: question, accumulated: shown });
  if (answer === 'decline')
    throw new TaskFailure({
      type: 'TASK_FAILURE',
      reason: 'execution_halted',
      message: `The person declined${reason?.trim() ? `: ${reason.trim()}` : '.'}`,
      hint: 'Change the template or its inputs, then run it again.',
      details: { declined: true },
    });
  const content = answer === 'edit' ? (text ?? '') : shown;
  if (!previous || content !== previous.content)
    return { status: 'COMPLETE', content, notes: { summary: extractOf(content), derived: true } };
  // As it was: with all that is known of it but how it was made.
  return { ...previous, notes: { summary: previous.notes.summary } };
}

function errorOf(error: unknown): TaskError {
  if (error instanceof TaskFailure) return error.error;
  const known = error instanceof BearingsError ? error : null;
  return failure('unexpected_error', known?.message ?? 'Something unexpected ended the task.', known?.hint).error;
}

function recordOf({ type, ...task }: Task, around: Surroundings, frame: Frame, result: TaskResult) {
  const { id, name } = task;
  const { path, inputPath, scope } = around;
  const { matches, warnings } = frame;
  const key = task.role === 'inner_task' ? scope?.values.key : undefined;
  return {
    ...{ id, inputPath, path, type, name, status: result.status },
    ...(typeof key === 'string' ? { key } : {}),
    model: type === 'atomic' ? (result.notes.model ?? task.model) : null,
    matches,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

type SeenPart = (typeof SEEN_PARTS)[number];

async function measured(texts: Readonly<Record<SeenPart, string>>, { countTokens }: Run) {
  const parts = SEEN_PARTS.map(async (part) => {
    const text = texts[part];
    const tokens = text === '' ? 0 : await countTokens(text);
    return [part, { chars: text.length, tokens, sha256: sha256(text) }];
  });
  return Object.fromEntries(await Promise.all(parts)) as Pick<StepRecord, SeenPart>;
}
