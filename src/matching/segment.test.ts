import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bothReadings } from '../../test/plain-reading.ts';
import { DEFINING_LINES, IMPORTING_TEXTS } from '../../test/samples/code-lines.ts';
import { sourceOf } from '../../test/source-of.ts';
import { DocumentCounter } from './document-counter.ts';
import { SegmentWriter } from './segment.ts';
import { createTokenizer } from './terms.ts';

const tokenizer = createTokenizer();
const counter = new DocumentCounter(tokenizer, 7);

// Pieces that every pattern of every language has an eye on, and the signs that end a word.
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

function expectPlainReading(path: string, text: string): void {
  const { counted, plain } = bothReadings(path, new TextEncoder().encode(text), { counter, tokenizer });
  expect(counted).toEqual(plain);
}

// A line of real code with one thing less, twice, or another thing in it.
const bentLine = fc
  .tuple(fc.constantFrom(...DEFINING_LINES, ...IMPORTING_TEXTS), fc.nat(), fc.nat(), piece, fc.nat(3))
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
    for (const [own, line] of [...DEFINING_LINES, ...IMPORTING_TEXTS])
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

  it('T20 a line is as long as its signs, not as its bytes', () => {
    for (const length of [100, 200, 213, 214, 215, 216, 217, 218, 260])
      for (const sign of ['é', '漢', '😀'.slice(0, 1), 'x'])
        for (const line of [
          `export function named(${sign.repeat(length)}) {`,
          `const named = (${sign.repeat(length)}) =>`,
          `named: (${sign.repeat(length)}) =>`,
        ])
          for (const end of ['', '\n', '\r\n']) expectPlainReading('a.ts', line + end);
    expectPlainReading('a.ts', `import { ${'é'.repeat(300)} } from './a';${'ü'.repeat(200_000)}\nimport './b';`);
    expectPlainReading('a.ts', `/* ${'é'.repeat(150_000)} */ import './a';`);
  });

  it('T20 is the same whatever was read before it', () => {
    const files = fc.array(fc.tuple(path, soup), { maxLength: 5 });
    fc.assert(
      fc.property(files, path, soup, (before, path, pieces) => {
        const text = pieces.join('');
        const warm = new DocumentCounter(tokenizer, 7);
        const writer = new SegmentWriter(warm);
        for (const [other, some] of before) writer.add(other, sourceOf(some.join('')));
        writer.end();
        const again = new SegmentWriter(warm);
        again.add(path, sourceOf(text));
        const first = new SegmentWriter(new DocumentCounter(tokenizer, 7));
        first.add(path, sourceOf(text));
        expect(again.end()).toEqual(first.end());
      }),
      { numRuns: 60 },
    );
  });

  it('T20 is the same whatever the hashes of its tables start with', () => {
    fc.assert(
      fc.property(path, soup, fc.integer(), (path, pieces, seed) => {
        const segments = [seed, 7].map((start) => {
          const writer = new SegmentWriter(new DocumentCounter(tokenizer, start));
          writer.add(path, sourceOf(pieces.join('')));
          return writer.end();
        });
        expect(segments[0]).toEqual(segments[1]);
      }),
      { numRuns: 50 },
    );
  });

  it('T20 a vocabulary that has become large starts over, and reads as before', () => {
    const many = new DocumentCounter(tokenizer, 7);
    const segment = (path: string, text: string) => {
      const writer = new SegmentWriter(many);
      writer.add(path, sourceOf(text));
      return writer.end();
    };
    const source = 'export function load() {\nimport "./b"\n';
    const before = segment('a.ts', source);
    const { vocabulary } = many;
    many.makeRoom();
    expect(vocabulary.full).toBe(false);
    segment('b.txt', Array.from({ length: 200_001 }, (_, at) => `w${at.toString(36)}`).join(' '));
    expect(vocabulary.full).toBe(true);
    many.makeRoom();
    expect(vocabulary.full).toBe(false);
    expect(segment('a.ts', source)).toEqual(before);
  });
});
