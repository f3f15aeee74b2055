import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedByCodePoint } from './code-points.ts';
import { canonicalJson, canonicalLine } from './json.ts';

describe('canonical JSON', () => {
  it('M26 is one text for one value, in whatever order its keys came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalLine(reversed)).toBe(canonicalLine(value));
        expect(JSON.parse(canonicalLine(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalLine({ b: 1, a: [{ d: undefined, c: null }], '\u{10000}': 2, '\uffff': 3, 9: 4, 10: 5 })).toBe(
      '{"10":5,"9":4,"a":[{"c":null}],"b":1,"\uffff":3,"\u{10000}":2}',
    );
  });

  it('M26 keys are in order at every depth, without a blank, and the values are those of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalLine(value)).toBe(byHand(value));
      }),
    );
  });

  it('L14 the form with line breaks is the same value, indented as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const pretty = canonicalJson(value);
        expect(canonicalLine(JSON.parse(pretty))).toBe(canonicalLine(value));
      }),
    );
    const ordered = { a: [1, { b: [], c: {} }, 'x y'], d: { e: null, f: { g: [[2]] } } };
    expect(canonicalJson(ordered)).toBe(`${JSON.stringify(ordered, null, 2)}\n`);
  });

  it('M26 what JSON has no word for is left out of an object and null elsewhere', () => {
    expect(canonicalLine({ b: undefined, a: [undefined, null, 1] })).toBe('{"a":[null,null,1]}');
    expect(canonicalLine(undefined)).toBe('null');
    expect([null, true, 'a"b', 1.5, [], {}].map(canonicalLine)).toEqual(['null', 'true', '"a\\"b"', '1.5', '[]', '{}']);
  });
});

function byHand(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byHand)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const values = new Map(Object.entries(value));
  const keys = sortedByCodePoint(values.keys());
  return `{${keys.map((key) => `${JSON.stringify(key)}:${byHand(values.get(key))}`)}}`;
}
