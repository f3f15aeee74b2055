// Where in the memory of the counting module everything stands, and short forms that all of its routines use.

import {
  add,
  and,
  callers,
  differs,
  get,
  I32,
  left,
  load,
  number,
  outside,
  product,
  set,
  store,
  xor,
} from '../wasm.mjs';

// The first bytes of the memory say what each code is. A code beyond ASCII is a part of a word, and odd.
export const KIND = { part: 1, other: 2, digit: 4, lower: 8, upper: 16, joint: 32, odd: 64 };
export const kinds = Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (code > 127) return KIND.part | KIND.odd;
  if (/[0-9]/.test(sign)) return KIND.part | KIND.digit;
  if (/[a-z]/.test(sign)) return KIND.part | KIND.lower;
  if (/[A-Z]/.test(sign)) return KIND.part | KIND.upper;
  return /[_$]/.test(sign) ? KIND.part | KIND.joint : /\s/.test(sign) ? 0 : KIND.other;
});
export const WORD_KINDS = KIND.digit | KIND.lower | KIND.upper;
export const [LINE_END, HASH, STAR, DOT, EQUALS, GREATER, BRACE, ASCII] = [10, 35, 42, 46, 61, 62, 123, 127];
// Which lines are noted: none, all, those that a word of the language leads, or these and such as may hold a method or a
// function as a value.
export const NOTED = { none: 0, all: 1, led: 2, ledOrValue: 3 };
// The bit of a word that leads no value, whatever follows: `if`, `for`.
export const LEADS_NO_VALUE = (2 ** 31) | 0;
export const [HASH_START, HASH_FACTOR] = [0x811c9dc5 | 0, 0x01000193];

// Where everything stands; what grows is found through these places.
export const SCRATCH = 256;
export const WORDS = 512;
export const TABLES = { words: 1536, keys: 1568, names: 1600, odds: 1632 };
export const LISTS = {
  items: 1664,
  touched: 1680,
  lines: 1696,
  places: 1712,
  used: 1744,
  postings: 1760,
  documents: 1776,
};
// Hashes in tables start with a number that nobody else knows: no file can be made whose words all meet in one slot.
export const [COUNTS, WORD_KEYS, WHOLE_LENGTH, WHOLE_HASH, RUN_TERMS, SEED] = [1792, 1796, 1800, 1804, 1808, 1812];
export const [TERM, HEAP] = [2048, 2304];
export const table = { slots: 0, mask: 4, size: 8, most: 12, records: 16, pool: 20, poolMost: 24 };
export const list = { at: 0, size: 4, most: 8 };
// The keys that a word stands for, and a bit for each language in which it may lead a definition. That of a name of this
// one word is made when the first such name comes: NO_KEY before.
export const KEYS = { body: 0, defines: 4, defined: 8, leads: 12, size: 16 };
// A line that may define something: all but the runs as places in the text.
export const LINE = { start: 0, end: 4, words: 8, last: 12, flags: 16, word: 20, size: 64 };
export const WORD = { start: 0, end: 4, run: 8, size: 12 };
export const [ARROW, FUNCTION_WORD, SIGN_FIRST, ODD, EQUALS_SIGN] = [1, 2, 4, 8, 16];
// In bytes: a sign has at most three for each unit of its length in JavaScript.
export const [LOOKED_WORDS, SHORTEST_LINE, LONGEST_LINE, LONGEST_ODD_LINE] = [3, 4, 241, 3 * 241];

export const [LONGEST_CHUNK, LONGEST_TERM, LONGEST_PLAIN] = [200, 64, 240];
// What stands for a run: its number where it is one word in small letters; -1 where it is odd; else -2 less the number of
// its first word.
export const [ODD_RUN, SEVERAL_WORDS, NO_WORD] = [-1, -2, -(2 ** 30)];
export const NO_KEY = -1;
export const letter = (sign) => number(sign.charCodeAt(0));

export const taken = [
  outside('newWord', 3),
  outside('oddRun', 3),
  outside('countOdd', 2, I32),
  outside('oddName', 2, I32),
  outside('widenTable', 2),
  outside('widenList', 1),
];
export const NAMES = ['lookUp', 'insert', 'push', 'countKey', 'word', 'apart', 'wholeKey', 'run', 'termKey', 'tally'];
export const call = callers([...taken.map(({ name }) => name), ...NAMES]);

export const more = (local, step = number(1)) => set(local, add(get(local), step));
export const at = (place, offset = 0) => load(number(place), offset);
export const put = (place, value, offset = 0) => store(number(place), value, offset);
export const item = (list, place, size = 2) => add(list, left(place, number(size)));
export const hashStep = (hash, code) => product(xor(hash, code), number(HASH_FACTOR));
export const both = (a, b) => and(differs(a, number(0)), differs(b, number(0)));
