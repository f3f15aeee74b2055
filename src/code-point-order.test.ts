import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints, hasSurrogates, sortedByCodePoint } from './code-points.ts';

const codes = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
// The order as it is defined: the first code point that differs decides, else the shorter one comes first.
const slowly = (a: string, b: string): number => {
  const [left, right] = [codes(a), codes(b)];
  for (const [at, code] of left.entries()) if (code !== right[at]) return code - (right[at] ?? -1);
  return left.length - right.length;
};
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '😁', '\u{10ffff}'),
});

it('L14 T20 texts are in the order of their code points, also where UTF-16 units say otherwise', () => {
  expect(sortedByCodePoint(['😀', '\uff00', 'b', 'a', 'ab', ''])).toEqual(['', 'a', 'ab', 'b', '\uff00', '😀']);
  expect(sortedByCodePoint(new Set(['b', 'a']))).toEqual(['a', 'b']);
  fc.assert(fc.property(text, text, (a, b) => Math.sign(compareCodePoints(a, b)) === Math.sign(slowly(a, b))));
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(sortedByCodePoint(texts)).toEqual([...texts].sort(slowly));
    }),
  );
});

it('L14 halves of pairs are known', () =>
  expect(['', 'a\ud7ff\ue000', '\ud800', '\udfff', '😀'].map(hasSurrogates)).toEqual([false, false, true, true, true]));
