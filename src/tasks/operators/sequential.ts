import type { Run, Seen, Surroundings } from '../engine.ts';
import { scopeFor } from '../inputs.ts';
import { failedBelow, type PartialResult, type TaskResult, withWarnings } from '../results.ts';
import type { SequentialTask } from '../template/template.ts';
import { assembleFrame, contextBelow, stepTitle } from './frame.ts';

// Each step inherits from the sequence; what earlier steps found reaches every direct step, if the sequence gathers it.
export async function runSequential(
  task: SequentialTask,
  around: Surroundings,
  { run, seen }: { run: Run; seen: Seen },
): Promise<TaskResult> {
  const { settings, steps } = task;
  const scope = scopeFor(task, around.scope);
  const frame = await assembleFrame(task, { scope, around, run });
  seen.frame = frame;
  const parent = contextBelow(frame);
  const finished: PartialResult[] = [];
  const gathered: string[] = [];
  const done = new Map<string, TaskResult>();
  const stepScope = { values: {}, outer: scope, steps: done };
  let previous: TaskResult | undefined;
  for (const [stepIndex, step] of steps.entries()) {
    const result = await run.evaluate(step, {
      ...around,
      parent,
      accumulated: gathered.join('\n\n'),
      scope: stepScope,
      previous,
      path: `${around.path}.${stepIndex + 1}`,
    });
    if (result.status === 'FAILED')
      return failedBelow(`Step ${stepIndex + 1} of ${steps.length}`, result.notes.error, {
        failedStep: stepIndex,
        totalSteps: steps.length,
        ...(settings.accumulateData ? { partialResults: Object.freeze(finished) } : {}),
      });
    if (settings.accumulateData) {
      const { content: output, notes } = result;
      const title = `Step ${stepIndex + 1} (${stepTitle(step, stepScope)})`;
      const whole = settings.accumulationFormat === 'full_output';
      finished.push({ stepIndex, output, notes });
      gathered.push(whole ? `${title}\n${output}\nNotes: ${notes.summary}` : `${title}\n${notes.summary}`);
    }
    previous = result;
    done.set(String(stepIndex + 1), result).set(step.name, result);
  }
  if (previous) return previous;
  const notes = withWarnings({ summary: '' }, ['The sequence has no steps yet.']);
  return { status: 'COMPLETE', content: '', notes };
}
