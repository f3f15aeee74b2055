import type { Block } from '../matching/search-blocks.ts';
import { createTokenizer } from '../matching/text/terms.ts';

/** A line that says nearly the same and the opposite of it. */
export interface Contradiction {
  place: string;
  line: number;
  text: string;
  why: 'negation' | 'number' | 'opposite';
}

const MOST_TOLD = 3;
const LEAST_SHARED = 0.6;
const NEGATION =
  /\b(?:not|never|no|nor|without|avoid|avoids|stop|stops|refuse|skip|forbid|forbidden|don['’]?t|doesn['’]?t|isn['’]?t|aren['’]?t|can['’]?t|cannot|won['’]?t|shouldn['’]?t|mustn['’]?t)\b/giu;
// A number behind such a word names a thing; it is no measure of one.
const NAMED =
  /\b(?:section|chapter|step|figure|fig|table|issue|frame|page|line|image|part|phase|day|week|room|room|item|note|task|run|adr|rfc|pr)s?\s*#?\d[\d.,]*/giu;
const DATE = /\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b/gu;
const NUMBER = /[+-]?\d[\d.,]*\s*(?:%|[a-zµ°]{1,4}\b)?/giu;
// Words of advice that say nothing of the subject.
const EMPTY = new Set(
  'always please should must do does use uses using be is are it its the a an to of for in on at by and or we i you this that prefer keep only all any every ever just very really'.split(
    ' ',
  ),
);

const OPPOSITES = pairs(
  'before/after first/last more/less warm/cool warmer/cooler light/dark bright/dark brighter/darker increase/decrease raise/lower high/low higher/lower long/short longer/shorter',
  'large/small larger/smaller big/small wide/narrow left/right top/bottom above/below include/exclude enable/disable enabled/disabled allow/forbid on/off early/late fast/slow hard/soft hot/cold',
  'open/closed locked/unlocked public/private sync/async tab/space tabs/spaces single/double single/multiple one/several uppercase/lowercase ascending/descending remove/add keep/remove keep/drop keep/delete accept/reject approve/reject online/offline',
  'start/end start/stop begin/end minimum/maximum least/most old/new oldest/newest horizontal/vertical inside/outside manual/automatic manually/automatically required/optional mandatory/optional quiet/loud calm/loud',
  'sharpen/soften sharp/soft lift/crush lighten/darken static/dynamic local/remote local/global together/apart together/separately merge/split merge/rebase shallow/deep full/empty formal/informal active/passive',
  'singular/plural simple/complex strict/loose strict/lenient daily/weekly metric/imperial british/american matte/glossy present/past up/down max/min thick/thin positive/negative internal/external',
);

const NUMBER_WORDS: Record<string, string> = {
  once: '1',
  twice: '2',
  thrice: '3',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  ten: '10',
};
const UNITS = new Set(
  'gram grams kilogram kilograms ounce ounces pound pounds metre metres meter meters foot feet inch inches mile miles litre litres gallon gallons celsius fahrenheit second seconds minute minutes hour hours day days week weeks month months'.split(
    ' ',
  ),
);
// locked and unlocked, visible and invisible: the same word with a prefix that turns it round.
const TURNED = /^(?:un|in|im|dis|non)(\p{L}{4,})$/u;

interface Reading {
  negated: boolean;
  numbers: string[];
  /** What it is about: its terms, without words of advice. */
  subject: ReadonlySet<string>;
  /** Its words that have an opposite. */
  poles: ReadonlySet<string>;
}

/** Lines of these blocks that likely contradict a text. Deterministic: words, negations, numbers and opposites. */
export function contradictionsWith(content: string, blocks: readonly Block[]): Contradiction[] {
  const own = linesOf(content).map(readingOf);
  const found: Contradiction[] = [];
  for (const { place, line, text } of blocks)
    for (const [at, each] of text.split('\n').entries()) {
      const other = readingOf(each);
      const why = own.map((reading) => contradicts(reading, other)).find((reason) => reason !== null);
      if (why) found.push({ place, line: line + at, text: each.trim(), why });
    }
  return found.slice(0, MOST_TOLD);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
}

function contradicts(a: Reading, b: Reading): Contradiction['why'] | null {
  if (a.subject.size === 0 || b.subject.size === 0) return null;
  const [onlyA, onlyB] = [without(a.subject, b.subject), without(b.subject, a.subject)];
  const opposite = onlyA.find((word) => onlyB.some((each) => areOpposites(word, each)));
  const rest = (words: readonly string[]) => words.filter((word) => !a.poles.has(word) && !b.poles.has(word));
  // Where each has something of its own, they speak of two things.
  const [leftA, leftB] = opposite === undefined ? [onlyA, onlyB] : [rest(onlyA), rest(onlyB)];
  if (leftA.length > 0 && leftB.length > 0) return null;
  const shared = a.subject.size - onlyA.length;
  const total = (a.subject.size - (onlyA.length - leftA.length) + b.subject.size - (onlyB.length - leftB.length)) / 2;
  if (total === 0 ? opposite === undefined : shared / total < LEAST_SHARED) return null;
  if (opposite !== undefined) return a.negated === b.negated ? 'opposite' : null;
  if (a.negated !== b.negated) return 'negation';
  const differ = a.numbers.length > 0 && a.numbers.length === b.numbers.length && a.numbers.join() !== b.numbers.join();
  return differ && leftA.length + leftB.length === 0 ? 'number' : null;
}

function readingOf(line: string): Reading {
  const plain = line
    .toLowerCase()
    .replace(/\p{L}+/gu, (word) => NUMBER_WORDS[word] ?? word)
    .replace(DATE, ' ')
    .replace(NAMED, (named) => named.replace(/\s*#?(\d)/, 'nr$1').replace(/[.,]/g, ''));
  const numbers = [...plain.matchAll(NUMBER)].filter(({ index }) => !/[\p{L}\d]/u.test(plain[index - 1] ?? ' '));
  const words = plain
    .replace(NEGATION, ' ')
    .replace(NUMBER, (text, at: number, whole: string) => (/[\p{L}\d]/u.test(whole[at - 1] ?? ' ') ? text : ' '));
  const poles = (words.match(/\p{L}+/gu) ?? []).filter(isPole);
  const kept = words.replace(/\p{L}+/gu, (word) => (EMPTY.has(word) || isPole(word) ? ' ' : word));
  return {
    negated: (plain.match(NEGATION) ?? []).length % 2 === 1,
    numbers: numbers.map(([number]) => number.replace(/\s|,/g, '').replace(/\.$/, '')),
    subject: new Set([...createTokenizer().list(kept), ...poles]),
    poles: new Set(poles),
  };
}

function isPole(word: string): boolean {
  return OPPOSITES.has(word) || UNITS.has(word) || TURNED.test(word);
}

function without(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => !b.has(word));
}

function areOpposites(a: string, b: string): boolean {
  if (UNITS.has(a) && UNITS.has(b)) return true;
  return (OPPOSITES.get(a)?.has(b) ?? false) || TURNED.exec(a)?.[1] === b || TURNED.exec(b)?.[1] === a;
}

function pairs(...rows: string[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (from: string, to: string) => all.set(from, (all.get(from) ?? new Set()).add(to));
  for (const pair of rows.join(' ').split(' ')) {
    const [a = '', b = ''] = pair.split('/');
    add(a, b);
    add(b, a);
  }
  return all;
}
