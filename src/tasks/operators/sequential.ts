import type { Evaluating, Surroundings } from '../engine.ts';
import { valueAt } from '../inputs.ts';
import { failedBelow, type PartialResult, type TaskResult, withWarnings } from '../results.ts';
import type { TaskOf } from '../template/template.ts';
import { assembleBelow, stepTitle } from './frame.ts';

// Each step inherits from the sequence; what earlier steps found reaches every direct step, if the sequence gathers it.
export async function runSequential(
  task: TaskOf<'sequential'>,
  around: Surroundings,
  at: Evaluating,
): Promise<TaskResult> {
  const { run } = at;
  const { settings, steps } = task;
  const { scope, parent } = await assembleBelow(task, around, at);
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

const PHASES = ['director', 'script', 'evaluator'] as const;

// A proposal, a try and a judgement, again and again until the judgement says so or the rounds are used up.
export async function runLoop(
  task: TaskOf<'director_evaluator_loop'>,
  around: Surroundings,
  at: Evaluating,
): Promise<TaskResult> {
  const { run } = at;
  const { settings, stop, maxIterations } = task;
  const { scope, parent } = await assembleBelow(task, around, at);
  const finished: PartialResult[] = [];
  const gathered: string[] = [];
  // The newest result of each part: what `from` leads to.
  const newest = new Map<string, TaskResult>();
  for (let round = 0; ; round += 1) {
    const made: string[] = [];
    const notes: string[] = [`Round ${round + 1}`];
    for (const phase of PHASES) {
      const part = task[phase];
      if (!part) continue;
      const result = await run.evaluate(part, {
        ...around,
        parent,
        accumulated: gathered.join('\n\n'),
        results: made.join('\n\n'),
        scope: { values: { round: String(round + 1) }, outer: scope, steps: newest },
        previous: phase === 'director' ? undefined : newest.get('director'),
        path: `${around.path}.round:${round}.${phase}`,
      });
      newest.set(phase, result);
      if (result.status === 'FAILED')
        return failedBelow(`The ${phase} of round ${round + 1}`, result.notes.error, {
          failedPhase: phase,
          failedRound: round,
          ...(settings.accumulateData ? { partialResults: Object.freeze(finished) } : {}),
        });
      const title = `${phase[0]?.toUpperCase()}${phase.slice(1)}`;
      made.push(`${title}\n${result.content}`);
      const isWhole = settings.accumulationFormat === 'full_output';
      notes.push(`${title}: ${isWhole ? result.content : result.notes.summary}`);
    }
    const [director, evaluator] = [newest.get('director'), newest.get('evaluator')] as [TaskResult, TaskResult];
    const done = round + 1;
    const { id } = task;
    const { inputPath } = around;
    run.onEvent?.({ event: 'inputs', id, inputPath, done, total: maxIterations, key: `round ${done}` });
    if (settings.accumulateData) {
      gathered.push(notes.join('\n'));
      finished.push({ stepIndex: round, output: director.content, notes: director.notes });
    }
    const field = valueAt(evaluator.parsedContent, stop.field.split('.'));
    const text = typeof field === 'object' ? JSON.stringify(field) : String(field);
    const isDone = field !== undefined && text === stop.equals;
    if (!isDone && done < maxIterations) continue;
    const warning = `After ${done} ${done === 1 ? 'round' : 'rounds'} ${stop.field} is not ${stop.equals}.`;
    return {
      status: 'COMPLETE',
      content: director.content,
      parsedContent: { rounds: done, done: isDone, feedback: evaluator.parsedContent ?? null },
      notes: withWarnings(director.notes, isDone ? [] : [warning]),
    };
  }
}
