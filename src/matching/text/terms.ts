import { STOP_WORDS } from './stop-words.ts';

const CHUNK = /[A-Za-z0-9_$\u0080-\uffff]+/g;
// Most words: nothing to take apart.
const PLAIN = /^[a-z]+$/;
const LONGEST_TERM = 64;
// Base64, minified and generated runs are no words.
const LONGEST_CHUNK = 200;
const MOST_CACHED = 50_000;

/** Turns text into terms: every identifier joined and split, words in lower case and stemmed, stop words left out. */
export interface Tokenizer {
  each(text: string, take: (term: string) => void): void;
  list(text: string): string[];
  /** A single name: its words as terms, with the whole as one word where it has several. */
  name(text: string): readonly string[];
}

export function createTokenizer(): Tokenizer {
  // The same word comes up thousands of times in a repository: it is taken apart once.
  const chunks = remembering(termsOfChunk);
  const names = remembering((text): readonly string[] => {
    const words = wordsOf(text);
    const terms = words.map(stem);
    return words.length > 1 ? [...terms, joined(words)] : terms;
  });
  const each = (text: string, take: (term: string) => void): void => {
    for (const chunk of chunksIn(text)) for (const term of chunks(chunk)) take(term);
  };
  return {
    each,
    name: names,
    list(text) {
      const terms: string[] = [];
      each(text, (term) => terms.push(term));
      return terms;
    },
  };
}

function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      if (known.size >= MOST_CACHED) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

/** The runs of letters, digits, `_` and `$` in a text: what is taken apart into terms. */
export function chunksIn(text: string): readonly string[] {
  return text.match(CHUNK) ?? [];
}

// Identifiers are made of few words; null for those that say nothing.
const termOf = remembering((word) => (STOP_WORDS.has(word) ? null : stem(word)));

export function termsOfChunk(chunk: string): readonly string[] {
  if (chunk.length > LONGEST_CHUNK) return [];
  const [words, isPlain] = [wordsOf(chunk), isAscii(chunk)];
  const terms: string[] = [];
  const add = (term: string | null): void => {
    if (term !== null && term.length <= LONGEST_TERM) terms.push(term);
  };
  for (const word of words) {
    if (!isPlain && isUnspaced(word)) pairsOf(word).forEach(add);
    else if (word.length > 1 || words.length === 1) add(termOf(word));
  }
  if (words.length > 1) add(joined(words));
  return terms;
}

// Classes of all scripts take milliseconds to build, and most words are plain: only others make these patterns.
function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
}

/** One name for all spellings of an identifier: `bodyLimit`, `body_limit` and `body-limit` are the same. */
export function wholeName(text: string): string {
  return joined(wordsOf(text));
}

export function joined(words: readonly string[]): string {
  return words.length === 1 ? (words[0] as string) : words.join('');
}

/** The words of an identifier or a phrase, in lower case: `parseHTTPBody2` → parse, http, body2. */
export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return [text];
  if (isAscii(text)) return plainWords(text);
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(/\p{L}[\p{L}\p{M}\p{N}]*|\p{N}+/gu)) {
    for (const word of run
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .split(' ')) {
      words.push(word.toLowerCase());
    }
  }
  return words;
}

// Code by code: most of what an index is built of goes through here.
function plainWords(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  let before = OTHER;
  const kindAt = (at: number): number => kindOf(text.charCodeAt(at));
  for (let at = 0; at <= text.length; at += 1) {
    const kind = at < text.length ? kindAt(at) : OTHER;
    const isNew =
      (kind === UPPER && (before === LOWER || before === DIGIT || (before === UPPER && kindAt(at + 1) === LOWER))) ||
      // A number at the start is a word of its own.
      (kind !== DIGIT && before === DIGIT && kindAt(start) === DIGIT);
    if (start !== -1 && (kind === OTHER || isNew)) {
      words.push(text.slice(start, at).toLowerCase());
      start = -1;
    }
    if (kind !== OTHER && start === -1) start = at;
    before = kind;
  }
  return words;
}

const [OTHER, LOWER, UPPER, DIGIT] = [0, 1, 2, 3];

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

// Scripts without blanks: every pair of neighbours stands for a word.
function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

const VOWEL = /[aeiouy]/;
const MIN_STEM = 3;
const CONSONANT_TWICE = /([bdfgmnprt])\1$/;

// Light on purpose: plurals, -ing, -ed, -er, -ly and -ation meet, while short words and identifiers stay as they are.
export function stem(word: string): string {
  if (word.length <= MIN_STEM || !/^[a-z]+$/.test(word)) return word;
  let root = withoutPlural(word);
  root =
    without(root, 'ing') ??
    without(root, 'ed') ??
    without(root, 'ation', 'ate') ??
    without(root, 'ator', 'ate') ??
    without(root, 'er') ??
    without(root, 'or') ??
    without(root, 'ion') ??
    without(root, 'ment') ??
    without(root, 'ly') ??
    root;
  if (root.length > MIN_STEM && CONSONANT_TWICE.test(root)) root = root.slice(0, -1);
  if (root.length > MIN_STEM && root.endsWith('e')) root = root.slice(0, -1);
  if (root.length > MIN_STEM && root.endsWith('y') && !VOWEL.test(root.at(-2) ?? '')) root = `${root.slice(0, -1)}i`;
  return root;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function without(word: string, ending: string, instead = ''): string | null {
  const rest = word.slice(0, -ending.length);
  return word.endsWith(ending) && rest.length >= MIN_STEM && VOWEL.test(rest) ? rest + instead : null;
}
