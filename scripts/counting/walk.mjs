// The one walk over a text.

import {
  add,
  and,
  atLeast,
  below,
  choice,
  differs,
  during,
  equals,
  get,
  I32,
  load,
  loadByte,
  not,
  number,
  or,
  product,
  repeat,
  routine,
  set,
  store,
  sub,
  when,
} from '../wasm.mjs';
import {
  ARROW,
  ASCII,
  at,
  BRACE,
  both,
  call,
  DOT,
  EQUALS,
  EQUALS_SIGN,
  FUNCTION_WORD,
  GREATER,
  HASH,
  hashStep,
  item,
  KEYS,
  KIND,
  LEADS_NO_VALUE,
  LINE,
  LINE_END,
  LISTS,
  LONGEST_CHUNK,
  LONGEST_LINE,
  LONGEST_ODD_LINE,
  LONGEST_TERM,
  LOOKED_WORDS,
  list,
  more,
  NOTED,
  ODD,
  ODD_RUN,
  put,
  RUN_TERMS,
  SEED,
  SHORTEST_LINE,
  SIGN_FIRST,
  STAR,
  TABLES,
  table,
  WORD,
} from './layout.mjs';
import { keysOf } from './words.mjs';

// One walk over the text, which must be ended by an end of line that is no part of it: counts the terms of its body, notes
// the lines that may define something, the places of words that lead an import, and the runs that are not ASCII.
export const walk = routine(
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
      set(l.hash, at(SEED)),
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
