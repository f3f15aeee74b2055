import { cutWarnings } from '../../matching/query.ts';
import type { Match, MatchingInput } from '../memory-system.ts';
import { type CallAnswer, type CallEffects, performCall } from '../perform-call.ts';
import type { Step, StepCall, StepRunner } from '../steps.ts';
import type { Stop } from '../stop.ts';
import type { Settings } from '../template/context-settings.ts';
import type { Frame } from './frame.ts';

export interface FrameInput {
  settings: Settings;
  taskText: string;
  /** The parent's context as it is. */
  parent: string;
  /** What the enclosing sequence has gathered; empty when it does not accumulate or there is nothing yet. */
  accumulated: string;
  results: string;
  /** Files of the project that it gets whole. */
  filePaths: readonly string[];
}

export interface FrameEffects {
  run: CallEffects & { steps: StepRunner; freshMaxChars: number };
  path: string;
  stop: Stop;
}

// full: the parent unchanged. none: nothing. subset: filtered by the memory system, fresh or not.
export function assembleFrame(input: FrameInput, effects: FrameEffects): Frame | Promise<Frame> {
  const { settings, taskText, parent, accumulated, results } = input;
  const filters = settings.inheritContext === 'subset' && parent !== '';
  if (!filters && settings.freshContext === 'disabled' && input.filePaths.length === 0) {
    const inherited = settings.inheritContext === 'full' ? parent : '';
    return Object.freeze({ taskText, inherited, accumulated, fresh: '', results, matches: [], warnings: [] });
  }
  return assembleWithMemory(input, effects, filters);
}

async function assembleWithMemory(input: FrameInput, effects: FrameEffects, filters: boolean): Promise<Frame> {
  const { settings, taskText, parent, accumulated, results } = input;
  const asked: MatchingInput = Object.freeze({
    taskText,
    ...(settings.inheritContext !== 'none' && parent !== '' ? { inheritedContext: parent } : {}),
    ...(accumulated !== '' ? { previousOutputs: accumulated } : {}),
  });
  let inherited = settings.inheritContext === 'full' ? parent : '';
  const warnings = cutWarnings(taskText);
  if (filters) {
    const answer = await throughStep({ kind: 'filter', input: asked }, effects);
    inherited = typeof answer === 'string' ? answer : answer.context;
    if (typeof answer !== 'string' && answer.missed) warnings.push(NO_SUBSET);
  }
  let [fresh, matches]: [string, readonly Match[]] = ['', []];
  if (input.filePaths.length > 0) {
    const files = await throughStep({ kind: 'files', paths: input.filePaths }, effects);
    [fresh, matches] = [files.text, files.matches];
    warnings.push(...(files.warnings ?? []));
  }
  if (settings.freshContext === 'enabled') {
    const answer = await throughStep({ kind: 'fresh', input: asked, maxChars: effects.run.freshMaxChars }, effects);
    fresh = [fresh, answer.text].filter((text) => text !== '').join('\n');
    matches = [...matches, ...answer.matches];
    warnings.push(...(answer.warnings ?? []));
  }
  return Object.freeze({
    taskText,
    inherited,
    accumulated,
    fresh,
    results,
    matches: Object.freeze([...matches]),
    warnings: Object.freeze([...new Set(warnings)]),
  });
}

const NO_SUBSET = 'inherit_context subset: nothing of the parent context fits the task, so all of it is passed on.';

// Kept like a model's answer: files may change between a crash and its resume.
function throughStep<C extends StepCall>(call: C, { run, path, stop }: FrameEffects): Promise<CallAnswer<C>> {
  const step: Step = { key: `${path}#${call.kind}`, call, stop };
  return run.steps.step(step, () => performCall(call, run, { stop }));
}
