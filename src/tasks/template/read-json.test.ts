import fc from 'fast-check';
import { getNodeValue, type Node } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { JsonFault, scanJson } from './read-json.ts';

const LIMITS = { depth: 5, values: 50 };
const fault = (text: string, limits = LIMITS): string => {
  try {
    scanJson(text, limits);
    return 'fine';
  } catch (error) {
    return error instanceof JsonFault ? `${error.at} ${error.message}` : String(error);
  }
};

describe('JSON with places', () => {
  it('T1 says what JSON.parse says, for any value in any spacing', () => {
    const plain = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 1, '\t', ' \r'), (value, space) => {
        const text = ` ${JSON.stringify(value, null, space)}\n`;
        expect(getNodeValue(scanJson(text, { depth: 50, values: 10_000 }))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('T1 refuses what JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '01',
      '.5',
      '1e',
      'true',
      'nul',
      ' ',
      '\\',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect([text, fault(text, { depth: 50, values: 1_000 }) === 'fine']).toEqual([text, isJson]);
      }),
    );
  });

  it('T5 knows where every key and value is', () => {
    const places = ({ type, offset, children = [] }: Node): unknown[] => [type, offset, ...children.map(places)];
    expect(places(scanJson(' {"a": [1, "x"], "b": null}', LIMITS))).toEqual([
      ...['object', 1],
      ['property', 2, ['string', 2], ['array', 7, ['number', 8], ['string', 11]]],
      ['property', 17, ['string', 17], ['null', 22]],
    ]);
  });

  it.each([
    ['', '0 The file ends too early.'],
    ['  ', '2 The file ends too early.'],
    ['[1', '2 The file ends too early.'],
    ['[1 2', '3 This is not valid JSON: comma expected.'],
    ['{"a":1 "b"', '7 This is not valid JSON: comma expected.'],
    ['{"a":1', '6 The file ends too early.'],
    ['[1,]', '3 This is not valid JSON: value expected.'],
    ['{"a":1,}', '7 This is not valid JSON: property name expected.'],
    ['{a:1}', '1 This is not valid JSON: invalid symbol.'],
    ['{"a" 1}', '5 This is not valid JSON: colon expected.'],
    ['["a', '1 This is not valid JSON: unexpected end of string.'],
    ['["a\n"]', '1 This is not valid JSON: unexpected end of string.'],
    ['["\\x"]', '1 This is not valid JSON: invalid escape character.'],
    ['["\\"]', '1 This is not valid JSON: unexpected end of string.'],
    ['nope', '0 This is not valid JSON: invalid symbol.'],
    ['1 2', '2 This is not valid JSON: end of file expected.'],
    ['[[[[[[1]]]]]]', '6 Values are nested deeper than 5 levels.'],
    ['[[[[[1]]]]]', 'fine'],
    [`[${'1,'.repeat(48)}1]`, 'fine'],
    [`[${'1,'.repeat(49)}1]`, '99 There are more than 50 values.'],
  ])('T5 %s: %s', (text, said) => expect(fault(text)).toBe(said));
});
