import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('M26 is one text for one value, in whatever order its keys came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: 1, a: [{ d: undefined, c: null }], '\u{10000}': 2, '\uffff': 3 })).toBe(
      '{"a":[{"c":null}],"b":1,"\u{10000}":2,"\uffff":3}',
    );
  });

  it('M26 keys stand in order at every depth, without a blank, and the values are those of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(value)).toBe(byHand(value));
      }),
    );
  });

  it('M26 what JSON has no word for is left out of an object and null elsewhere', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, null, 1] })).toBe('{"a":[null,null,1]}');
    expect(canonicalJson(undefined)).toBe('null');
    expect([null, true, 'a"b', 1.5, [], {}].map(canonicalJson)).toEqual(['null', 'true', '"a\\"b"', '1.5', '[]', '{}']);
  });
});

function byHand(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byHand)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const values = new Map(Object.entries(value));
  const keys = [...values.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${byHand(values.get(key))}`)}}`;
}
