import type { Block } from '../../matching/search-blocks.ts';
import { type LineReading, PIVOT, readLine } from './line-reading.ts';
import { areOfOneKind, areOpposites } from './opposites.ts';
import { isReplacedValue } from './replaced-value.ts';

/** A line that says nearly the same and the opposite of it. */
export interface Contradiction {
  place: string;
  line: number;
  text: string;
  why: 'negation' | 'number' | 'opposite';
}

const MOST_TOLD = 3;
const LEAST_SHARED = 0.6;

/** Lines of these blocks that likely contradict a text. Deterministic: words, negations, numbers and opposites. */
export function contradictionsWith(content: string, blocks: readonly Block[]): Contradiction[] {
  const own = linesOf(content).map(readLine);
  const found: Contradiction[] = [];
  for (const { place, line, text } of blocks)
    for (const [at, each] of text.split('\n').entries()) {
      const other = readLine(each);
      const why = own.map((reading) => contradicts(reading, other)).find((reason) => reason !== null);
      if (why) found.push({ place, line: line + at, text: each.trim(), why });
    }
  return found.slice(0, MOST_TOLD);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
}

function contradicts(a: LineReading, b: LineReading): Contradiction['why'] | null {
  if (a.subject.size === 0 || b.subject.size === 0) return null;
  const [onlyA, onlyB] = [without(a.subject, b.subject), without(b.subject, a.subject)];
  const isPositive = !a.negated && !b.negated;
  // `the left lens is …` and `the right lens is …` speak of two lenses.
  const isContrast = (x: string, y: string) =>
    (areOpposites(x, y) && !(a.naming.has(x) && b.naming.has(y))) ||
    (isPositive && areOfOneKind(x, y) && !(a.leading.has(x) && b.leading.has(y)));
  const contrasts = onlyA.filter((x) => onlyB.some((y) => isContrast(x, y)));
  const leftA = onlyA.filter((x) => !contrasts.includes(x));
  const leftB = onlyB.filter((y) => !onlyA.some((x) => isContrast(x, y)));
  const shared = a.subject.size - onlyA.length;
  const differ = a.numbers.length > 0 && a.numbers.length === b.numbers.length && a.numbers.join() !== b.numbers.join();
  if (isPositive && !differ && contrasts.length === 0) {
    if (shared > 0 && (excludes(a, b, { leftA, leftB }) || excludes(b, a, { leftA: leftB, leftB: leftA })))
      return 'opposite';
    if (isReplacedValue(a.words, b.words)) return 'opposite';
  }
  // Where each has something of its own, or two things differ at once, they speak of two things.
  if ((leftA.length > 0 && leftB.length > 0) || contrasts.length > 1) return null;
  const total = shared + (leftA.length + leftB.length) / 2;
  if (total === 0 ? contrasts.length === 0 : shared / total < LEAST_SHARED) return null;
  if (contrasts.length > 0) return a.negated === b.negated && !differ ? 'opposite' : null;
  if (onlyA.length + onlyB.length === 0 && areSwapped(a.order, b.order)) return 'opposite';
  if (a.negated !== b.negated) return differ ? null : 'negation';
  return differ && leftA.length + leftB.length === 0 ? 'number' : null;
}

// `only admins may invite` beside `everyone may invite` or `guests may invite`.
function excludes(
  a: LineReading,
  b: LineReading,
  { leftA, leftB }: { leftA: readonly string[]; leftB: readonly string[] },
): boolean {
  if (!a.isOnly || b.isOnly || leftA.length !== 1 || !leftA.every((word) => a.alone.has(word))) return false;
  return b.isAll ? leftB.length === 0 : leftB.length === 1;
}

// `tabs over spaces` and `spaces over tabs`.
function areSwapped(a: readonly string[], b: readonly string[]): boolean {
  const [at, bt] = [a.findIndex((word) => PIVOT.test(word)), b.findIndex((word) => PIVOT.test(word))];
  if (at === -1 || a[at] !== b[bt]) return false;
  const [rightA, rightB] = [new Set(a.slice(at + 1)), new Set(b.slice(bt + 1))];
  return a.slice(0, at).some((word) => rightB.has(word)) && b.slice(0, bt).some((word) => rightA.has(word));
}

function without(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => !b.has(word));
}
