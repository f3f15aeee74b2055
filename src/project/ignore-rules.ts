export interface IgnoreRule {
  /** The folder whose file holds the rule, with a `/` at its end; empty for the top. */
  base: string;
  glob: string;
  negated: boolean;
  foldersOnly: boolean;
  /** Meant from the base on; else it fits a name at any depth. */
  anchored: boolean;
}

// The lines of one .gitignore file, as git reads them.
export function parseIgnoreFile(text: string, base: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    let glob = withoutTrailingBlanks(line);
    if (glob === '' || glob.startsWith('#')) return [];
    const negated = glob.startsWith('!');
    if (negated) glob = glob.slice(1);
    const foldersOnly = glob.endsWith('/');
    if (foldersOnly) glob = glob.slice(0, -1);
    const anchored = glob.includes('/');
    if (glob.startsWith('/')) glob = glob.slice(1);
    return [{ base, glob, negated, foldersOnly, anchored }];
  });
}

function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

// The last rule that fits decides; rules of deeper folders come later.
export function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRule[]): boolean {
  const fitting = rules.findLast((rule) => {
    if ((rule.foldersOnly && !isFolder) || !path.startsWith(rule.base)) return false;
    const below = path.slice(rule.base.length);
    return rule.anchored ? globFits(rule.glob, below) : globFits(rule.glob, below.slice(below.lastIndexOf('/') + 1));
  });
  return fitting !== undefined && !fitting.negated;
}

export function globFits(glob: string, path: string): boolean {
  if (path.length > LONGEST_PATH || glob.length > LONGEST_GLOB) return false;
  const first = glob.search(SPECIAL);
  if (first === -1) return glob === path;
  if (!path.startsWith(glob.slice(0, first))) return false;
  return (CLASS_OR_ESCAPE.test(glob) || path.endsWith(lastLetters(glob))) && walk(glob, path);
}

const SPECIAL = /[*?[\\]/;
const CLASS_OR_ESCAPE = /[[\\]/;

// What any path that fits ends with; a slash after stars may stand for no folder at all.
function lastLetters(glob: string): string {
  const tail = glob.slice(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1);
  return tail.startsWith('/') ? tail.slice(1) : tail;
}

// No regular expression: a hostile pattern of many stars may not cost more than pattern times path.
function walk(glob: string, path: string): boolean {
  const states = new Map<number, boolean>();
  const fits = (g: number, p: number): boolean => {
    const key = g * (path.length + 1) + p;
    const known = states.get(key);
    if (known !== undefined) return known;
    const result = step(g, p);
    states.set(key, result);
    return result;
  };
  const step = (g: number, p: number): boolean => {
    if (g === glob.length) return p === path.length;
    const character = glob[g];
    if (glob.startsWith('**/', g) && (g === 0 || glob[g - 1] === '/')) {
      if (fits(g + 3, p)) return true;
      const next = path.indexOf('/', p);
      return next !== -1 && fits(g, next + 1);
    }
    if (glob.slice(g) === '**' && (g === 0 || glob[g - 1] === '/')) return p < path.length;
    if (character === '*') return fits(g + 1, p) || (p < path.length && path[p] !== '/' && fits(g, p + 1));
    if (p === path.length) return false;
    if (character === '?') return path[p] !== '/' && fits(g + 1, p + 1);
    if (character === '[') {
      const end = endOfClass(glob, g, path[p] as string);
      return end !== null && path[p] !== '/' && fits(end, p + 1);
    }
    const literal = character === '\\' && g + 1 < glob.length ? 1 : 0;
    return glob[g + literal] === path[p] && fits(g + literal + 1, p + 1);
  };
  return fits(0, 0);
}

const LONGEST_PATH = 1024;
const LONGEST_GLOB = 256;

// Where the class at `start` ends, if the character is in it; null if it is not, or if the class never ends.
function endOfClass(glob: string, start: number, character: string): number | null {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const first = negated ? start + 2 : start + 1;
  const signAt = (place: number) => (glob[place] === '\\' ? place + 1 : place);
  let inside = false;
  for (let at = first; at < glob.length; at += 1) {
    if (glob[at] === ']' && at > first) return inside === negated ? null : at + 1;
    at = signAt(at);
    const from = glob[at] as string;
    // Also of a range from right to left git takes its beginning.
    inside ||= from === character;
    if (glob[at + 1] === '-' && glob[at + 2] !== ']') {
      at = signAt(at + 2);
      inside ||= from <= character && character <= (glob[at] ?? '');
    }
  }
  return null;
}
