import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const CHUNK = /[A-Za-z0-9_$\u0080-\uffff]+/g;
const ASCII_WORD = /[A-Za-z][A-Za-z0-9]*|[0-9]+/g;
// Most words: nothing to take apart.
const PLAIN = /^[a-z]+$/;
export const LONGEST_TERM = 64;
// Base64, minified and generated runs are no words.
const LONGEST_CHUNK = 200;
const MOST_CACHED = 50_000;

/** Turns text into terms: every identifier joined and split, words in lower case and stemmed, stop words left out. */
export interface Tokenizer {
  each(text: string, take: (term: string) => void): void;
  list(text: string): string[];
  /** The same with `field` before each term; the keys are made once, not once a word. */
  keys(field: string, text: string, take: (key: string) => void): void;
  name(text: string): Name;
}

/** A single name: its words as terms, with the whole as one word where it has several. */
interface Name {
  terms: readonly string[];
  whole: string;
}

export function createTokenizer(): Tokenizer {
  // The same word comes up thousands of times in a repository: it is taken apart once.
  const known = new Map<string, Map<string, readonly string[]>>();
  const names = new Map<string, Name>();
  const keys = (field: string, text: string, take: (key: string) => void): void => {
    const cache = known.get(field) ?? new Map<string, readonly string[]>();
    known.set(field, cache);
    for (const chunk of text.match(CHUNK) ?? []) {
      let made = cache.get(chunk);
      if (made === undefined) {
        made = chunk.length > LONGEST_CHUNK ? [] : termsOfChunk(chunk).map((term) => field + term);
        if (cache.size >= MOST_CACHED) cache.clear();
        cache.set(chunk, made);
      }
      for (let i = 0; i < made.length; i += 1) take(made[i] as string);
    }
  };
  const each = (text: string, take: (term: string) => void): void => keys('', text, take);
  return {
    each,
    keys,
    name(text) {
      let name = names.get(text);
      if (name === undefined) {
        const words = wordsOf(text);
        const terms = words.map(termOf);
        const whole = joined(words);
        name = { terms: words.length > 1 ? [...terms, whole] : terms, whole };
        if (names.size >= MOST_CACHED) names.clear();
        names.set(text, name);
      }
      return name;
    },
    list(text) {
      const terms: string[] = [];
      each(text, (term) => terms.push(term));
      return terms;
    },
  };
}

function termsOfChunk(chunk: string): readonly string[] {
  const words = wordsOf(chunk);
  const terms: string[] = [];
  for (const word of words) {
    if (!isAscii(word) && isUnspaced(word)) terms.push(...pairsOf(word));
    else if (!STOP_WORDS.has(word) && (word.length > 1 || words.length === 1)) terms.push(termOf(word));
  }
  if (words.length > 1) terms.push(joined(words));
  return terms.filter((term) => term.length <= LONGEST_TERM);
}

// Classes of all scripts take milliseconds to build, and most words are plain: only others make these patterns.
function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
}

export function termOf(word: string): string {
  return stem(word);
}

/** One name for all spellings of an identifier: `bodyLimit`, `body_limit` and `body-limit` are the same. */
export function joined(words: readonly string[]): string {
  return words.join('');
}

/** The words of an identifier or a phrase, in lower case: `parseHTTPBody2` → parse, http, body2. */
export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return [text];
  const words: string[] = [];
  if (isAscii(text)) {
    for (const run of text.match(ASCII_WORD) ?? []) {
      const apart = run.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
      for (const word of apart.split(' ')) words.push(word.toLowerCase());
    }
    return words;
  }
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
