import { type Scope, scopeFor } from '../inputs.ts';
import { failedResult, isHalt, type PartialResult, type TaskResult, withWarnings } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import type { LoopTask, Task } from '../template/template.ts';
import { assembleFrame } from './assemble-frame.ts';
import { fillText } from './fill-text.ts';
import { contextBelow } from './frame.ts';
import { recordStep } from './record.ts';

type Phase = 'director' | 'script' | 'evaluator';

interface Round {
  director: TaskResult;
  script: TaskResult | null;
  evaluator: TaskResult;
}

interface Looping {
  task: LoopTask;
  around: Surroundings;
  run: Run;
  scope: Scope | null;
  parent: string;
  /** The newest result of each part: what `from` leads to. */
  newest: Map<string, TaskResult>;
}

// A proposal, a try and a judgement, again and again until the judgement says so or the rounds are used up.
export async function runLoop(task: LoopTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const { settings } = task;
  const scope = scopeFor(task, around.scope);
  const frame = await assembleFrame(
    {
      settings,
      taskText: fillText(task.description, { scope }),
      parent: around.parent,
      accumulated: around.accumulated,
      results: around.results,
      filePaths: task.filePaths.map((path) => fillText(path, { scope })),
    },
    { run, path: around.path, stop: around.stop },
  );
  const looping: Looping = { task, around, run, scope, parent: contextBelow(frame), newest: new Map() };
  const ended = async (end: TaskResult): Promise<TaskResult> => {
    const result = { ...end, notes: withWarnings(end.notes, frame.warnings) };
    if (run.onRecord) await recordStep({ task, frame, result, around }, run);
    return result;
  };
  const finished: PartialResult[] = [];
  let accumulated = '';
  for (let round = 0; ; round += 1) {
    const outcome = await runRound(looping, round, accumulated);
    if ('failed' in outcome) return ended(failIn(outcome.failed, { task, round, result: outcome.result, finished }));
    run.onEvent?.({
      event: 'inputs',
      id: task.id,
      inputPath: around.inputPath,
      done: round + 1,
      total: task.maxIterations,
      key: `round ${round + 1}`,
    });
    if (settings.accumulateData) {
      accumulated += `${accumulated === '' ? '' : '\n\n'}${told(round, outcome, settings.accumulationFormat)}`;
      const { content, notes } = outcome.director;
      finished.push({
        stepIndex: round,
        output: settings.accumulationFormat === 'full_output' ? content : notes.summary,
        notes,
      });
    }
    const { director, evaluator } = outcome;
    const isDone = fieldOf(evaluator.parsedContent, task.stop.field) === task.stop.equals;
    if (!isDone && round + 1 < task.maxIterations) continue;
    const warning = `After ${round + 1} ${round === 0 ? 'round' : 'rounds'} ${task.stop.field} is not ${task.stop.equals}.`;
    return ended({
      status: 'COMPLETE',
      content: director.content,
      parsedContent: { rounds: round + 1, done: isDone, feedback: evaluator.parsedContent ?? null },
      notes: withWarnings({ ...director.notes, summary: director.notes.summary }, isDone ? [] : [warning]),
    });
  }
}

type Outcome = Round | { failed: Phase; result: TaskResult };

async function runRound(looping: Looping, round: number, accumulated: string): Promise<Outcome> {
  const { task } = looping;
  const ask = async (phase: Phase, part: Task, results: string): Promise<TaskResult> => {
    const result = await evaluatePart(looping, part, { phase, round, accumulated, results });
    looping.newest.set(phase, result);
    return result;
  };
  const director = await ask('director', task.director, '');
  if (director.status === 'FAILED') return { failed: 'director', result: director };
  const made = `Director\n${director.content}`;
  const script = task.script ? await ask('script', task.script, made) : null;
  if (script?.status === 'FAILED') return { failed: 'script', result: script };
  const tried = script ? `${made}\n\nScript\n${script.content}` : made;
  const evaluator = await ask('evaluator', task.evaluator, tried);
  if (evaluator.status === 'FAILED') return { failed: 'evaluator', result: evaluator };
  return { director, script, evaluator };
}

interface Turn {
  phase: Phase;
  round: number;
  accumulated: string;
  results: string;
}

function evaluatePart(looping: Looping, part: Task, { phase, round, accumulated, results }: Turn): Promise<TaskResult> {
  const { around, run, scope, parent, newest } = looping;
  return run.evaluate(part, {
    parent,
    accumulated,
    results,
    scope: { values: { round: String(round + 1) }, outer: scope, steps: newest },
    stop: around.stop,
    inputPath: around.inputPath,
    path: `${around.path}.round:${round}.${phase}`,
    ...(newest.has('director') && phase !== 'director' ? { previous: newest.get('director') as TaskResult } : {}),
  });
}

function told(round: number, { director, script, evaluator }: Round, format: string | null): string {
  const say = (name: string, { content, notes }: TaskResult): string =>
    `${name}: ${format === 'full_output' ? content : notes.summary}`;
  const parts = [say('Director', director), ...(script ? [say('Script', script)] : []), say('Evaluator', evaluator)];
  return `Round ${round + 1}\n${parts.join('\n')}`;
}

function fieldOf(value: unknown, path: string): string | undefined {
  let at: unknown = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'object' ? JSON.stringify(at) : String(at);
}

function failIn(
  failedPhase: Phase,
  at: { task: LoopTask; round: number; result: TaskResult; finished: readonly PartialResult[] },
): TaskResult {
  const { task, round, result, finished } = at;
  const cause = result.notes.error;
  const partial = task.settings.accumulateData ? { partialResults: Object.freeze([...finished]) } : {};
  const stopped = isHalt(cause);
  return failedResult(
    {
      type: 'TASK_FAILURE',
      reason: stopped ? 'execution_halted' : 'subtask_failure',
      message: `The ${failedPhase} of round ${round + 1} ${stopped ? 'was stopped' : 'failed'}: ${cause?.message ?? ''}`,
      ...(cause?.hint ? { hint: cause.hint } : {}),
      details: { failedPhase, failedRound: round, ...partial, ...(cause ? { cause } : {}) },
    },
    partial,
  );
}
