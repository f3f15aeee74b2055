import { createTokenizer } from '../../matching/text/terms.ts';
import { isPole, NUMBER_WORDS, root } from './opposites.ts';

/** What a line says, as far as words tell. */
export interface LineReading {
  negated: boolean;
  isOnly: boolean;
  /** What it speaks of alone: `only admins`, `admins only`. */
  alone: ReadonlySet<string>;
  /** Whether it speaks of all: `everyone`, `always`. */
  isAll: boolean;
  numbers: string[];
  /** What it is about: its terms, without words of advice. */
  subject: ReadonlySet<string>;
  /** Those of `subject` that say which thing the line speaks of: `the left lens is …`. */
  naming: ReadonlySet<string>;
  /** The same without a word such as `the`: `errors go to …`. */
  leading: ReadonlySet<string>;
  /** Its words as they follow each other, those of `subject` and those that put things in an order. */
  order: readonly string[];
  /** All its words, in plain forms. */
  words: readonly string[];
}

// Around these, two things are in an order.
export const PIVOT = /^(?:over|before|after|above|below|behind|than|not|instead)$/;
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

export function readLine(line: string): LineReading {
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
    alone: new Set(aloneWords(words).map(root)),
    isAll: ALL.test(plain),
    numbers: numbers.map(([number]) => number.replace(/\s|,/g, '').replace(/\.$/, '')),
    subject: new Set([...createTokenizer().list(kept), ...poles].map(root)),
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
