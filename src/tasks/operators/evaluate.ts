import { BearingsError } from '../../errors.ts';
import { failedResult, halted, type TaskError, TaskFailure, type TaskResult } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import type { Task } from '../template/template.ts';
import { runApprove } from './approve.ts';
import { runAtomic } from './atomic.ts';
import { runCall } from './call.ts';
import { runLoop } from './loop.ts';
import { partMeter } from './record.ts';
import { runReduce } from './reduce.ts';
import { runScript } from './script.ts';
import { runSequential } from './sequential.ts';

export type RunEffects = Omit<Run, 'evaluate' | 'measure'>;

// The main path of a run: one task, its operator, a result. It never throws: every failure is a result.
export function evaluateTask(task: Task, around: Surroundings, effects: RunEffects): Promise<TaskResult> {
  const run: Run = { ...effects, measure: partMeter(effects), evaluate: (inner, at) => evaluate(inner, at, run) };
  return run.evaluate(task, around);
}

async function evaluate(task: Task, at: Surroundings, run: Run): Promise<TaskResult> {
  const { id } = task;
  const around = { ...at, startedMs: run.clockMs() };
  const { inputPath } = around;
  run.onEvent?.({ event: 'started', id, inputPath, type: task.type, name: task.name });
  let result: TaskResult;
  try {
    if (around.stop.stopped) throw halted();
    result = await operate(task, around, run);
  } catch (error) {
    result = failedResult(errorOf(error));
  }
  for (const message of result.notes.warnings ?? []) run.onEvent?.({ event: 'warning', id, inputPath, message });
  run.onEvent?.({ event: 'ended', id, inputPath, status: result.status, result });
  return result;
}

function operate(task: Task, around: Surroundings, run: Run): Promise<TaskResult> {
  switch (task.type) {
    case 'atomic':
      return runAtomic(task, around, run);
    case 'sequential':
      return runSequential(task, around, run);
    case 'reduce':
      return runReduce(task, around, run);
    case 'call':
      return runCall(task, around, run);
    case 'script':
      return runScript(task, around, run);
    case 'director_evaluator_loop':
      return runLoop(task, around, run);
    case 'approve':
      return runApprove(task, around, run);
  }
}

function errorOf(error: unknown): TaskError {
  if (error instanceof TaskFailure) return withCause(error.error, error.cause);
  const known = error instanceof BearingsError ? error : null;
  return withCause(
    {
      type: 'TASK_FAILURE',
      reason: 'unexpected_error',
      message: known?.message ?? 'Something unexpected ended the task.',
      ...(known?.hint ? { hint: known.hint } : {}),
    },
    error,
  );
}

// For a developer's eyes only: it is not printed and not sent anywhere, since it may hold raw system text.
function withCause(error: TaskError, cause: unknown): TaskError {
  return cause === undefined
    ? error
    : Object.defineProperty({ ...error }, 'cause', { value: cause, enumerable: false });
}
