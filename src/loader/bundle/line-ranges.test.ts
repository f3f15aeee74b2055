import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
