import { askMemory, type Match, type MatchingInput, type MemorySystem, wrongAnswer } from './memory-system.ts';
import type { Settings } from './settings.ts';
import type { Stop } from './stop.ts';

/** What one task sees. Its parts stay apart until a prompt is made. */
export interface Frame {
  readonly taskText: string;
  readonly inherited: string;
  readonly accumulated: string;
  readonly fresh: string;
  /** For a reduction: what the inner tasks found. */
  readonly results: string;
  readonly matches: readonly Match[];
}

export interface Headings {
  inherited: string;
  accumulated: string;
  fresh: string;
  results: string;
  task: string;
}

export const DEFAULT_HEADINGS: Headings = {
  inherited: 'Context',
  accumulated: 'What earlier steps found',
  fresh: 'Related files',
  results: 'Results to combine',
  task: 'Task',
};

export interface FrameInput {
  settings: Settings;
  taskText: string;
  /** The parent's context as it is. */
  parent: string;
  /** What the enclosing sequence has gathered; empty when it does not accumulate or there is nothing yet. */
  accumulated: string;
  results: string;
}

export interface FrameEffects {
  memory: MemorySystem;
  freshMaxChars: number;
  stop: Stop;
}

// full: the parent unchanged. none: nothing. subset: filtered by the memory system, fresh or not.
export function assembleFrame(input: FrameInput, effects: FrameEffects): Frame | Promise<Frame> {
  const { settings, taskText, parent, accumulated, results } = input;
  const filters = settings.inheritContext === 'subset' && parent !== '';
  if (!filters && settings.freshContext === 'disabled') {
    const inherited = settings.inheritContext === 'full' ? parent : '';
    return Object.freeze({ taskText, inherited, accumulated, fresh: '', results, matches: [] });
  }
  return assembleWithMemory(input, effects, filters);
}

async function assembleWithMemory(input: FrameInput, effects: FrameEffects, filters: boolean): Promise<Frame> {
  const { settings, taskText, parent, accumulated, results } = input;
  const { memory, stop } = effects;
  const asked: MatchingInput = Object.freeze({
    taskText,
    ...(settings.inheritContext !== 'none' && parent !== '' ? { inheritedContext: parent } : {}),
    ...(accumulated !== '' ? { previousOutputs: accumulated } : {}),
  });
  let inherited = settings.inheritContext === 'full' ? parent : '';
  if (filters) {
    const answer = await askMemory('filter', () => memory.getRelevantContextFor(asked, { subset: true }), stop);
    if (typeof answer?.context !== 'string') throw wrongAnswer();
    inherited = answer.context;
  }
  let [fresh, matches]: [string, readonly Match[]] = ['', []];
  if (settings.freshContext === 'enabled') {
    const answer = await askMemory('fresh', () => memory.freshContext(asked, effects.freshMaxChars), stop);
    if (typeof answer?.text !== 'string' || !Array.isArray(answer.matches)) throw wrongAnswer();
    [fresh, matches] = [answer.text, answer.matches];
  }
  return Object.freeze({ taskText, inherited, accumulated, fresh, results, matches: Object.freeze([...matches]) });
}

// The parent context of what stands below: the parts after one another, added and never merged, without headings.
export function contextBelow(frame: Frame): string {
  return [frame.inherited, frame.accumulated, frame.fresh].filter((part) => part !== '').join('\n\n');
}

export function joinForPrompt(frame: Frame, prompt: string, headings: Headings): string {
  let text = '';
  const add = (heading: string, part: string): void => {
    if (part !== '') text += `# ${heading}\n\n${part}\n\n`;
  };
  add(headings.inherited, frame.inherited);
  add(headings.accumulated, frame.accumulated);
  add(headings.fresh, frame.fresh);
  add(headings.results, frame.results);
  return text === '' ? prompt : `${text}# ${headings.task}\n\n${prompt}`;
}
