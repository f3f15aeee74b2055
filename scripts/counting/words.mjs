// What a run of letters, a name and a word of a path stand for: words, terms, keys.

import {
  add,
  and,
  atLeast,
  below,
  differs,
  during,
  equals,
  get,
  give,
  I32,
  leave,
  left,
  load,
  loadByte,
  not,
  number,
  or,
  right,
  routine,
  set,
  store,
  storeByte,
  sub,
  when,
} from '../wasm.mjs';
import {
  at,
  call,
  hashStep,
  item,
  KEYS,
  KIND,
  LONGEST_CHUNK,
  LONGEST_PLAIN,
  LONGEST_TERM,
  letter,
  more,
  NO_KEY,
  NO_WORD,
  put,
  RUN_TERMS,
  SCRATCH,
  SEED,
  SEVERAL_WORDS,
  TABLES,
  TERM,
  table,
  WHOLE_HASH,
  WHOLE_LENGTH,
  WORD_KEYS,
  WORD_KINDS,
  WORDS,
} from './layout.mjs';

export const keysOf = (word) => item(at(WORD_KEYS), word, 4);
// A word with a digit has no stem and is no stop word: numbers, hashes, versions. Its keys are made here.
const plainKeys = (l) => [
  set(l.to, number(TERM + 1)),
  set(l.i, get(l.start)),
  during(below(get(l.i), get(l.end)), [storeByte(get(l.to), loadByte(get(l.i))), more(l.i), more(l.to)]),
  set(l.body, number(NO_KEY)),
  when(below(sub(get(l.end), get(l.start)), number(LONGEST_TERM + 1)), [set(l.body, plainKey(l, letter('b')))]),
  set(l.defines, plainKey(l, letter('d'))),
  set(l.keys, keysOf(get(l.word))),
  store(get(l.keys), get(l.body), KEYS.body),
  store(get(l.keys), get(l.defines), KEYS.defines),
  store(get(l.keys), number(NO_KEY), KEYS.defined),
  store(get(l.keys), number(0), KEYS.leads),
];
const plainKey = (l, field) => [
  ...storeByte(number(TERM), field),
  ...call('lookUp', number(TABLES.keys), number(TERM), get(l.to), hashStep(get(l.hash), field)),
];

export const word = routine(
  'word',
  {
    given: { start: I32, end: I32, hash: I32 },
    own: { known: I32, word: I32, i: I32, digits: I32, to: I32, body: I32, defines: I32, keys: I32 },
    gives: I32,
  },
  (l) => [
    set(l.known, at(TABLES.words, table.size)),
    set(l.word, call('lookUp', number(TABLES.words), get(l.start), get(l.end), get(l.hash))),
    when(equals(get(l.word), get(l.known)), [
      set(l.i, get(l.start)),
      during(below(get(l.i), get(l.end)), [
        set(l.digits, or(get(l.digits), and(loadByte(loadByte(get(l.i))), number(KIND.digit)))),
        more(l.i),
      ]),
      when(get(l.digits), plainKeys(l), [call('newWord', get(l.word), get(l.start), get(l.end))]),
    ]),
    get(l.word),
  ],
);

// Takes an ASCII run apart: its words in lower case into the scratch, their numbers beside, each doubled and odd where the
// word is a single sign. Letters, then letters and digits; digits alone; a new word where capitals say so.
export const apart = routine(
  'apart',
  {
    given: { at: I32, end: I32 },
    own: { words: I32, kind: I32, before: I32, digits: I32, from: I32, to: I32, hash: I32, whole: I32, code: I32 },
    gives: I32,
  },
  (l) => {
    const kindAt = (place) => and(loadByte(loadByte(place)), number(WORD_KINDS));
    return [
      set(l.whole, at(SEED)),
      set(l.to, number(SCRATCH + 1)),
      during(below(get(l.at), get(l.end)), [
        set(l.kind, kindAt(get(l.at))),
        when(
          get(l.kind),
          [
            set(l.from, get(l.to)),
            set(l.hash, at(SEED)),
            set(l.digits, equals(get(l.kind), number(KIND.digit))),
            during(number(1), [
              set(l.code, add(loadByte(get(l.at)), left(equals(get(l.kind), number(KIND.upper)), number(5)))),
              storeByte(get(l.to), get(l.code)),
              more(l.to),
              set(l.hash, hashStep(get(l.hash), get(l.code))),
              set(l.whole, hashStep(get(l.whole), get(l.code))),
              more(l.at),
              when(atLeast(get(l.at), get(l.end)), [leave(1)]),
              set(l.before, get(l.kind)),
              set(l.kind, kindAt(get(l.at))),
              when(differs(get(l.kind), number(KIND.digit)), [
                when(or(get(l.digits), not(get(l.kind))), [leave(2)]),
                when(equals(get(l.kind), number(KIND.upper)), [
                  when(differs(get(l.before), number(KIND.upper)), [leave(3)]),
                  when(
                    and(
                      below(add(get(l.at), number(1)), get(l.end)),
                      equals(kindAt(add(get(l.at), number(1))), number(KIND.lower)),
                    ),
                    [leave(3)],
                  ),
                ]),
              ]),
            ]),
            store(
              item(number(WORDS), get(l.words)),
              or(
                left(call('word', get(l.from), get(l.to), get(l.hash)), number(1)),
                equals(sub(get(l.to), get(l.from)), number(1)),
              ),
            ),
            more(l.words),
          ],
          [more(l.at)],
        ),
      ]),
      put(WHOLE_LENGTH, sub(get(l.to), number(SCRATCH + 1))),
      put(WHOLE_HASH, get(l.whole)),
      get(l.words),
    ];
  },
);

// The key of all words that were taken apart last, as one.
export const wholeKey = routine('wholeKey', { given: { field: I32 }, gives: I32 }, (l) => [
  storeByte(number(SCRATCH), get(l.field)),
  call(
    'lookUp',
    number(TABLES.keys),
    number(SCRATCH),
    add(number(SCRATCH + 1), at(WHOLE_LENGTH)),
    hashStep(at(WHOLE_HASH), get(l.field)),
  ),
]);

const eachWord = (l, steps) => [
  set(l.i, number(0)),
  during(below(get(l.i), get(l.words)), [set(l.word, load(item(number(WORDS), get(l.i)))), ...steps, more(l.i)]),
];
const keyOfWord = (l, offset) => load(keysOf(right(get(l.word), number(1))), offset);
export const several = (l) => below(number(1), get(l.words));

// Most runs are one word in small letters: nothing to take apart.
const isOneWord = (l) =>
  and(
    not(and(get(l.kinds), number(KIND.upper | KIND.joint | KIND.odd | KIND.other))),
    equals(and(loadByte(loadByte(get(l.start))), number(WORD_KINDS)), number(KIND.lower)),
  );
const standsForSeveral = (l) => [
  when(not(get(l.words)), [give(number(NO_WORD))]),
  sub(number(SEVERAL_WORDS), right(at(WORDS), number(1))),
];

// Counts the terms of a run of ASCII, the same as the tokenizer gives; `kinds` are all that occur in it. Gives what stands
// for it; how many terms they are goes to RUN_TERMS.
export const run = routine(
  'run',
  {
    given: { start: I32, end: I32, hash: I32, kinds: I32 },
    own: { words: I32, i: I32, word: I32, key: I32, terms: I32 },
    gives: I32,
  },
  (l) => [
    when(isOneWord(l), [
      set(l.word, call('word', get(l.start), get(l.end), get(l.hash))),
      set(l.key, load(keysOf(get(l.word)), KEYS.body)),
      when(differs(get(l.key), number(NO_KEY)), [call('countKey', get(l.key)), set(l.terms, number(1))]),
      put(RUN_TERMS, get(l.terms)),
      give(get(l.word)),
    ]),
    set(l.words, call('apart', get(l.start), get(l.end))),
    eachWord(l, [
      set(l.key, keyOfWord(l, KEYS.body)),
      when(and(differs(get(l.key), number(NO_KEY)), not(and(and(get(l.word), number(1)), several(l)))), [
        call('countKey', get(l.key)),
        more(l.terms),
      ]),
    ]),
    when(and(several(l), below(at(WHOLE_LENGTH), number(LONGEST_TERM + 1))), [
      call('countKey', call('wholeKey', letter('b'))),
      more(l.terms),
    ]),
    put(RUN_TERMS, get(l.terms)),
    ...standsForSeveral(l),
  ],
);

const hashed = (l) => [
  set(l.hash, at(SEED)),
  set(l.i, get(l.start)),
  during(below(get(l.i), get(l.end)), [
    set(l.hash, hashStep(get(l.hash), loadByte(get(l.i)))),
    set(l.kinds, or(get(l.kinds), loadByte(loadByte(get(l.i))))),
    more(l.i),
  ]),
];
// What stands for a run, for those who will look for it in texts.
export const runAt = routine(
  'runAt',
  { given: { start: I32, end: I32 }, own: { hash: I32, kinds: I32, i: I32, words: I32 }, gives: I32 },
  (l) => [
    ...hashed(l),
    when(isOneWord(l), [give(call('word', get(l.start), get(l.end), get(l.hash)))]),
    set(l.words, call('apart', get(l.start), get(l.end))),
    ...standsForSeveral(l),
  ],
);

// What stands for something that is defined: as for a run where it is one word, else -2 less its number among the names.
export const name = routine(
  'name',
  { given: { start: I32, end: I32 }, own: { hash: I32, kinds: I32, i: I32 }, gives: I32 },
  (l) => [
    ...hashed(l),
    when(and(isOneWord(l), below(sub(get(l.end), get(l.start)), number(LONGEST_CHUNK + 1))), [
      give(call('word', get(l.start), get(l.end), get(l.hash))),
    ]),
    sub(number(SEVERAL_WORDS), call('lookUp', number(TABLES.names), get(l.start), get(l.end), get(l.hash))),
  ],
);

const isOddName = (l) =>
  or(and(get(l.kinds), number(KIND.odd)), below(number(LONGEST_PLAIN), sub(get(l.end), get(l.start))));
// The bytes that an entry of a table stands for.
const bytesOf = (l, place, entry) => [
  set(l.i, item(at(place, table.records), entry, 3)),
  set(l.start, add(at(place, table.pool), load(get(l.i)))),
  set(l.end, add(at(place, table.pool), load(get(l.i), 8))),
];
const oneWordName = (l) => [
  set(l.keys, keysOf(get(l.name))),
  set(l.key, load(get(l.keys), KEYS.defined)),
  when(equals(get(l.key), number(NO_KEY)), [
    ...bytesOf(l, TABLES.words, get(l.name)),
    set(l.words, call('apart', get(l.start), get(l.end))),
    set(l.key, call('wholeKey', letter('D'))),
    store(keysOf(get(l.name)), get(l.key), KEYS.defined),
  ]),
  call('countKey', load(keysOf(get(l.name)), KEYS.defines)),
  call('countKey', get(l.key)),
  give(number(2)),
];

// Counts what a name says: its words, all of them as one where they are several, and the name itself. Gives how many.
export const countName = routine(
  'countName',
  {
    given: { name: I32 },
    own: {
      ...{ start: I32, end: I32, hash: I32, kinds: I32, i: I32, words: I32, word: I32 },
      ...{ keys: I32, key: I32 },
    },
    gives: I32,
  },
  (l) => [
    when(below(get(l.name), number((2 ** 31) | 0)), oneWordName(l)),
    ...bytesOf(l, TABLES.names, sub(number(SEVERAL_WORDS), get(l.name))),
    ...hashed(l),
    when(isOddName(l), [give(call('oddName', get(l.start), get(l.end)))]),
    set(l.words, call('apart', get(l.start), get(l.end))),
    eachWord(l, [call('countKey', keyOfWord(l, KEYS.defines))]),
    when(several(l), [call('countKey', call('wholeKey', letter('d')))]),
    call('countKey', call('wholeKey', letter('D'))),
    add(get(l.words), several(l), number(1)),
  ],
);

// The key of a word's term in a field. The term stands in the key of the same word among what is defined.
export const termKey = routine(
  'termKey',
  {
    given: { word: I32, field: I32 },
    own: { i: I32, from: I32, to: I32, start: I32, end: I32, hash: I32 },
    gives: I32,
  },
  (l) => [
    ...bytesOf(l, TABLES.keys, load(keysOf(get(l.word)), KEYS.defines)),
    storeByte(number(TERM), get(l.field)),
    set(l.to, number(TERM + 1)),
    set(l.hash, at(SEED)),
    set(l.from, add(get(l.start), number(1))),
    during(below(get(l.from), get(l.end)), [
      storeByte(get(l.to), loadByte(get(l.from))),
      set(l.hash, hashStep(get(l.hash), loadByte(get(l.from)))),
      more(l.from),
      more(l.to),
    ]),
    call('lookUp', number(TABLES.keys), number(TERM), get(l.to), hashStep(get(l.hash), get(l.field))),
  ],
);

// Counts the words of a name in a field, and all of them as one where they are several; gives how many that are, -1 where
// the name is odd.
export const countWords = routine(
  'countWords',
  {
    given: { start: I32, end: I32, field: I32 },
    own: { hash: I32, kinds: I32, i: I32, words: I32, word: I32 },
    gives: I32,
  },
  (l) => [
    ...hashed(l),
    when(isOddName(l), [give(number(-1))]),
    set(l.words, call('apart', get(l.start), get(l.end))),
    eachWord(l, [call('countKey', call('termKey', right(get(l.word), number(1)), get(l.field)))]),
    when(several(l), [call('countKey', call('wholeKey', get(l.field)))]),
    add(get(l.words), several(l)),
  ],
);

// The field's letter counts last, so that a term is hashed once for all fields.
export const key = routine(
  'key',
  { given: { field: I32, end: I32 }, own: { start: I32, hash: I32, kinds: I32, i: I32 }, gives: I32 },
  (l) => [
    set(l.start, add(get(l.field), number(1))),
    ...hashed(l),
    call(...['lookUp', number(TABLES.keys), get(l.field), get(l.end)], hashStep(get(l.hash), loadByte(get(l.field)))),
  ],
);
