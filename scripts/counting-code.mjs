// Writes src/matching/counting-code.ts: the walk over a text, and the making of a segment, as a WebAssembly module. A first
// build and a changed file meet JavaScript that V8 has not made fast yet; this runs at full speed from its first step.
import { writeFileSync } from 'node:fs';
import {
  add,
  and,
  atLeast,
  below,
  callers,
  choice,
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
  moduleOf,
  not,
  notAbove,
  number,
  or,
  outside,
  product,
  repeat,
  rest,
  right,
  routine,
  set,
  store,
  storeByte,
  sub,
  when,
  xor,
} from './wasm.mjs';

// The first bytes of the memory say what each code is. A code beyond ASCII is a part of a word, and odd.
const KIND = { part: 1, other: 2, digit: 4, lower: 8, upper: 16, joint: 32, odd: 64 };
const kinds = Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (code > 127) return KIND.part | KIND.odd;
  if (/[0-9]/.test(sign)) return KIND.part | KIND.digit;
  if (/[a-z]/.test(sign)) return KIND.part | KIND.lower;
  if (/[A-Z]/.test(sign)) return KIND.part | KIND.upper;
  return /[_$]/.test(sign) ? KIND.part | KIND.joint : /\s/.test(sign) ? 0 : KIND.other;
});
const WORD_KINDS = KIND.digit | KIND.lower | KIND.upper;
const [LINE_END, HASH, STAR, DOT, EQUALS, GREATER, BRACE, ASCII] = [10, 35, 42, 46, 61, 62, 123, 127];
// Which lines are noted: none, all, those that a word of the language leads, or these and such as may hold a method or a
// function as a value.
const NOTED = { none: 0, all: 1, led: 2, ledOrValue: 3 };
// The bit of a word that leads no value, whatever follows: `if`, `for`.
const LEADS_NO_VALUE = (2 ** 31) | 0;
const [HASH_START, HASH_FACTOR] = [0x811c9dc5 | 0, 0x01000193];

// Where everything stands; what grows is found through these places.
const SCRATCH = 256;
const WORDS = 512;
const TABLES = { words: 1536, keys: 1568, names: 1600, odds: 1632 };
const LISTS = {
  items: 1664,
  touched: 1680,
  lines: 1696,
  places: 1712,
  used: 1744,
  postings: 1760,
  documents: 1776,
};
const [COUNTS, WORD_KEYS, WHOLE_LENGTH, WHOLE_HASH, RUN_TERMS] = [1792, 1796, 1800, 1804, 1808];
const [TERM, HEAP] = [2048, 2304];
const table = { slots: 0, mask: 4, size: 8, most: 12, records: 16, pool: 20, poolMost: 24 };
const list = { at: 0, size: 4, most: 8 };
// The keys that a word stands for, and a bit for each language in which it may lead a definition. The key of a name of this one word is made when the first such name comes: NO_KEY before.
const KEYS = { body: 0, defines: 4, defined: 8, leads: 12, size: 16 };
// A line that may define something: all but the runs as places in the text.
const LINE = { start: 0, end: 4, words: 8, last: 12, flags: 16, word: 20, size: 64 };
const WORD = { start: 0, end: 4, run: 8, size: 12 };
const [ARROW, FUNCTION_WORD, SIGN_FIRST, ODD, EQUALS_SIGN] = [1, 2, 4, 8, 16];
// In bytes: a sign has at most three for each unit of its length in JavaScript.
const [LOOKED_WORDS, SHORTEST_LINE, LONGEST_LINE, LONGEST_ODD_LINE] = [3, 4, 241, 3 * 241];

const [LONGEST_CHUNK, LONGEST_TERM, LONGEST_PLAIN] = [200, 64, 240];
// What stands for a run: its number where it is one word in small letters; -1 where it is odd; else -2 less the number of
// its first word.
const [ODD_RUN, SEVERAL_WORDS, NO_WORD] = [-1, -2, -(2 ** 30)];
const NO_KEY = -1;
const letter = (sign) => number(sign.charCodeAt(0));

const taken = [
  outside('newWord', 3),
  outside('oddRun', 3),
  outside('countOdd', 2, I32),
  outside('oddName', 2, I32),
  outside('widenTable', 2),
  outside('widenList', 1),
];
const NAMES = ['lookUp', 'insert', 'push', 'countKey', 'word', 'apart', 'wholeKey', 'run', 'termKey', 'tally'];
const call = callers([...taken.map(({ name }) => name), ...NAMES]);

const more = (local, step = number(1)) => set(local, add(get(local), step));
const at = (place, offset = 0) => load(number(place), offset);
const put = (place, value, offset = 0) => store(number(place), value, offset);
const item = (list, place, size = 2) => add(list, left(place, number(size)));
const hashStep = (hash, code) => product(xor(hash, code), number(HASH_FACTOR));
const both = (a, b) => and(differs(a, number(0)), differs(b, number(0)));

// The number of the bytes in a table; those that were not there get the next.
const lookUp = routine(
  'lookUp',
  {
    given: { table: I32, start: I32, end: I32, hash: I32 },
    own: { slots: I32, mask: I32, slot: I32, place: I32, found: I32, record: I32, from: I32, i: I32, last: I32 },
    gives: I32,
  },
  (l) => [
    set(l.slots, load(get(l.table), table.slots)),
    set(l.mask, load(get(l.table), table.mask)),
    set(l.slot, xor(get(l.hash), right(get(l.hash), number(15)))),
    during(number(1), [
      set(l.place, item(get(l.slots), and(get(l.slot), get(l.mask)), 3)),
      set(l.found, load(get(l.place), 4)),
      when(not(get(l.found)), [
        give(call('insert', get(l.table), get(l.start), get(l.end), get(l.hash), get(l.place))),
      ]),
      when(equals(load(get(l.place)), get(l.hash)), [
        set(l.record, item(sub(load(get(l.table), table.records), number(8)), get(l.found), 3)),
        set(l.from, load(get(l.record))),
        when(equals(sub(load(get(l.record), 8), get(l.from)), sub(get(l.end), get(l.start))), [
          more(l.from, load(get(l.table), table.pool)),
          set(l.i, get(l.start)),
          // Four bytes at a time; of the last four only what belongs to both.
          set(l.last, sub(get(l.end), number(4))),
          during(and(notAbove(get(l.i), get(l.last)), equals(load(get(l.i)), load(get(l.from)))), [
            more(l.i, number(4)),
            more(l.from, number(4)),
          ]),
          set(l.last, sub(get(l.end), get(l.i))),
          when(below(get(l.last), number(4)), [
            when(
              not(
                and(
                  xor(load(get(l.i)), load(get(l.from))),
                  sub(left(number(1), left(get(l.last), number(3))), number(1)),
                ),
              ),
              [give(sub(get(l.found), number(1)))],
            ),
          ]),
        ]),
      ]),
      more(l.slot),
    ]),
    number(0),
  ],
);

const insert = routine(
  'insert',
  {
    given: { table: I32, start: I32, end: I32, hash: I32, place: I32 },
    own: { size: I32, record: I32, from: I32 },
    gives: I32,
  },
  (l) => [
    set(l.size, load(get(l.table), table.size)),
    set(l.record, item(load(get(l.table), table.records), get(l.size), 3)),
    set(l.from, load(get(l.record))),
    when(
      or(
        atLeast(get(l.size), load(get(l.table), table.most)),
        below(load(get(l.table), table.poolMost), add(get(l.from), sub(get(l.end), get(l.start)))),
      ),
      [
        call('widenTable', get(l.table), sub(get(l.end), get(l.start))),
        give(call('lookUp', get(l.table), get(l.start), get(l.end), get(l.hash))),
      ],
    ),
    store(get(l.place), get(l.hash)),
    store(get(l.place), add(get(l.size), number(1)), 4),
    store(get(l.table), add(get(l.size), number(1)), table.size),
    store(get(l.record), get(l.hash), 4),
    store(get(l.record), add(get(l.from), sub(get(l.end), get(l.start))), 8),
    more(l.from, load(get(l.table), table.pool)),
    during(below(get(l.start), get(l.end)), [
      storeByte(get(l.from), loadByte(get(l.start))),
      more(l.start),
      more(l.from),
    ]),
    get(l.size),
  ],
);

const push = routine('push', { given: { list: I32, value: I32 }, own: { size: I32 } }, (l) => [
  set(l.size, load(get(l.list), list.size)),
  when(atLeast(get(l.size), load(get(l.list), list.most)), [call('widenList', get(l.list))]),
  store(item(load(get(l.list)), get(l.size)), get(l.value)),
  store(get(l.list), add(get(l.size), number(1)), list.size),
]);

const countKey = routine('countKey', { given: { key: I32 }, own: { entry: I32, before: I32 } }, (l) => [
  set(l.entry, item(at(COUNTS), get(l.key), 3)),
  set(l.before, load(get(l.entry))),
  store(get(l.entry), add(get(l.before), number(1))),
  when(not(get(l.before)), [call('push', number(LISTS.touched), get(l.key))]),
]);

// Counts the keys of a list of items: first how many there are, then they; gives how many.
const tally = routine(
  'tally',
  { given: { first: I32 }, own: { place: I32, end: I32, count: I32 }, gives: I32 },
  (l) => [
    set(l.place, item(at(LISTS.items), get(l.first))),
    set(l.count, load(get(l.place))),
    set(l.end, item(get(l.place), get(l.count))),
    during(below(get(l.place), get(l.end)), [more(l.place, number(4)), call('countKey', load(get(l.place)))]),
    get(l.count),
  ],
);

const word = routine(
  'word',
  { given: { start: I32, end: I32, hash: I32 }, own: { known: I32, word: I32 }, gives: I32 },
  (l) => [
    set(l.known, at(TABLES.words, table.size)),
    set(l.word, call('lookUp', number(TABLES.words), get(l.start), get(l.end), get(l.hash))),
    when(equals(get(l.word), get(l.known)), [call('newWord', get(l.word), get(l.start), get(l.end))]),
    get(l.word),
  ],
);

// Takes an ASCII run apart: its words in lower case into the scratch, their numbers beside, each doubled and odd where the
// word is a single sign. Letters, then letters and digits; digits alone; a new word where capitals say so.
const apart = routine(
  'apart',
  {
    given: { at: I32, end: I32 },
    own: { words: I32, kind: I32, before: I32, digits: I32, from: I32, to: I32, hash: I32, whole: I32, code: I32 },
    gives: I32,
  },
  (l) => {
    const kindAt = (place) => and(loadByte(loadByte(place)), number(WORD_KINDS));
    return [
      set(l.whole, number(HASH_START)),
      set(l.to, number(SCRATCH + 1)),
      during(below(get(l.at), get(l.end)), [
        set(l.kind, kindAt(get(l.at))),
        when(
          get(l.kind),
          [
            set(l.from, get(l.to)),
            set(l.hash, number(HASH_START)),
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
const wholeKey = routine('wholeKey', { given: { field: I32 }, gives: I32 }, (l) => [
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
const keysOf = (word) => item(at(WORD_KEYS), word, 4);
const keyOfWord = (l, offset) => load(keysOf(right(get(l.word), number(1))), offset);
const several = (l) => below(number(1), get(l.words));

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
const run = routine(
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
  set(l.hash, number(HASH_START)),
  set(l.i, get(l.start)),
  during(below(get(l.i), get(l.end)), [
    set(l.hash, hashStep(get(l.hash), loadByte(get(l.i)))),
    set(l.kinds, or(get(l.kinds), loadByte(loadByte(get(l.i))))),
    more(l.i),
  ]),
];
// What stands for a run, for those who will look for it in texts.
const runAt = routine(
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
const name = routine(
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
const countName = routine(
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
const termKey = routine(
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
    set(l.hash, number(HASH_START)),
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
const countWords = routine(
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
const key = routine(
  'key',
  { given: { field: I32, end: I32 }, own: { start: I32, hash: I32, kinds: I32, i: I32 }, gives: I32 },
  (l) => [
    set(l.start, add(get(l.field), number(1))),
    ...hashed(l),
    call(...['lookUp', number(TABLES.keys), get(l.field), get(l.end)], hashStep(get(l.hash), loadByte(get(l.field)))),
  ],
);

// One walk over the text, which must be ended by an end of line that is no part of it: counts the terms of its body, notes
// the lines that may define something, the places of words that lead an import, and the runs that are not ASCII.
const walk = routine(
  'walk',
  {
    given: { text: I32, length: I32, noted: I32, leads: I32, importWords: I32, functionWord: I32 },
    own: {
      ...{ at: I32, end: I32, code: I32, kind: I32, start: I32, hash: I32, kinds: I32, run: I32, body: I32 },
      ...{
        lineStart: I32,
        plain: I32,
        words: I32,
        last: I32,
        flags: I32,
        record: I32,
        place: I32,
        known: I32,
        sign: I32,
      },
    },
    gives: I32,
  },
  (l) => {
    const inText = (place) => sub(place, get(l.text));
    const newLine = [
      when(below(at(LISTS.lines, list.most), add(at(LISTS.lines, list.size), number(LINE.size / 4))), [
        call('widenList', number(LISTS.lines)),
      ]),
      set(l.record, item(at(LISTS.lines), at(LISTS.lines, list.size))),
      set(l.plain, number(1)),
      set(l.words, number(0)),
      set(l.last, number(0)),
      set(l.flags, number(0)),
    ];
    const flagged = (flag) => and(get(l.flags), number(flag));
    // What stands in the record of a word counts only where there is one.
    const isLed = [
      set(l.run, load(get(l.record), LINE.word + WORD.run)),
      when(
        below(get(l.run), number((2 ** 31) | 0)),
        [set(l.place, and(load(keysOf(get(l.run)), KEYS.leads), get(l.leads)))],
        [set(l.place, equals(get(l.run), number(ODD_RUN)))],
      ),
    ];
    const mayHoldValue = [
      set(l.place, or(flagged(ARROW | FUNCTION_WORD), equals(loadByte(get(l.last)), number(BRACE)))),
      when(get(l.words), [
        when(
          equals(loadByte(add(get(l.text), load(get(l.record), LINE.word + WORD.end))), number(DOT)),
          [set(l.place, flagged(EQUALS_SIGN))],
          [
            when(below(get(l.run), number((2 ** 31) | 0)), [
              when(and(load(keysOf(get(l.run)), KEYS.leads), number(LEADS_NO_VALUE)), [set(l.place, number(0))]),
            ]),
          ],
        ),
      ]),
    ];
    const isNoted = [
      set(l.place, or(equals(get(l.noted), number(NOTED.all)), below(number(ASCII), loadByte(get(l.last))))),
      when(both(not(get(l.place)), get(l.words)), isLed),
      when(equals(get(l.noted), number(NOTED.ledOrValue)), [
        when(not(get(l.place)), mayHoldValue),
        // Of all signs only these two may stand before a name.
        when(
          and(
            differs(flagged(SIGN_FIRST), number(0)),
            differs(get(l.sign), number(HASH)),
            differs(get(l.sign), number(STAR)),
          ),
          [set(l.place, number(0))],
        ),
      ]),
    ];
    const endLine = [
      set(l.place, sub(get(l.at), get(l.lineStart))),
      when(
        and(
          both(get(l.noted), get(l.last)),
          atLeast(get(l.place), number(SHORTEST_LINE)),
          below(
            get(l.place),
            choice(and(get(l.flags), number(ODD)), number(LONGEST_ODD_LINE + 1), number(LONGEST_LINE + 1)),
          ),
        ),
        [
          ...isNoted,
          when(get(l.place), [
            store(get(l.record), inText(get(l.lineStart)), LINE.start),
            store(get(l.record), inText(get(l.at)), LINE.end),
            store(get(l.record), get(l.words), LINE.words),
            store(get(l.record), inText(get(l.last)), LINE.last),
            store(get(l.record), get(l.flags), LINE.flags),
            put(LISTS.lines, add(at(LISTS.lines, list.size), number(LINE.size / 4)), list.size),
          ]),
        ],
      ),
      set(l.lineStart, add(get(l.at), number(1))),
      ...newLine,
    ];
    const sign = [
      // A sign before the first word still lets it lead: `#define`, `*method`.
      when(
        get(l.words),
        [set(l.plain, number(0))],
        [
          when(not(flagged(SIGN_FIRST)), [
            set(l.sign, get(l.code)),
            set(l.flags, or(get(l.flags), number(SIGN_FIRST))),
          ]),
        ],
      ),
      set(l.last, get(l.at)),
      when(equals(get(l.code), number(EQUALS)), [
        set(l.flags, or(get(l.flags), number(EQUALS_SIGN))),
        when(equals(loadByte(get(l.at), 1), number(GREATER)), [set(l.flags, or(get(l.flags), number(ARROW)))]),
      ]),
    ];
    const takeRun = [
      set(l.start, get(l.at)),
      set(l.hash, number(HASH_START)),
      set(l.kinds, number(0)),
      repeat(
        [
          set(l.kinds, or(get(l.kinds), get(l.kind))),
          set(l.hash, hashStep(get(l.hash), get(l.code))),
          more(l.at),
          set(l.code, loadByte(get(l.at))),
          set(l.kind, loadByte(get(l.code))),
        ],
        and(get(l.kind), number(KIND.part)),
      ),
      set(l.run, number(ODD_RUN)),
      when(
        and(get(l.kinds), number(KIND.odd)),
        [
          set(l.flags, or(get(l.flags), number(ODD))),
          // Whole sentences of a script without blanks seldom come twice.
          when(
            below(number(LONGEST_TERM), sub(get(l.at), get(l.start))),
            [more(l.body, call('countOdd', get(l.start), get(l.at)))],
            [
              set(l.known, at(TABLES.odds, table.size)),
              set(l.place, call('lookUp', number(TABLES.odds), get(l.start), get(l.at), get(l.hash))),
              when(equals(get(l.place), get(l.known)), [call('oddRun', get(l.place), get(l.start), get(l.at))]),
              more(l.body, call('tally', load(item(at(TABLES.odds, table.records), get(l.place), 3), 4))),
            ],
          ),
        ],
        [
          when(below(sub(get(l.at), get(l.start)), number(LONGEST_CHUNK + 1)), [
            set(l.run, call('run', get(l.start), get(l.at), get(l.hash), get(l.kinds))),
            more(l.body, at(RUN_TERMS)),
            when(below(get(l.run), get(l.importWords)), [call('push', number(LISTS.places), inText(get(l.start)))]),
          ]),
        ],
      ),
      when(get(l.noted), [
        set(l.last, sub(get(l.at), number(1))),
        when(or(equals(get(l.run), number(ODD_RUN)), equals(get(l.run), get(l.functionWord))), [
          set(l.flags, or(get(l.flags), number(FUNCTION_WORD))),
        ]),
        when(and(get(l.plain), below(get(l.words), number(LOOKED_WORDS))), [
          set(l.place, add(get(l.record), product(get(l.words), number(WORD.size)))),
          store(get(l.place), inText(get(l.start)), LINE.word + WORD.start),
          store(get(l.place), inText(get(l.at)), LINE.word + WORD.end),
          store(get(l.place), get(l.run), LINE.word + WORD.run),
          more(l.words),
        ]),
      ]),
    ];
    return [
      set(l.at, get(l.text)),
      set(l.lineStart, get(l.text)),
      set(l.end, add(get(l.text), get(l.length))),
      ...newLine,
      during(not(below(get(l.end), get(l.at))), [
        set(l.code, loadByte(get(l.at))),
        set(l.kind, loadByte(get(l.code))),
        when(and(get(l.kind), number(KIND.part)), takeRun, [
          when(equals(get(l.code), number(LINE_END)), endLine, [when(get(l.kind), sign)]),
          more(l.at),
        ]),
      ]),
      get(l.body),
    ];
  },
);

// The counts of a document become postings of the segment: own number of the key, and count. There must be room for them.
const take = routine(
  'take',
  { given: {}, own: { at: I32, end: I32, entry: I32, own: I32, used: I32, posting: I32, key: I32 } },
  (l) => [
    set(l.at, at(LISTS.touched)),
    set(l.end, item(get(l.at), at(LISTS.touched, list.size))),
    set(l.used, at(LISTS.used, list.size)),
    set(l.posting, item(at(LISTS.postings), at(LISTS.postings, list.size))),
    during(below(get(l.at), get(l.end)), [
      set(l.key, load(get(l.at))),
      set(l.entry, item(at(COUNTS), get(l.key), 3)),
      set(l.own, load(get(l.entry), 4)),
      when(not(get(l.own)), [
        store(item(at(LISTS.used), get(l.used)), get(l.key)),
        more(l.used),
        set(l.own, get(l.used)),
        store(get(l.entry), get(l.own), 4),
      ]),
      store(get(l.posting), sub(get(l.own), number(1))),
      store(get(l.posting), load(get(l.entry)), 4),
      store(get(l.entry), number(0)),
      more(l.posting, number(8)),
      more(l.at, number(4)),
    ]),
    put(LISTS.used, get(l.used), list.size),
    put(LISTS.postings, right(sub(get(l.posting), at(LISTS.postings)), number(2)), list.size),
    call('push', number(LISTS.documents), at(LISTS.touched, list.size)),
    put(LISTS.touched, number(0), list.size),
  ],
);

// From the order of documents to the order of keys; within a key the documents still ascend. `starts` has two numbers more
// than there are keys, all nought: first how many each has, two places on; then, one place on, where it begins.
const byKey = routine(
  'byKey',
  {
    given: { starts: I32, pairs: I32 },
    own: { at: I32, end: I32, stop: I32, document: I32, count: I32, entry: I32, place: I32, last: I32 },
  },
  (l) => [
    set(l.at, at(LISTS.postings)),
    set(l.end, item(get(l.at), at(LISTS.postings, list.size))),
    during(below(get(l.at), get(l.end)), [
      set(l.entry, item(get(l.starts), load(get(l.at)))),
      store(get(l.entry), add(load(get(l.entry), 8), number(1)), 8),
      more(l.at, number(8)),
    ]),
    set(l.last, item(get(l.starts), at(LISTS.used, list.size))),
    set(l.entry, get(l.starts)),
    during(below(get(l.entry), get(l.last)), [
      store(get(l.entry), add(load(get(l.entry), 4), load(get(l.entry), 8)), 8),
      more(l.entry, number(4)),
    ]),
    set(l.at, at(LISTS.postings)),
    during(below(get(l.at), get(l.end)), [
      set(l.count, load(item(at(LISTS.documents), get(l.document)))),
      set(l.stop, item(get(l.at), get(l.count), 3)),
      during(below(get(l.at), get(l.stop)), [
        set(l.entry, item(get(l.starts), load(get(l.at)))),
        set(l.place, load(get(l.entry), 4)),
        store(get(l.entry), add(get(l.place), number(1)), 4),
        set(l.place, item(get(l.pairs), get(l.place), 3)),
        store(get(l.place), get(l.document)),
        store(get(l.place), load(get(l.at), 4), 4),
        more(l.at, number(8)),
      ]),
      more(l.document),
    ]),
  ],
);

const sizeOf = (value) =>
  add(number(1), ...[0x80, 0x4000, 0x200000, 0x10000000].map((least) => atLeast(value, number(least))));
const putNumber = (place, value) => [
  during(atLeast(get(value), number(0x80)), [
    storeByte(get(place), or(and(get(value), number(0x7f)), number(0x80))),
    more(place),
    set(value, right(get(value), number(7))),
  ]),
  storeByte(get(place), get(value)),
  more(place),
];
// For each document of a key its step from the one before, doubled; odd for the common case of a key that stands there once.
const eachPosting = (l, { one, several }) => [
  set(l.posting, item(get(l.pairs), load(item(get(l.starts), get(l.own))), 3)),
  set(l.end, item(get(l.pairs), load(item(get(l.starts), get(l.own)), 4), 3)),
  set(l.before, number(0)),
  during(below(get(l.posting), get(l.end)), [
    set(l.step, left(sub(load(get(l.posting)), get(l.before)), number(1))),
    set(l.before, load(get(l.posting))),
    set(l.count, load(get(l.posting), 4)),
    when(equals(get(l.count), number(1)), [set(l.step, or(get(l.step), number(1))), ...one], [...one, ...several]),
    more(l.posting, number(8)),
  ]),
];
const keyRecord = (l) => item(at(TABLES.keys, table.records), load(item(at(LISTS.used), get(l.own))), 3);
const keyLength = (l) => sub(load(get(l.record), 8), load(get(l.record)));

// How long each key's list is, in which block it stands, and the keys in the order of blocks; gives how long all will be.
// `blocks` has two numbers more than there are blocks, as `starts` in byKey.
const measure = routine(
  'measure',
  {
    given: { starts: I32, pairs: I32, lengths: I32, homes: I32, order: I32, blocks: I32, blockCount: I32 },
    own: {
      ...{ own: I32, size: I32, total: I32, length: I32, record: I32, home: I32, entry: I32, last: I32 },
      ...{ posting: I32, end: I32, before: I32, step: I32, count: I32, place: I32 },
    },
    gives: I32,
  },
  (l) => [
    set(l.size, at(LISTS.used, list.size)),
    during(below(get(l.own), get(l.size)), [
      set(l.length, number(0)),
      eachPosting(l, {
        one: [more(l.length, sizeOf(get(l.step)))],
        several: [more(l.length, sizeOf(get(l.count)))],
      }),
      store(item(get(l.lengths), get(l.own)), get(l.length)),
      set(l.record, keyRecord(l)),
      set(l.home, rest(load(get(l.record), 4), get(l.blockCount))),
      store(item(get(l.homes), get(l.own)), get(l.home)),
      set(l.entry, item(get(l.blocks), get(l.home))),
      store(get(l.entry), add(load(get(l.entry), 8), number(1)), 8),
      set(l.count, keyLength(l)),
      more(l.total, add(sizeOf(get(l.count)), get(l.count), sizeOf(get(l.length)), get(l.length))),
      more(l.own),
    ]),
    set(l.last, item(get(l.blocks), get(l.blockCount))),
    set(l.entry, get(l.blocks)),
    during(below(get(l.entry), get(l.last)), [
      store(get(l.entry), add(load(get(l.entry), 4), load(get(l.entry), 8)), 8),
      more(l.entry, number(4)),
    ]),
    set(l.own, number(0)),
    during(below(get(l.own), get(l.size)), [
      set(l.entry, item(get(l.blocks), load(item(get(l.homes), get(l.own))))),
      set(l.place, load(get(l.entry), 4)),
      store(get(l.entry), add(get(l.place), number(1)), 4),
      store(item(get(l.order), get(l.place)), get(l.own)),
      more(l.own),
    ]),
    get(l.total),
  ],
);

// All of it into bytes that fit: block after block, and in each key after key with its list. Each block's end goes to `ends`.
const write = routine(
  'write',
  {
    given: {
      ...{ starts: I32, pairs: I32, lengths: I32, order: I32, blocks: I32, blockCount: I32 },
      ...{ out: I32, ends: I32 },
    },
    own: {
      ...{ at: I32, block: I32, i: I32, stop: I32, own: I32, record: I32, from: I32, to: I32 },
      ...{ posting: I32, end: I32, before: I32, step: I32, count: I32 },
    },
  },
  (l) => [
    set(l.at, get(l.out)),
    during(below(get(l.block), get(l.blockCount)), [
      set(l.stop, load(item(get(l.blocks), get(l.block)), 4)),
      during(below(get(l.i), get(l.stop)), [
        set(l.own, load(item(get(l.order), get(l.i)))),
        set(l.record, keyRecord(l)),
        set(l.count, keyLength(l)),
        set(l.from, add(at(TABLES.keys, table.pool), load(get(l.record)))),
        set(l.to, add(get(l.from), get(l.count))),
        putNumber(l.at, l.count),
        during(below(get(l.from), get(l.to)), [storeByte(get(l.at), loadByte(get(l.from))), more(l.at), more(l.from)]),
        set(l.count, load(item(get(l.lengths), get(l.own)))),
        putNumber(l.at, l.count),
        eachPosting(l, { one: putNumber(l.at, l.step), several: putNumber(l.at, l.count) }),
        more(l.i),
      ]),
      store(item(get(l.ends), get(l.block)), sub(get(l.at), get(l.out))),
      more(l.block),
    ]),
  ],
);

// The segment is done: no key has a number in it any more.
const leaveSegment = routine('leaveSegment', { given: {}, own: { at: I32, end: I32 } }, (l) => [
  set(l.at, at(LISTS.used)),
  set(l.end, item(get(l.at), at(LISTS.used, list.size))),
  during(below(get(l.at), get(l.end)), [
    store(item(at(COUNTS), load(get(l.at)), 3), number(0), 4),
    more(l.at, number(4)),
  ]),
  ...[LISTS.used, LISTS.postings, LISTS.documents].map((place) => put(place, number(0), list.size)),
]);

// Into a table's wider slots.
const spread = routine(
  'spread',
  { given: { from: I32, end: I32, slots: I32, mask: I32 }, own: { slot: I32, place: I32 } },
  (l) => [
    during(below(get(l.from), get(l.end)), [
      when(load(get(l.from), 4), [
        set(l.slot, xor(load(get(l.from)), right(load(get(l.from)), number(15)))),
        repeat(
          [set(l.place, item(get(l.slots), and(get(l.slot), get(l.mask)), 3)), more(l.slot)],
          differs(load(get(l.place), 4), number(0)),
        ),
        store(get(l.place), load(get(l.from))),
        store(get(l.place), load(get(l.from), 4), 4),
      ]),
      more(l.from, number(8)),
    ]),
  ],
);

const routines = [
  ...[lookUp, insert, push, countKey, word, apart, wholeKey, run, termKey, tally],
  ...[runAt, name, countName, countWords, key, walk, take, byKey, measure, write, leaveSegment, spread],
];
if (routines.slice(0, NAMES.length).some(({ name }, i) => name !== NAMES[i]))
  throw new Error('the names are out of order');
const module = moduleOf(routines, { data: [{ at: 0, bytes: kinds }], taken });
await WebAssembly.compile(module);
const object = (values) =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
writeFileSync(
  new URL('../src/matching/counting-code.ts', import.meta.url),
  `// Made by scripts/counting-code.mjs, which says what is in it.
export const COUNTING_CODE =
  '${module.toString('base64')}';
// Where in its memory everything stands.
export const TABLES = ${object(TABLES)};
export const TABLE = ${object(table)};
export const LISTS = ${object(LISTS)};
export const LIST = ${object(list)};
export const LINE = ${object({ ...LINE, arrow: ARROW, functionWord: FUNCTION_WORD, signFirst: SIGN_FIRST, odd: ODD, equals: EQUALS_SIGN })};
export const WORD = ${object(WORD)};
export const KEYS = ${object(KEYS)};
export const NOTED = ${object(NOTED)};
export const LEADS_NO_VALUE = ${LEADS_NO_VALUE};
export const [COUNTS, WORD_KEYS, HEAP] = [${COUNTS}, ${WORD_KEYS}, ${HEAP}];
export const [NO_KEY, ODD_RUN] = [${NO_KEY}, ${ODD_RUN}];
`,
);
