import { invalidInput } from '../errors.ts';
import { endsWith, type Positions, startOf, stepInto, stepsOf } from './pattern.ts';

/** A pattern of files that is asked path by path; what a step means is said in pattern.ts. */
export interface Glob {
  matches(path: string): boolean;
  /** False when nothing below this folder can match. */
  mayHold(folder: string): boolean;
}

const MAX_PATTERN = 1_000;

export function parseGlob(pattern: string): Glob {
  const hint = 'Use a pattern inside the project, for example: docs/**/*.md';
  if (pattern.length > MAX_PATTERN) throw invalidInput('The pattern is too long.', hint);
  if (/^(?:\/|\\|~|[A-Za-z]:)/.test(pattern) || pattern.includes('\0'))
    throw invalidInput('A pattern may not name a place outside of the project.', hint);
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw invalidInput('A pattern may not climb out of the project with "..".', hint);
  // `docs/**` means every file below docs.
  const steps = stepsOf([...segments, ...(segments.at(-1) === '**' ? ['*'] : [])].join('/'));
  const below = (folders: readonly string[]): Positions =>
    folders.reduce((positions, folder) => stepInto(steps, positions, folder), startOf(steps));
  return {
    matches(path) {
      const names = path.split('/');
      return endsWith(steps, below(names.slice(0, -1)), names.at(-1) as string);
    },
    mayHold: (folder) => below(folder.split('/')).length > 0,
  };
}
