import type { Block } from '../../matching/search-blocks.ts';
import { createTokenizer } from '../../matching/text/terms.ts';
import { areOfOneKind, areOpposites, isPole, NUMBER_WORDS, root } from './opposites.ts';

/** A line that says nearly the same and the opposite of it. */
export interface Contradiction {
  place: string;
  line: number;
  text: string;
  why: 'negation' | 'number' | 'opposite';
}

const MAX_TOLD = 3;
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
  return found.slice(0, MAX_TOLD);
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

// Around these, two things are in an order.
const PIVOT = /^(?:over|before|after|above|below|behind|than|not|instead)$/;
const NEGATION =
  /\b(?:not|never|no|nor|none|nobody|nothing|neither|without|avoid(?:s|ed|ing)?|stop(?:s|ped)?|refuses?|refrains?|skip(?:s|ped)?|omit(?:s|ted)?|forbid(?:s|den)?|ban(?:s|ned)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|cannot|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must|need)n['’]?t)\b/giu;
// A number after such a word names a thing; it does not measure one.
const NAMED =
  /\b(?:section|chapter|step|figure|fig|table|issue|frame|page|line|image|part|phase|day|week|room|row|column|slide|version|volume|sample|item|note|task|ticket|bug|run|round|adr|rfc|pr)s?\s*#?\d[\d.,]*/giu;
// The same for any word that a line begins with: `Row 7 is empty`.
const CALLED =
  /^\W*(?:the\s+)?\p{L}+\s+#?\d[\d.,]*(?=\s+(?:is|are|was|were|has|had|have|does|did|can|may|needs?|covers|lists|shows|\p{L}+ed)\b)/u;
const DATE = /\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b/gu;
const SPAN = /\b(\d[\d,]*(?:\.\d+)?)\s+(minutes|hours|days|weeks|months|years)\b/gu;
const SECONDS: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 3_600,
  days: 86_400,
  weeks: 604_800,
  months: 2_592_000,
  years: 31_536_000,
};
const NUMBER = /[+-]?\d[\d.,]*\s*(?:%|[a-zµ°]{1,3}\b)?/giu;
const ONLY = /^(?:only|solely|exclusively|alone)$/u;
const ALL = /\b(?:anyone|anybody|everyone|everybody|anything|everything|anywhere|everywhere|all|any|every|always)\b/u;
// The same in fewer forms, so that two ways to say one thing meet.
const PHRASES: [RegExp, string][] = [
  [/\b(?:nobody|no one|nothing) but\b/gu, ' only '],
  [/\bno one\b/gu, ' nobody '],
  [/\b(?:no longer|not any ?more|under no circumstances|in no case|by no means|at no time)\b/gu, ' never '],
  [/\bnot (?:only|just)\b/gu, ' '],
  [/\b(?:leave|leaves|left) out\b/gu, ' omit '],
  [/\b(?:turn|turns|turned|switch|switches|switched) (?=on\b|off\b)/gu, ' '],
  [
    /\b(?:(?:there is |there['’]s )?no need to|need not|needn['’]?t|(?:do|does)(?: not|n['’]?t) (?:need|have) to|not required to)\b/gu,
    ' not ',
  ],
  [/\b(?:it is |it['’]s )?(?:fine|okay|ok|allowed|good|permitted) to\b/gu, ' '],
  [/\b(?:is|are) (?:fine|okay|ok|allowed|permitted|welcome|acceptable|encouraged)\b/gu, ' is '],
  [/\b(?:make sure to|be sure to|remember to|try to|feel free to)\b/gu, ' '],
  [/\b(?:by hand)\b/gu, ' manually '],
  [
    /\b(?:at most|no more than|not more than|a maximum of|up to|under|below|(?:less|fewer|shorter|smaller|lower) than)(?=\s+\d)/gu,
    ' atmost ',
  ],
  [
    /\b(?:at least|no less than|no fewer than|a minimum of|over|above|(?:more|longer|larger|greater|higher) than)(?=\s+\d)/gu,
    ' atleast ',
  ],
  [/\b(prefers?|preferred)\s+(.+?)\s+to\b/gu, '$1 $2 over'],
  [
    /(?<=\d\s*|\b(?:a|an|per|each|every)\s)(second|minute|hour|day|week|month|year|gram|metre|meter|litre|mile|pound|ounce)\b/gu,
    '$1s',
  ],
  [/\b(?:a|an|per|each|every)(?=\s+(?:second|minute|hour|day|week|month|year)s\b)/gu, ' 1 '],
];
// Forms that no ending tells.
const FORMS: Readonly<Record<string, string>> = Object.fromEntries(
  'kept/keep sent/send written/write built/build held/hold left/leave taken/take given/give paid/pay shown/show hidden/hide chosen/choose sold/sell bought/buy made/make drawn/draw thrown/throw swallowed/swallow run/run ran/run stood/stand standing/stand sitting/sit seated/sit sat/sit begun/begin grown/grow worn/wear told/tell found/find lost/lose spoken/speak frozen/freeze broken/break eaten/eat fed/feed read/read'
    .split(' ')
    .map((pair) => pair.split('/')),
);
// Words of advice that say nothing of the subject.
const EMPTY = new Set(
  'always please should must do does did use uses used using be been is are was were has have had it its the a an to of for in on at by and or we i you this that these those there prefer keep only solely exclusively alone all any every ever anyone anybody everyone everybody everywhere anywhere just very really may might can could will would shall stay stays remain remains look looks become becomes get gets come comes need needs needed with from as over than instead her his their our your my they them she he also still quite rather'.split(
    ' ',
  ),
);
const VERB =
  /^(?:is|are|was|were|has|have|had|must|should|may|can|could|will|would|shall|does|did|do|needs?|stays?|goes|go|takes?|gets?|comes?|lasts|runs?|starts?|ends?|says?|shows?|names?|lists?|covers?|holds?|contains?)$/;
const WHICH = /^(?:the|this|that|our|my|your|her|his|their)$/;

type LineReading = ReturnType<typeof readLine>;

/** What a line says, as far as words tell. */
function readLine(line: string) {
  const spoken = line.toLowerCase().replace(/\p{L}+/gu, (word) => NUMBER_WORDS[word] ?? word);
  const plain = PHRASES.reduce((text, [phrase, words]) => text.replace(phrase, words), spoken)
    .replace(SPAN, inSeconds)
    .replace(DATE, ' ')
    .replace(NAMED, asName)
    .replace(CALLED, asName);
  const numbers = [...plain.matchAll(NUMBER)].filter(({ index }) => !/[\p{L}\d]/u.test(plain[index - 1] ?? ' '));
  const positive = plain
    .replace(NEGATION, ' ')
    .replace(NUMBER, (text, at: number, whole: string) => (/[\p{L}\d]/u.test(whole[at - 1] ?? ' ') ? text : ' '))
    .replace(/\p{L}+/gu, (word) => FORMS[word] ?? word);
  const poles = (positive.match(/\p{L}+/gu) ?? []).filter(isPole);
  const kept = positive.replace(/\p{L}+/gu, (word) => (EMPTY.has(word) || isPole(word) ? ' ' : word));
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}.+/_-]*/gu) ?? [];
  const leading = wordsBeforeVerb(words).map(root);
  return {
    negated: (plain.match(NEGATION) ?? []).length % 2 === 1,
    isOnly: words.some((word) => ONLY.test(word)),
    // What it speaks of alone: `only admins`, `admins only`.
    alone: new Set(aloneWords(words).map(root)),
    isAll: ALL.test(plain),
    numbers: numbers.map(([number]) => number.replace(/\s|,/g, '').replace(/\.$/, '')),
    // What it is about: its terms, without words of advice.
    subject: new Set([...createTokenizer().list(kept), ...poles].map(root)),
    // Which thing it speaks of: `the left lens is …`, and without such a word: `errors go to …`.
    naming: new Set(WHICH.test(words[0] ?? '') ? leading : []),
    leading: new Set(leading),
    order: (plain.match(/\p{L}+/gu) ?? []).flatMap((word) =>
      PIVOT.test(word) ? [word] : EMPTY.has(word) ? [] : [root(FORMS[word] ?? word)],
    ),
    words,
  };
}

// One hour is sixty minutes.
function inSeconds(_: string, number: string, unit: string): string {
  return `${Number(number.replaceAll(',', '')) * (SECONDS[unit] ?? 1)} seconds`;
}

function asName(named: string): string {
  return named.replace(/\s*#?(\d)/, 'nr$1').replace(/[.,]/g, '');
}

function wordsBeforeVerb(words: readonly string[]): readonly string[] {
  const verb = words.findIndex((word) => VERB.test(word));
  return words.slice(0, Math.max(verb, 0));
}

function aloneWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => ONLY.test(word));
  if (at === -1) return [];
  const next = words.slice(at + 1).filter((word) => !EMPTY.has(word));
  return next.length === 0 ? words.slice(Math.max(at - 1, 0), at) : next.slice(0, 1);
}

// What has one value at a time: `the default branch is …`, `errors go to …`, `write notes in …`.
const PROPERTY =
  /\b(?:default|name|title|deadline|limit|owner|maintainer|contact|author|lead|version|language|format|licen[cs]e|port|branch|colou?r|style|size|font|typeface|time ?zone|budget|target|host|address|path|folder|directory|database|framework|library|tool|bundler|runner|manager|editor|compiler|strategy|order|unit|currency|theme|layout|orientation|status|priority|capital|password|domain|registry|provider|vendor|supplier|venue|location|start|end|source|backend|engine|protocol|encoding|platform|audience|tense|tone|voice|convention|scheme|prefix|suffix|extension|separator|delimiter)s?\b.*\s(?:is|are|was|were)$/u;
// `merged by …`, `written in …`: what is done to a thing is done in one way.
const DONE =
  /\b(?:is|are|was|were|be|gets?|stays?)\s(?:\p{L}+\s)?(?:\p{L}+(?:ed|en|wn)|kept|sent|built|held|paid|bound|set|made|sold|bought|led|shot|cut|read|run|spelt|lit|put|hung|fed)\s(?:in|at|to|by|as|with|from|under|via|into|after|through|using)$/u;
const STANDS = /\b(?:is|are|was|were|stays?|remains?)\s(?:in|at|from|under|by)$/u;
const ORDERED =
  /^(?:always\s)?(?:sort|order|name|call|store|save|keep|put|write|bind|host|build|send|publish|log|format|indent|measure|print|render|file|release|record|export|address|label|start|begin|open|end|finish|close|serve|ship|set|crop|round|sign|separate|prefix|wrap|encode|draw|shoot|frame|number|archive|deliver|pay|bill|price|report|escalate|hang|plant|season|cook|bake|wash)\s(?:.*\s)?(?:in|to|at|as|with|from|under|via|into|after|through|using|by|on)$/u;
const GOES =
  /\b(?:go(?:es)?|live(?:s)?|belongs?|sits?|defaults?|points?|starts?|begins?|ends?|opens?|closes?|finish(?:es)?|resolves?|falls? back|writes?|speaks?)\s(?:in|on|to|at|by|with|from|under|into|after|as)$/u;
const RULES = [PROPERTY, DONE, STANDS, ORDERED, GOES];
// What comes after a value may only repeat it: `in Polish notation`.
const [MAX_VALUE_WORDS, MAX_BEHIND, LEAST_BEFORE] = [2, 1, 2];
const WHOSE = /^(?:the|a|an|its|their|our|my|your|her|his|each|every|one)$/;

/** Whether two lines give one property two values: all the same but for what is at its end. */
function isReplacedValue(wordsA: readonly string[], wordsB: readonly string[]): boolean {
  const [a, b] = [wordsA, wordsB].map((words) => words.filter((word) => !WHOSE.test(word))) as [string[], string[]];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let behind = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (behind < shorter && a[a.length - 1 - behind] === b[b.length - 1 - behind]) behind += 1;
  const lengths = [a.length - start - behind, b.length - start - behind];
  if (lengths.some((length) => length < 1 || length > MAX_VALUE_WORDS) || behind > MAX_BEHIND) return false;
  const said = a.slice(0, start).join(' ');
  return start >= LEAST_BEFORE && RULES.some((rule) => rule.test(said));
}
