import { endsWith, matcherOf, type Step, startOf, stepInto, type Token } from './pattern.ts';

export interface IgnoreRule {
  /** The folder whose file holds the rule, with a `/` at its end; empty for the top. */
  base: string;
  negated: boolean;
  foldersOnly: boolean;
  /** Asked with a path from the base on. */
  fits(path: string): boolean;
}

const LONGEST_PATH = 1024;
const LONGEST_GLOB = 256;

// The lines of one .gitignore file, as git reads them.
export function parseIgnoreFile(text: string, base: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    let glob = withoutTrailingBlanks(line);
    if (glob === '' || glob.startsWith('#')) return [];
    const negated = glob.startsWith('!');
    if (negated) glob = glob.slice(1);
    const foldersOnly = glob.endsWith('/');
    if (foldersOnly) glob = glob.slice(0, -1);
    // With a slash it is meant from the base on; else it fits a name at any depth.
    const isAnchored = glob.includes('/');
    const fits = pathMatcher(glob.startsWith('/') ? glob.slice(1) : glob);
    return [
      { base, negated, foldersOnly, fits: isAnchored ? fits : (path) => fits(path.slice(path.lastIndexOf('/') + 1)) },
    ];
  });
}

function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

// The last rule that fits decides; rules of deeper folders come later.
export function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRule[]): boolean {
  const fitting = rules.findLast(
    ({ base, foldersOnly, fits }) =>
      (isFolder || !foldersOnly) && path.startsWith(base) && fits(path.slice(base.length)),
  );
  return fitting !== undefined && !fitting.negated;
}

// A pattern of git's language: beside stars and question marks it knows classes and escapes, and `**` finds hidden names.
export function pathMatcher(glob: string): (path: string) => boolean {
  const steps = glob.length > LONGEST_GLOB ? null : stepsIn(glob);
  return (path) => {
    if (steps === null || path.length > LONGEST_PATH) return false;
    const names = path.split('/');
    const name = names.pop() as string;
    const positions = names.reduce((before, folder) => stepInto(steps, before, folder, false), startOf(steps));
    return endsWith(steps, positions, name);
  };
}

// Null where a class never ends: then nothing fits. A slash inside a class ends no step.
function stepsIn(glob: string): Step[] | null {
  const steps: Step[] = [];
  let [tokens, from]: [Token[], number] = [[], 0];
  for (let at = 0; at <= glob.length; at += 1) {
    const character = glob[at];
    const isEscaped = character === '\\' && glob[at + 1] === '/';
    if (character === undefined || character === '/' || isEscaped) {
      const written = glob.slice(from, at);
      if (written !== '**') steps.push(matcherOf(tokens, written));
      else steps.push('**', ...(character === undefined ? [() => true] : []));
      if (isEscaped) at += 1;
      [tokens, from] = [[], at + 1];
    } else if (character === '*') tokens.push('*');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const found = classAt(glob, at);
      if (found === null) return null;
      tokens.push(found.has);
      at = found.end;
    } else {
      if (character === '\\' && at + 1 < glob.length) at += 1;
      const literal = glob[at];
      tokens.push((other) => other === literal);
    }
  }
  return steps;
}

function classAt(glob: string, start: number): { end: number; has(character: string): boolean } | null {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const first = negated ? start + 2 : start + 1;
  const literalAt = (place: number) => (glob[place] === '\\' ? place + 1 : place);
  const ranges: [from: string, to: string][] = [];
  for (let at = first; at < glob.length; at += 1) {
    if (glob[at] === ']' && at > first) {
      // Also of a range from right to left git takes its beginning.
      const has = (one: string) => ranges.some(([from, to]) => one === from || (from <= one && one <= to)) !== negated;
      return { end: at, has };
    }
    at = literalAt(at);
    const from = glob[at] as string;
    const isRange = glob[at + 1] === '-' && glob[at + 2] !== ']';
    if (isRange) at = literalAt(at + 2);
    ranges.push([from, isRange ? (glob[at] ?? '') : from]);
  }
  return null;
}
