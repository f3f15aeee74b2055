import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './line-ranges.ts';

describe('excerpts', () => {
  it('L10 a text that fits stays whole', () => {
    expect(excerptOf('abc', 3)).toEqual({ text: 'abc', chars: 3, truncated: false });
    expect(excerptOf('', 3)).toEqual({ text: '', chars: 0, truncated: false });
  });

  it('L10 cut by code points, never inside a pair', () => {
    expect(excerptOf('😀😀😀', 2)).toEqual({ text: '😀😀', chars: 2, truncated: true });
  });

  it('L10 at a line end where one lies in the last tenth, else where the room ends', () => {
    const line = `${'a'.repeat(94)}\n${'b'.repeat(50)}`;
    expect(excerptOf(line, 100)).toEqual({ text: `${'a'.repeat(94)}\n`, chars: 95, truncated: true });
    const early = `${'a'.repeat(80)}\n${'b'.repeat(50)}`;
    expect(excerptOf(early, 100).chars).toBe(100);
    expect(excerptOf(`${'a'.repeat(99)}\r\nb`, 100).text).toBe('a'.repeat(99));
  });

  it('L10 the beginning of a file that goes on is cut, even when it fits', () => {
    expect(excerptOf('abc', 10, false).truncated).toBe(true);
  });

  it('L10 always a beginning of the text, never over the limit, never a tenth short of it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '😀', 'é', '\uffff'), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 120 }), (whole, max) => {
        const cut = excerptOf(whole, max);
        const total = [...whole].length;
        expect(whole.startsWith(cut.text)).toBe(true);
        expect(cut.chars).toBe([...cut.text].length);
        expect(cut.chars).toBeLessThanOrEqual(max);
        expect(cut.truncated).toBe(cut.text.length < whole.length);
        if (total > max) expect(max - cut.chars).toBeLessThanOrEqual(max / 10);
      }),
      { numRuns: 500 },
    );
  });
});
