import type { Block } from '../matching/search-blocks.ts';
import { stem } from '../matching/text/stem.ts';
import { createTokenizer } from '../matching/text/terms.ts';
import { areOfOneKind, areOpposites, isPole, NUMBER_WORDS } from './opposites.ts';

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
  /\b(?:section|chapter|step|figure|fig|table|issue|frame|page|line|image|part|phase|day|week|room|row|column|slide|version|volume|sample|item|note|task|ticket|bug|run|round|adr|rfc|pr)s?\s*#?\d[\d.,]*/giu;
// The same for any word that a line begins with: `Row 7 is empty`.
const CALLED = /^\W*(?:the\s+)?\p{L}+\s+#?\d[\d.,]*(?=\s+(?:is|are|was|were|has|had|have|does|did|can|may)\b)/u;
const DATE = /\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b/gu;
const NUMBER = /[+-]?\d[\d.,]*\s*(?:%|[a-zµ°]{1,3}\b)?/giu;
// The same in fewer forms, so that two ways to say one thing meet.
const PHRASES: [RegExp, string][] = [
  [
    /\b(?:(?:there is |there['’]s )?no need to|need not|needn['’]?t|(?:do|does)(?: not|n['’]?t) (?:need|have) to|not required to)\b/gu,
    ' not ',
  ],
  [/\b(?:it is |it['’]s )?(?:fine|okay|ok|allowed|good) to\b/gu, ' '],
  [/\b(?:by hand)\b/gu, ' manually '],
  [
    /\b(?:at most|no more than|not more than|up to|under|below|(?:less|fewer|shorter|smaller|lower) than)(?=\s+\d)/gu,
    ' atmost ',
  ],
  [
    /\b(?:at least|no less than|no fewer than|over|above|(?:more|longer|larger|greater|higher) than)(?=\s+\d)/gu,
    ' atleast ',
  ],
  [/\b(second|minute|hour|day|week|month|year|gram|metre|meter|litre|mile|pound|ounce)\b/gu, '$1s'],
  [/\b(?:a|an|per|each)(?=\s+(?:second|minute|hour|day|week|month|year)s\b)/gu, ' 1 '],
];
// Around these two things stand in an order.
const PIVOT = /^(?:over|before|after|above|below|behind|than|not|instead)$/;
// Words of advice that say nothing of the subject.
const EMPTY = new Set(
  'always please should must do does use uses using be is are it its the a an to of for in on at by and or we i you this that prefer keep only all any every ever just very really may might can could will would shall stay stays remain remains look looks become becomes get gets come comes need needs with from as over than instead her his their'.split(
    ' ',
  ),
);

interface Reading {
  negated: boolean;
  numbers: string[];
  /** What it is about: its terms, without words of advice. */
  subject: ReadonlySet<string>;
  /** Its words as they follow each other, those of `subject` and those that put things in an order. */
  order: readonly string[];
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
  const isPositive = !a.negated && !b.negated;
  const isContrast = (x: string, y: string) => areOpposites(x, y) || (isPositive && areOfOneKind(x, y));
  const contrasts = onlyA.filter((x) => onlyB.some((y) => isContrast(x, y)));
  const leftA = onlyA.filter((x) => !contrasts.includes(x));
  const leftB = onlyB.filter((y) => !onlyA.some((x) => isContrast(x, y)));
  // Where each has something of its own, or two things differ at once, they speak of two things.
  if ((leftA.length > 0 && leftB.length > 0) || contrasts.length > 1) return null;
  const shared = a.subject.size - onlyA.length;
  const total = shared + (leftA.length + leftB.length) / 2;
  if (total === 0 ? contrasts.length === 0 : shared / total < LEAST_SHARED) return null;
  const differ = a.numbers.length > 0 && a.numbers.length === b.numbers.length && a.numbers.join() !== b.numbers.join();
  if (contrasts.length > 0) return a.negated === b.negated && !differ ? 'opposite' : null;
  if (onlyA.length + onlyB.length === 0 && areSwapped(a.order, b.order)) return 'opposite';
  if (a.negated !== b.negated) return differ ? null : 'negation';
  return differ && leftA.length + leftB.length === 0 ? 'number' : null;
}

function readingOf(line: string): Reading {
  const spoken = line.toLowerCase().replace(/\p{L}+/gu, (word) => NUMBER_WORDS[word] ?? word);
  const plain = PHRASES.reduce((text, [phrase, words]) => text.replace(phrase, words), spoken)
    .replace(DATE, ' ')
    .replace(NAMED, asName)
    .replace(CALLED, asName);
  const numbers = [...plain.matchAll(NUMBER)].filter(({ index }) => !/[\p{L}\d]/u.test(plain[index - 1] ?? ' '));
  const words = plain
    .replace(NEGATION, ' ')
    .replace(NUMBER, (text, at: number, whole: string) => (/[\p{L}\d]/u.test(whole[at - 1] ?? ' ') ? text : ' '));
  const poles = (words.match(/\p{L}+/gu) ?? []).filter(isPole);
  const tokenizer = createTokenizer();
  const kept = words.replace(/\p{L}+/gu, (word) => (EMPTY.has(word) || isPole(word) ? ' ' : word));
  return {
    negated: (plain.match(NEGATION) ?? []).length % 2 === 1,
    numbers: numbers.map(([number]) => number.replace(/\s|,/g, '').replace(/\.$/, '')),
    subject: new Set([...tokenizer.list(kept), ...poles.map(stem)]),
    order: (plain.match(/\p{L}+/gu) ?? []).flatMap((word) =>
      PIVOT.test(word) ? [word] : EMPTY.has(word) ? [] : [stem(word)],
    ),
  };
}

function asName(named: string): string {
  return named.replace(/\s*#?(\d)/, 'nr$1').replace(/[.,]/g, '');
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
