import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { positionFinder } from './template.ts';

it('T7 a place is the same in whatever order places are asked for', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '🐟', '\ud83d', '\n', '\r', '\r\n'), { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 20 }), (parts, offsets) => {
      const source = parts.join('');
      const positionOf = positionFinder(source);
      for (const offset of offsets) expect(positionOf(offset)).toEqual(positionFinder(source)(offset));
    }),
    { numRuns: effort(1000) },
  );
});
