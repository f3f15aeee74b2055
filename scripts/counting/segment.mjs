// From the counts of documents to the bytes of a segment.

import {
  add,
  and,
  atLeast,
  below,
  during,
  equals,
  get,
  I32,
  left,
  load,
  loadByte,
  not,
  number,
  or,
  rest,
  right,
  routine,
  set,
  store,
  storeByte,
  sub,
  when,
} from '../wasm.mjs';
import { at, COUNTS, call, HASH_START, hashStep, item, LISTS, list, more, put, TABLES, table } from './layout.mjs';

// The counts of a document become postings of the segment: own number of the key, and count. There must be room for them.
export const take = routine(
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
export const byKey = routine(
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
export const measure = routine(
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
      // The hash that readers know: keyHash.
      set(l.home, number(HASH_START)),
      set(l.place, add(at(TABLES.keys, table.pool), load(get(l.record)))),
      set(l.last, add(get(l.place), keyLength(l))),
      set(l.before, loadByte(get(l.place))),
      more(l.place),
      during(below(get(l.place), get(l.last)), [
        set(l.home, hashStep(get(l.home), loadByte(get(l.place)))),
        more(l.place),
      ]),
      set(l.home, rest(hashStep(get(l.home), get(l.before)), get(l.blockCount))),
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
export const write = routine(
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
export const leaveSegment = routine('leaveSegment', { given: {}, own: { at: I32, end: I32 } }, (l) => [
  set(l.at, at(LISTS.used)),
  set(l.end, item(get(l.at), at(LISTS.used, list.size))),
  during(below(get(l.at), get(l.end)), [
    store(item(at(COUNTS), load(get(l.at)), 3), number(0), 4),
    more(l.at, number(4)),
  ]),
  ...[LISTS.used, LISTS.postings, LISTS.documents].map((place) => put(place, number(0), list.size)),
]);
