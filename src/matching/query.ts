import { compareCodePoints } from '../code-point-order.ts';
import { CHANGE_TERMS, STOP_WORDS } from './text/stop-words.ts';
import { isAscii, joined, type Tokenizer, wordsOf } from './text/terms.ts';

export interface Query {
  /** Each term once, by code point, with its weight. */
  terms: { term: string; weight: number /** As the text spells it. */; word: string }[];
  /** `fix(router):` names where the change is. */
  scope: string[] | null;
  /** Identifiers as they stand in code, joined. */
  identifiers: string[];
  /** Two and three neighbouring words, joined. */
  phrases: string[];
  /** Single words, joined phrases of up to three: what a folder may be called. */
  folders: string[];
  /** Paths or file names that the text spells out. */
  paths: string[];
  /** True when documents are meant: README, docs, guide. */
  aboutProse: boolean;
  /** Words with a capital letter: who or what is called by name. */
  names: string[];
}

// Both cases spelt out: patterns that ignore case take a millisecond each to build.
const PREFIX = /^\s*(?:[Rr]evert[:\s]+"?)?(?:[A-Za-z]+)(?:\(([^)\n]{1,80})\))?!?:\s+/;
const TRAILER = /(?:\(#\d{1,9}\)|\[[\w -]{1,60}\])$/;
const CHANGE_WEIGHT = 0.3;
const LONGEST_QUERY = 20_000;
const MOST_TERMS = 128;
const QUOTED = /`([^`\n]{2,100})`/g;
const LONGEST_NAME = 100;
const LONGEST_PATH = 300;
const ABOUT_PROSE = /\b(?:docs?|documentation|readme|guides?|changelog|tutorial|typos?|wording|markdown|notes?)\b/;

// The same patterns twice: those for all scripts take milliseconds to build, and most tasks are plain.
const PLAIN_SIGNS = {
  word: /[A-Za-z0-9_$]+/g,
  between: /[^A-Za-z0-9_$]+/,
  capital: /[A-Z][A-Za-z'’-]+/g,
  letter: /[A-Za-z_$]/,
} as const;

function allSigns() {
  return {
    word: /[\p{L}\p{N}_$]+/gu,
    between: /[^\p{L}\p{N}_$]+/u,
    betweenMarked: /[^\p{L}\p{M}\p{N}_$]+/u,
    capital: /\p{Lu}[\p{L}'’-]+/gu,
    letter: /[\p{L}_$]/u,
  };
}

/** What a task's matching looks at: its text most, then what earlier steps found, then what it inherited. */
export interface QueryInput {
  taskText: string;
  inheritedContext?: string;
  previousOutputs?: string;
}

// How much all words of a part may weigh beside all words of the task, and how many of them count.
const PREVIOUS = { share: 0.6, most: 64 };
const INHERITED = { share: 0.2, most: 32 };

// The words of the other parts are added with less weight; files and names that earlier steps speak of count as named.
export function parseInput(input: QueryInput, tokenizer: Tokenizer): Query {
  const task = parseQuery(input.taskText, tokenizer);
  const { previousOutputs = '', inheritedContext = '' } = input;
  if (previousOutputs === '' && inheritedContext === '') return task;
  const previous = parseQuery(previousOutputs, tokenizer);
  const inherited = parseQuery(inheritedContext, tokenizer);
  const terms = new Map(task.terms.map((term) => [term.term, term]));
  const whole = task.terms.reduce((sum, { weight }) => sum + weight, 0);
  for (const [part, { share, most }] of [
    [previous, PREVIOUS],
    [inherited, INHERITED],
  ] as const) {
    const added = part.terms.toSorted((a, b) => b.weight - a.weight).slice(0, most);
    const sum = added.reduce((total, { weight }) => total + weight, 0);
    const factor = Math.min(share, (share * whole) / Math.max(sum, Number.MIN_VALUE));
    for (const { term, word, weight } of added)
      terms.set(term, {
        term,
        word: terms.get(term)?.word ?? word,
        weight: (terms.get(term)?.weight ?? 0) + weight * factor,
      });
  }
  return {
    ...task,
    terms: [...terms.values()].sort((a, b) => compareCodePoints(a.term, b.term)),
    identifiers: unique([...task.identifiers, ...previous.identifiers]),
    paths: unique([...task.paths, ...previous.paths]),
  };
}

type Signs = { word: RegExp; between: RegExp; betweenMarked?: RegExp; capital: RegExp; letter: RegExp };

export function parseQuery(whole: string, tokenizer: Tokenizer): Query {
  const text = whole.slice(0, LONGEST_QUERY);
  const prefix = PREFIX.exec(text);
  const rest = text
    .slice(prefix?.[0].length ?? 0)
    .trimEnd()
    .replace(TRAILER, '');
  const signs: Signs = isAscii(text) ? PLAIN_SIGNS : allSigns();
  const words = rest.split(signs.between).filter(Boolean);
  const plain = words.flatMap((word) => wordsOf(word));
  const scope = prefix?.[1]?.split(/[/,:\s]+/).filter(Boolean) ?? null;
  return {
    terms: weightedTerms([rest, ...(scope ?? [])].join(' '), signs, tokenizer),
    scope,
    identifiers: unique(identifiersIn(rest, signs)),
    phrases: unique([...phrasesOf(plain, 2), ...phrasesOf(plain, 3)]),
    folders: unique([...plain.filter((word) => !STOP_WORDS.has(word)), ...phrasesOf(plain, 2), ...phrasesOf(plain, 3)]),
    paths: unique(pathsIn(rest)),
    aboutProse: ABOUT_PROSE.test(text.toLowerCase()),
    names: unique([...rest.matchAll(signs.capital)].map(([name]) => name.toLowerCase().replace(/['’]s$/, ''))),
  };
}

function weightedTerms(text: string, { between, betweenMarked }: Signs, tokenizer: Tokenizer): Query['terms'] {
  const counts = new Map<string, { count: number; word: string }>();
  for (const word of text.split(betweenMarked ?? between)) {
    tokenizer.each(word, (term) => {
      const seen = counts.get(term);
      counts.set(term, { count: (seen?.count ?? 0) + 1, word: seen?.word ?? word });
    });
  }
  return [...counts]
    .map(([term, { count, word }]) => ({
      term,
      word,
      weight: (CHANGE_TERMS.has(term) ? CHANGE_WEIGHT : 1) * (1 + Math.log(count)),
    }))
    .sort((a, b) => b.weight - a.weight || compareCodePoints(a.term, b.term))
    .slice(0, MOST_TERMS)
    .sort((a, b) => compareCodePoints(a.term, b.term));
}

// In backticks, in camelCase or with underscores, called or taken from something: words that only code has.
function identifiersIn(text: string, signs: Signs): string[] {
  const names = [...text.matchAll(QUOTED)].flatMap((match) => namesIn(match[1] as string, signs));
  for (const match of text.matchAll(signs.word)) {
    const [word] = match;
    if (word.length > LONGEST_NAME) continue;
    const inCode =
      /[a-z0-9][A-Z]|._./.test(word) ||
      text.startsWith('()', match.index + word.length) ||
      (text[match.index - 1] === '.' && signs.letter.test(text[match.index - 2] ?? ''));
    if (inCode) names.push(...namesIn(word, signs));
  }
  return names;
}

function pathsIn(text: string): string[] {
  return text
    .split(/[\s"'`()[\]{}<>,;]+/)
    .map((word) => word.replace(/[.:!?]$/, ''))
    .filter((word) => word.length <= LONGEST_PATH && (/[\w@.-]\/[\w@.-]/.test(word) || /\w\.[a-z]{1,5}$/i.test(word)));
}

function namesIn(code: string, { between }: Signs): string[] {
  return code
    .split(between)
    .map((part) => joined(wordsOf(part)))
    .filter((name) => name.length > 1 && !STOP_WORDS.has(name));
}

function phrasesOf(words: readonly string[], length: number): string[] {
  const phrases: string[] = [];
  for (let i = 0; i + length <= words.length; i += 1) {
    const part = words.slice(i, i + length);
    if (!STOP_WORDS.has(part[0] as string) && !STOP_WORDS.has(part[length - 1] as string)) phrases.push(joined(part));
  }
  return phrases;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort(compareCodePoints);
}
