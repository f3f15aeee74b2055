import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFINING_LINES } from '../../../test/samples/code-lines.ts';
import { indexDocument } from '../../../test/support/memory-index.ts';
import { createTokenizer } from '../text/terms.ts';
import { postingsOf, SegmentWriter, SortedTexts } from './segment.ts';

const tokenizer = createTokenizer();

// Pieces that every pattern of every language has an eye on, and the characters that end a word.
const piece = fc.constantFrom(
  ...'export default declare abstract async function class interface type enum namespace const let var module exports'.split(
    ' ',
  ),
  ...'def func fn struct impl pub mod typedef define public static final fun if for return from import require use'.split(
    ' ',
  ),
  ...[
    'parseHTTPBody2',
    'body_limit',
    'XMLHttpRequest',
    '2fa',
    'A',
    'a1B2c3',
    '$el',
    '__init__',
    'I',
    'the',
    'running',
    'x'.repeat(70),
    'fooBar'.repeat(10),
    'yZ'.repeat(100),
    'w'.repeat(201),
  ],
  ...['été', '漢字変換', 'x𝒳y', 'ﬁle', 'İstanbul', 'naïveCase', '\u00a0', '\u2028', '\ufeff', '\ufffd', '\ud800'],
  ...[
    ' ',
    ' ',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '.',
    '(',
    ')',
    '{',
    '}',
    ' {\n',
    '() {\n',
    ' => ',
    '=',
    ' = (',
    ':',
    ';',
    ',',
  ],
  ...[
    '#',
    '*',
    '"',
    "'./a'",
    '"./b/c.js"',
    "'../d'",
    '<T>',
    '::',
    '/',
    '->',
    '@',
    '# ',
    'crate::a::b',
    '"x.h"',
    '_',
    '-',
    'W: hi',
  ],
);
const soup = fc.array(fc.oneof({ weight: 12, arbitrary: piece }, fc.string({ maxLength: 6, unit: 'binary' })), {
  maxLength: 60,
});
const ending = fc.constantFrom(...'ts js vue py go rs java c h rb ex lua sh sql md txt json'.split(' '));
const path = fc
  .tuple(
    fc.constantFrom('src/', '', 'test/HTTPServer/', 'a-b/été/', 'notes/'),
    fc.constantFrom('index', 'turn12', 'bodyLimit.test', '.env'),
    ending,
  )
  .map(([folder, name, end]) => `${folder}${name}.${end}`);

/** Everything that a segment of one file says: keys with their counts, lengths. */
function saidBy(path: string, text: string) {
  const writer = new SegmentWriter(tokenizer);
  writer.add(path, text);
  const segment = writer.end();
  const names = new SortedTexts(segment.keys);
  const counts = Array.from(segment.keys.ends, (_, number): [string, number] => {
    const sum = segment.counts.subarray(...postingsOf(segment, number)).reduce((all, count) => all + count, 0);
    return [names.at(number), sum];
  });
  return { keys: new Map(counts), lengths: [...segment.lengths] };
}

function expectPlainReading(path: string, written: string): void {
  // As it comes from a file: half a character in the bytes is U+FFFD in the text.
  const text = Buffer.from(written).toString();
  const { keys, lengths } = indexDocument(path, text, tokenizer);
  expect(saidBy(path, text)).toEqual({ keys, lengths: Object.values(lengths) });
}

// A line of real code with one thing less, twice, or another thing in it.
const bentLine = fc
  .tuple(fc.constantFrom(...DEFINING_LINES), fc.nat(), fc.nat(), piece, fc.nat(3))
  .map(([[own, line], at, to, other, what]) => {
    const parts = line.split(/(?<=\W)|(?=\W)/);
    const place = at % (parts.length + 1);
    const bent = [
      line,
      [...parts.slice(0, place), ...parts.slice(place + 1 + (to % 2))].join(''),
      [...parts.slice(0, place), other, ...parts.slice(place)].join(''),
      [...parts.slice(0, place), ...parts.slice(to % (place + 1))].join(''),
    ][what];
    return [own, bent ?? line] as const;
  });

describe('a segment', () => {
  it('T20 holds exactly what the plain reading of each file gives', () => {
    fc.assert(
      fc.property(path, soup, (path, pieces) => {
        const text = pieces.join('');
        expectPlainReading(path, text);
      }),
      { numRuns: 800 },
    );
  });

  it('T20 holds exactly what the plain reading of real lines of code gives, and of such as are nearly so', () => {
    for (const [own, line] of DEFINING_LINES)
      for (const text of [line, `\n${line}\r\n\n`, `${line}\n${line}`]) expectPlainReading(own, text);
    fc.assert(
      fc.property(
        fc.array(bentLine, { minLength: 1, maxLength: 4 }),
        fc.option(path, { nil: null }),
        (lines, other) => {
          expectPlainReading(other ?? lines[0]?.[0] ?? 'a.ts', lines.map(([, line]) => line).join('\n'));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('T20 holds what the plain reading gives of a file with thousands of names, odd runs and lines', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => {
      const name = `own${at.toString(36)}Name${(at * 7).toString(36)}`;
      return `export function ${name}Été${at}(${name}) { return ${name}; } // ü${at} "./${name}"`;
    });
    expectPlainReading('src/many.ts', lines.join('\n'));
    expectPlainReading('src/many.ts', lines.join('\n').replace(/[^\0-\x7f]/g, 'x'));
  });

  it('T20 every key is found again among the others', () => {
    fc.assert(
      fc.property(path, soup, (path, pieces) => {
        const writer = new SegmentWriter(tokenizer);
        writer.add(path, pieces.join(''));
        const { keys } = writer.end();
        const list = new SortedTexts(keys);
        for (const number of keys.ends.keys()) expect(list.idOf(list.at(number))).toBe(number);
      }),
      { numRuns: 100 },
    );
  });

  it('T20 a file that is left out holds its place and says nothing', () => {
    const writer = new SegmentWriter(tokenizer);
    writer.add('a.bin', null);
    expect(writer.end()).toMatchObject({ count: 1, keys: { ends: new Uint32Array() } });
  });
});
