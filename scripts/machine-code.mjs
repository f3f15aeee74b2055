// Writes src/matching/machine-code.ts: the loops of ranking as a WebAssembly module. A command lives too short for V8 to
// make good code of loops over a hundred thousand files; this runs at full speed from its first step.
import { writeFileSync } from 'node:fs';
import {
  add,
  and,
  below,
  by,
  during,
  F64,
  get,
  give,
  I32,
  isAtLeast,
  isEqual,
  isLess,
  isMore,
  leave,
  left,
  load,
  loadByte,
  loadDouble,
  minus,
  moduleOf,
  not,
  number,
  or,
  plus,
  repeat,
  right,
  routine,
  set,
  store,
  storeByte,
  storeDouble,
  sub,
  times,
  toDouble,
  when,
  xor,
} from './wasm.mjs';

const BROKEN = number(-1);
const double = (n) => [0x44, ...new Uint8Array(Float64Array.of(n).buffer)];
const more = (local, step = 1) => set(local, add(get(local), number(step)));
const item = (list, place, size) => add(get(list), left(get(place), number(size)));
const word = (list, place) => load(item(list, place, 2));
const value = (list, place) => loadDouble(item(list, place, 3));
// For every document of a list of numbers: `id` is its number.
const each = ({ at, id, ids, count }, steps) => [
  set(at, number(0)),
  during(below(get(at), get(count)), [set(id, word(ids, at)), ...steps, more(at)]),
];

// A document whose value was nought so far joins the list.
const listed = ({ before, list, found, id }) =>
  when(isEqual(get(before), double(0)), [store(item(list, found, 2), get(id)), more(found)]);

// Seven bits a byte, the lowest first; the highest bit says that more follow.
const readNumber = ({ list, byte, shift }, target) => [
  set(target, number(0)),
  set(shift, number(0)),
  repeat(
    [
      set(byte, loadByte(get(list))),
      more(list),
      set(target, or(get(target), left(and(get(byte), number(127)), get(shift)))),
      more(shift, 7),
    ],
    and(get(byte), number(128)),
  ),
];

const postings = routine(
  'postings',
  {
    given: { list: I32, end: I32, size: I32, dead: I32, base: I32, ids: I32, counts: I32 },
    own: { count: I32, id: I32, step: I32, times: I32, byte: I32, shift: I32 },
    gives: I32,
  },
  (l) => [
    during(below(get(l.list), get(l.end)), [
      readNumber(l, l.step),
      set(l.id, add(get(l.id), right(get(l.step), number(1)))),
      set(l.times, number(1)),
      when(not(and(get(l.step), number(1))), [readNumber(l, l.times)]),
      when(not(below(get(l.id), get(l.size))), [give(BROKEN)]),
      when(not(loadByte(add(get(l.dead), get(l.id)))), [
        store(item(l.ids, l.count, 2), add(get(l.id), get(l.base))),
        store(item(l.counts, l.count, 2), get(l.times)),
        more(l.count),
      ]),
    ]),
    when(below(get(l.end), get(l.list)), [give(BROKEN)]),
    get(l.count),
  ],
);

// Where the list of a key stands in a block, its end at `ending`; nought where the block does not have the key. A block is
// key after key, each with its length before it, then the length of its list and the list.
const seek = routine(
  'seek',
  {
    given: { list: I32, end: I32, key: I32, keyLength: I32, ending: I32 },
    own: { name: I32, nameLength: I32, same: I32, length: I32, byte: I32, shift: I32 },
    gives: I32,
  },
  (l) => {
    const areSame = (a, b) => not(xor(a, b));
    const refuseBeyondEnd = (length) =>
      when(or(below(get(l.end), get(l.list)), below(sub(get(l.end), get(l.list)), get(length))), [give(BROKEN)]);
    const areBytesSame = areSame(loadByte(add(get(l.name), get(l.same))), loadByte(add(get(l.key), get(l.same))));
    return [
      during(below(get(l.list), get(l.end)), [
        readNumber(l, l.nameLength),
        refuseBeyondEnd(l.nameLength),
        set(l.name, get(l.list)),
        set(l.list, add(get(l.name), get(l.nameLength))),
        readNumber(l, l.length),
        refuseBeyondEnd(l.length),
        when(areSame(get(l.nameLength), get(l.keyLength)), [
          set(l.same, number(0)),
          during(and(below(get(l.same), get(l.keyLength)), areBytesSame), [more(l.same)]),
          when(areSame(get(l.same), get(l.keyLength)), [
            store(get(l.ending), add(get(l.list), get(l.length))),
            give(get(l.list)),
          ]),
        ]),
        set(l.list, add(get(l.list), get(l.length))),
      ]),
      number(0),
    ];
  },
);

// The first half of BM25: what one field adds to how often a document has the term.
const gather = routine(
  'gather',
  {
    given: {
      ids: I32,
      counts: I32,
      count: I32,
      lengths: I32,
      sums: I32,
      touched: I32,
      found: I32,
      weight: F64,
      b: F64,
      average: F64,
    },
    own: { at: I32, id: I32, before: F64 },
    gives: I32,
  },
  (l) => [
    each(l, [
      set(l.before, value(l.sums, l.id)),
      when(isEqual(get(l.before), double(0)), [store(item(l.touched, l.found, 2), get(l.id)), more(l.found)]),
      storeDouble(
        item(l.sums, l.id, 3),
        plus(
          get(l.before),
          by(
            times(get(l.weight), toDouble(word(l.counts, l.at))),
            plus(minus(double(1), get(l.b)), by(times(get(l.b), toDouble(word(l.lengths, l.id))), get(l.average))),
          ),
        ),
      ),
    ]),
    get(l.found),
  ],
);

// The second half: it saturates and counts. A document that had nothing so far joins the list.
const settle = routine(
  'settle',
  {
    given: { ids: I32, count: I32, sums: I32, scores: I32, list: I32, found: I32, factor: F64, k1: F64 },
    own: { at: I32, id: I32, sum: F64, before: F64 },
    gives: I32,
  },
  (l) => [
    each(l, [
      set(l.sum, value(l.sums, l.id)),
      storeDouble(item(l.sums, l.id, 3), double(0)),
      set(l.before, value(l.scores, l.id)),
      storeDouble(
        item(l.scores, l.id, 3),
        plus(
          get(l.before),
          by(times(get(l.factor), get(l.sum), plus(get(l.k1), double(1))), plus(get(l.k1), get(l.sum))),
        ),
      ),
      listed(l),
    ]),
    get(l.found),
  ],
);

const LISTING = {
  given: { ids: I32, count: I32, values: I32, list: I32, found: I32, value: F64 },
  own: { at: I32, id: I32, before: F64 },
  gives: I32,
};

// Gives each document at least the value.
const raise = routine('raise', LISTING, (l) => [
  each(l, [
    set(l.before, value(l.values, l.id)),
    listed(l),
    when(isLess(get(l.before), get(l.value)), [storeDouble(item(l.values, l.id, 3), get(l.value))]),
  ]),
  get(l.found),
]);

const increase = routine('increase', LISTING, (l) => [
  each(l, [
    set(l.before, value(l.values, l.id)),
    listed(l),
    storeDouble(item(l.values, l.id, 3), plus(get(l.before), get(l.value))),
  ]),
  get(l.found),
]);

// Documents that were not seen before join the list.
const join = routine(
  'join',
  {
    given: { ids: I32, count: I32, seen: I32, list: I32, found: I32 },
    own: { at: I32, id: I32 },
    gives: I32,
  },
  (l) => [
    each(l, [
      when(not(loadByte(add(get(l.seen), get(l.id)))), [
        storeByte(add(get(l.seen), get(l.id)), number(1)),
        store(item(l.list, l.found, 2), get(l.id)),
        more(l.found),
      ]),
    ]),
    get(l.found),
  ],
);

// Divides by the greatest value, where it is above nought.
const level = routine(
  'level',
  { given: { ids: I32, count: I32, values: I32 }, own: { at: I32, id: I32, most: F64 } },
  (l) => [
    each(l, [when(isMore(value(l.values, l.id), get(l.most)), [set(l.most, value(l.values, l.id))])]),
    when(isMore(get(l.most), double(0)), [
      each(l, [storeDouble(item(l.values, l.id, 3), by(value(l.values, l.id), get(l.most)))]),
    ]),
  ],
);

const weigh = routine(
  'weigh',
  { given: { ids: I32, count: I32, values: I32, scores: I32, weight: F64 }, own: { at: I32, id: I32 } },
  (l) => [
    each(l, [
      storeDouble(item(l.scores, l.id, 3), plus(value(l.scores, l.id), times(get(l.weight), value(l.values, l.id)))),
    ]),
  ],
);

// The score of the last of `top` places; below nought where there are fewer above it. A heap holds the best so far, the
// least at its root.
const edge = routine(
  'edge',
  {
    given: { ids: I32, count: I32, scores: I32, heap: I32, top: I32 },
    own: { at: I32, id: I32, place: I32, child: I32, score: F64 },
    gives: F64,
  },
  (l) => [
    each(l, [
      set(l.score, value(l.scores, l.id)),
      when(and(isMore(get(l.score), double(0)), isMore(get(l.score), loadDouble(get(l.heap)))), [
        set(l.place, number(0)),
        set(l.child, number(1)),
        during(below(get(l.child), get(l.top)), [
          when(below(add(get(l.child), number(1)), get(l.top)), [
            when(isLess(loadDouble(item(l.heap, l.child, 3), 8), value(l.heap, l.child)), [more(l.child)]),
          ]),
          when(isAtLeast(value(l.heap, l.child), get(l.score)), [leave(1)]),
          storeDouble(item(l.heap, l.place, 3), value(l.heap, l.child)),
          set(l.place, get(l.child)),
          set(l.child, add(left(get(l.child), number(1)), number(1))),
        ]),
        storeDouble(item(l.heap, l.place, 3), get(l.score)),
      ]),
    ]),
    loadDouble(get(l.heap)),
  ],
);

// The documents of a stretch of numbers whose score is above, or is just this, in the order of their numbers.
const chosen = (name, isMeant) =>
  routine(
    name,
    {
      given: { id: I32, end: I32, scores: I32, score: F64, out: I32, most: I32 },
      own: { found: I32 },
      gives: I32,
    },
    (l) => [
      during(and(below(get(l.id), get(l.end)), below(get(l.found), get(l.most))), [
        when(isMeant(value(l.scores, l.id), get(l.score)), [store(item(l.out, l.found, 2), get(l.id)), more(l.found)]),
        more(l.id),
      ]),
      get(l.found),
    ],
  );

const module = moduleOf([
  ...[postings, seek, gather, settle, raise, increase, join, level, weigh, edge],
  ...[chosen('above', isMore), chosen('equal', isEqual)],
]);
await WebAssembly.compile(module);
writeFileSync(
  new URL('../src/matching/machine-code.ts', import.meta.url),
  `// Made by scripts/machine-code.mjs, which says what is in it.
export const MACHINE_CODE =
  '${module.toString('base64')}';
`,
);
