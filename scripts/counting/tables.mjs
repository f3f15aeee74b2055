// Tables that number byte strings, and lists that grow.

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
  left,
  load,
  loadByte,
  not,
  notAbove,
  number,
  or,
  repeat,
  right,
  routine,
  set,
  store,
  storeByte,
  sub,
  when,
  xor,
} from '../wasm.mjs';
import { at, COUNTS, call, item, LISTS, list, more, table } from './layout.mjs';

// The number of the bytes in a table; those that were not there get the next.
export const lookUp = routine(
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

export const insert = routine(
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

export const push = routine('push', { given: { list: I32, value: I32 }, own: { size: I32 } }, (l) => [
  set(l.size, load(get(l.list), list.size)),
  when(atLeast(get(l.size), load(get(l.list), list.most)), [call('widenList', get(l.list))]),
  store(item(load(get(l.list)), get(l.size)), get(l.value)),
  store(get(l.list), add(get(l.size), number(1)), list.size),
]);

export const countKey = routine('countKey', { given: { key: I32 }, own: { entry: I32, before: I32 } }, (l) => [
  set(l.entry, item(at(COUNTS), get(l.key), 3)),
  set(l.before, load(get(l.entry))),
  store(get(l.entry), add(get(l.before), number(1))),
  when(not(get(l.before)), [call('push', number(LISTS.touched), get(l.key))]),
]);

// Counts the keys of a list of items: first how many there are, then they; gives how many.
export const tally = routine(
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

// Into a table's wider slots.
export const spread = routine(
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
