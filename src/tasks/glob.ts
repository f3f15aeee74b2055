import { invalidInput } from '../errors.ts';

// Segment by segment, without regular expressions: no pattern can blow up.
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
  return {
    matches: (path) => matchFrom(segments, 0, path.split('/'), 0, false),
    mayHold: (folder) => matchFrom(segments, 0, folder.split('/'), 0, true),
  };
}

// The same two-pointer way twice: `**` over segments here, `*` over characters below.
function matchFrom(pattern: string[], from: number, path: string[], at: number, prefix: boolean): boolean {
  let [p, s] = [from, at];
  let [star, mark] = [-1, 0];
  while (s < path.length) {
    if (pattern[p] === '**') {
      if (prefix) return true;
      [star, mark] = [p, s];
      p += 1;
    } else if (p < pattern.length && matchSegment(pattern[p] as string, path[s] as string)) {
      p += 1;
      s += 1;
    } else if (star !== -1) {
      mark += 1;
      [p, s] = [star + 1, mark];
    } else return false;
  }
  if (prefix) return p < pattern.length;
  while (pattern[p] === '**') p += 1;
  return p === pattern.length;
}

function matchSegment(pattern: string, text: string): boolean {
  // As in a shell: a leading dot is matched only by a dot.
  if (text.startsWith('.') && !pattern.startsWith('.')) return false;
  let [p, s] = [0, 0];
  let [star, mark] = [-1, 0];
  while (s < text.length) {
    if (pattern[p] === '*') {
      [star, mark] = [p, s];
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[s])) {
      p += 1;
      s += 1;
    } else if (star !== -1) {
      mark += 1;
      [p, s] = [star + 1, mark];
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
