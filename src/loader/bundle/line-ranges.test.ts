import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberedLines } from '../../../test/support/numbered-lines.ts';
import { enclosingLines, joinRanges, linesOf, rangeWords, renderRanges } from './line-ranges.ts';

const TEXT = 'class A {\n  a = 1;\n\n  one() {\n    return 1;\n  }\n}\nrest\n';

describe('ranges of lines', () => {
  it('L22 a passage comes with the lines that enclose it, and gaps say their lines', () => {
    const lines = linesOf(TEXT);
    expect(enclosingLines(lines, 5)).toEqual([4, 1]);
    const ranges = joinRanges([
      { start: 5, end: 5 },
      ...enclosingLines(lines, 5).map((at) => ({ start: at, end: at })),
    ]);
    expect(renderRanges(lines, ranges)).toBe(
      'class A {\n[lines 2-3 left out]\n  one() {\n    return 1;\n[lines 6-8 left out]\n',
    );
    expect(rangeWords(ranges)).toBe('1, 4-5');
    expect(renderRanges(lines, [{ start: 8, end: 8 }])).toBe('[lines 1-7 left out]\nrest\n');
    expect(
      renderRanges(linesOf('a\nb\nc'), [
        { start: 1, end: 1 },
        { start: 3, end: 3 },
      ]),
    ).toBe('a\n[line 2 left out]\nc\n');
  });

  it('L22 all lines together are the text itself, whatever ends them', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', ' '), minLength: 1 }), (text) => {
        const lines = linesOf(text);
        expect(renderRanges(lines, [{ start: 1, end: lines.length }])).toBe(text);
      }),
    );
  });

  it('L22 lines are the same with and without a carriage return somewhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', ' ') }), (text) => {
        expect(linesOf(`${text}\n\r`)).toEqual([...linesOf(`${text}\n`), '\r']);
      }),
    );
  });

  it('L22 the lines of an excerpt have the numbers that they have in the file; what does not fit has none', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '['), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.array(fc.nat(19)), (texts, wanted) => {
        const lines = linesOf(`${texts.join('\n')}\n`);
        const chosen = joinRanges(wanted.map((at) => (at % lines.length) + 1).map((at) => ({ start: at, end: at })));
        if (chosen.length === 0) return;
        const numbered = numberedLines(renderRanges(lines, chosen), chosen);
        expect(numbered?.flatMap(({ number, text }) => (number === null ? [] : [[number, text]]))).toEqual(
          chosen.flatMap(({ start, end }) =>
            lines.slice(start - 1, end).map((text, at) => [start + at, text.replace(/\n$/, '')]),
          ),
        );
      }),
    );
    expect(numberedLines('a\nb\n', [])).toBeNull();
    expect(numberedLines('a\nb\n', [{ start: 1, end: 3 }])).toBeNull();
    expect(numberedLines('a\nb\n', [{ start: 2, end: 3 }])).toBeNull();
    expect(numberedLines('a\nb\nc\n', [{ start: 1, end: 2 }])).toBeNull();
    expect(numberedLines('a\n', [{ start: 1, end: 1e9 }])).toBeNull();
  });

  it('L22 ranges that touch or overlap are one', () => {
    expect(
      joinRanges([
        { start: 5, end: 9 },
        { start: 1, end: 3 },
        { start: 4, end: 4 },
        { start: 7, end: 12 },
      ]),
    ).toEqual([{ start: 1, end: 12 }]);
  });
});
