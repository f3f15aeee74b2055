import { hasSurrogates } from '../code-points.ts';
import { invalidInput } from '../errors.ts';
import { whyNotPath } from '../safety/hidden-characters.ts';

// Why a path or pattern of a policy is refused, in words that finish "the pattern …"; null when it is fine.
// A pattern knows `*`, `?` and `**`; every other character is itself.
export function whyNotPattern(pattern: string): string | null {
  const reason = whyNotPath(pattern);
  if (reason) return reason;
  const segments = pattern.split('/');
  if (segments.some((segment) => segment !== '**' && segment.includes('**')))
    return 'may hold `**` only as a whole step between slashes';
  return segments.at(-1) === '**' ? 'must end with a file name or `*`' : null;
}

export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

// A pattern in its fixed part and the rest: `docs/design/*.md` is `docs/design` and `*.md`.
export function splitPattern(pattern: string): { base: string; rest: string } {
  const segments = pattern.split('/');
  const first = segments.findIndex(hasWildcard);
  const cut = first === -1 ? segments.length - 1 : first;
  return { base: segments.slice(0, cut).join('/'), rest: segments.slice(cut).join('/') };
}

/** One step of a pattern, ready to be asked. */
export type Step = '**' | ((name: string) => boolean);

/** Places in a pattern that a walk down the folders has reached; none: it can't match any more. */
export type Positions = readonly number[];

export function stepsOf(pattern: string): Step[] {
  return pattern.split('/').map((step) => (step === '**' ? step : nameMatcher(step)));
}

export function startOf(steps: readonly Step[]): Positions {
  return withSkipped(steps, [0]);
}

// How far the pattern is after one more folder. Sets of places instead of tries: no pattern can blow up.
export function stepInto(
  steps: readonly Step[],
  positions: Positions,
  folder: string,
  isHidden = folder.startsWith('.'),
): Positions {
  const next = new Set<number>();
  for (const at of positions) {
    const step = steps[at];
    if (step === '**') {
      if (!isHidden) next.add(at);
    } else if (at + 1 < steps.length && step?.(folder)) next.add(at + 1);
  }
  return next.size === 0 ? [] : withSkipped(steps, [...next]);
}

export function endsWith(steps: readonly Step[], positions: Positions, name: string): boolean {
  return lastStep(steps, positions)?.(name) ?? false;
}

/** What a name has to be to end here; null where no name can. */
export function lastStep(steps: readonly Step[], positions: Positions): Exclude<Step, string> | null {
  const last = steps[steps.length - 1];
  return typeof last === 'function' && positions.includes(steps.length - 1) ? last : null;
}

// Whether a path, or a folder on its way, is named by one of the patterns.
export function pathExcluder(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.map(stepsOf);
  return (path) => {
    const names = path.split('/');
    return all.some((steps) => {
      let positions = startOf(steps);
      return names.some((name) => {
        const isNamed = endsWith(steps, positions, name);
        positions = stepInto(steps, positions, name);
        return isNamed;
      });
    });
  };
}

// `**` stands for no folder as well.
function withSkipped(steps: readonly Step[], positions: readonly number[]): Positions {
  const all = new Set<number>();
  for (let at of positions) {
    all.add(at);
    while (steps[at] === '**') all.add(++at);
  }
  return [...all];
}

// Hidden names are only found by a step that starts with a dot itself.
function nameMatcher(step: string): (name: string) => boolean {
  const tokens = Array.from(step, (character): Token => {
    if (character === '*') return '*';
    return character === '?' ? () => true : (other) => other === character;
  });
  const fits = matcherOf(tokens, step);
  return step.startsWith('.') ? fits : (name) => !name.startsWith('.') && fits(name);
}

/** A part of a step: any number of characters, or one that it knows. */
export type Token = '*' | ((character: string) => boolean);

// No regular expression: each star is settled by the next one, so the work is at most the product of both lengths.
export function matcherOf(tokens: readonly Token[], written: string): (name: string) => boolean {
  const tail = /[^*?[\]\\]*$/.exec(written)?.[0] ?? '';
  if (tail === written) return (name) => name === written;
  return (name) => {
    if (!name.endsWith(tail)) return false;
    const text = hasSurrogates(name) ? Array.from(name) : name;
    let [at, to, star, mark] = [0, 0, -1, 0];
    while (to < text.length) {
      const token = tokens[at];
      if (token === '*') {
        star = at++;
        mark = to;
      } else if (token?.(text[to] as string)) {
        at += 1;
        to += 1;
      } else if (star !== -1) {
        at = star + 1;
        to = ++mark;
      } else return false;
    }
    while (tokens[at] === '*') at += 1;
    return at === tokens.length;
  };
}

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
