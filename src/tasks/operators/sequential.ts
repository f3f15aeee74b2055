import { scopeFor } from '../inputs.ts';
import { failedResult, isHalt, type PartialResult, type TaskResult, withWarnings } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import type { SequentialTask } from '../template/template.ts';
import { assembleFrame } from './assemble-frame.ts';
import { fillText } from './fill-text.ts';
import { contextBelow } from './frame.ts';
import { recordStep } from './record.ts';

// Each step inherits from the sequence; what earlier steps found reaches every direct step, if the sequence gathers it.
export async function runSequential(task: SequentialTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const { settings, steps } = task;
  const scope = scopeFor(task, around.scope);
  const taskText = fillText(task.description, { scope });
  const frame = await assembleFrame(
    {
      settings,
      taskText,
      parent: around.parent,
      accumulated: around.accumulated,
      results: around.results,
      filePaths: task.filePaths.map((path) => fillText(path, { scope })),
    },
    { run, path: around.path, stop: around.stop },
  );
  const ended = async (end: TaskResult): Promise<TaskResult> => {
    if (run.onRecord) await recordStep({ task, frame, result: end, around }, run);
    return end;
  };
  const parent = contextBelow(frame);
  const finished: PartialResult[] = [];
  let accumulated = '';
  const done = new Map<string, TaskResult>();
  let previous: TaskResult | undefined;
  let result: TaskResult = { status: 'COMPLETE', content: '', notes: { summary: '' } };
  for (const [stepIndex, step] of steps.entries()) {
    result = await run.evaluate(step, {
      parent,
      accumulated,
      results: around.results,
      scope: { values: {}, outer: scope, steps: done },
      ...(previous ? { previous } : {}),
      stop: around.stop,
      inputPath: around.inputPath,
      path: `${around.path}.${stepIndex + 1}`,
    });
    if (result.status === 'FAILED') return ended(failAt(stepIndex, { task, result, finished }));
    previous = result;
    done.set(String(stepIndex + 1), result);
    done.set(step.name, result);
    if (settings.accumulateData) {
      finished.push(partialOf(stepIndex, result, settings.accumulationFormat));
      accumulated += `${accumulated === '' ? '' : '\n\n'}${gathered(stepIndex, step.name, result, settings.accumulationFormat)}`;
    }
  }
  const own = steps.length === 0 ? [...frame.warnings, 'The sequence has no steps yet.'] : frame.warnings;
  return ended({ ...result, notes: withWarnings(result.notes, own) });
}

type Format = 'notes_only' | 'full_output' | null;

function gathered(stepIndex: number, name: string, { content, notes }: TaskResult, format: Format): string {
  const title = `Step ${stepIndex + 1} (${name})`;
  return format === 'full_output' ? `${title}\n${content}\nNotes: ${notes.summary}` : `${title}\n${notes.summary}`;
}

function partialOf(stepIndex: number, { content, notes }: TaskResult, format: Format): PartialResult {
  return { stepIndex, output: format === 'full_output' ? content : notes.summary, notes };
}

function failAt(
  failedStep: number,
  at: { task: SequentialTask; result: TaskResult; finished: readonly PartialResult[] },
): TaskResult {
  const { task, result, finished } = at;
  const cause = result.notes.error;
  const partial = task.settings.accumulateData ? { partialResults: Object.freeze([...finished]) } : {};
  const stopped = isHalt(cause);
  return failedResult(
    {
      type: 'TASK_FAILURE',
      reason: stopped ? 'execution_halted' : 'subtask_failure',
      message: `Step ${failedStep + 1} of ${task.steps.length} ${stopped ? 'was stopped' : 'failed'}: ${cause?.message ?? ''}`,
      ...(cause?.hint ? { hint: cause.hint } : {}),
      details: { failedStep, totalSteps: task.steps.length, ...partial, ...(cause ? { cause } : {}) },
    },
    partial,
  );
}
