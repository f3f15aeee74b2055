import type { Match } from '../memory-system.ts';

/** What one task sees. Its parts stay apart until a prompt is made. */
export interface Frame {
  readonly taskText: string;
  readonly inherited: string;
  readonly accumulated: string;
  readonly fresh: string;
  /** For a reduction: what the inner tasks found. */
  readonly results: string;
  readonly matches: readonly Match[];
  /** What a person should know of how it came about. */
  readonly warnings: readonly string[];
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

// The parent context of what is below: the parts after one another, added and never merged, without headings.
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
