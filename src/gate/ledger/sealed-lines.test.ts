import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LedgerEntry } from './entry.ts';
import { sealedLines } from './sealed-lines.ts';

it('M26 a line is sealed where unbroken links lead from it to one that is known to be the person’s', () => {
  const line = fc.record({ linked: fc.boolean(), isEntry: fc.boolean(), anchor: fc.boolean() });
  // Mostly whole chains: of random ones nearly none has two links.
  const weighted = fc.oneof(
    { weight: 3, arbitrary: line.map((each) => ({ ...each, linked: true, isEntry: true })) },
    line,
  );
  fc.assert(
    fc.property(fc.array(weighted, { maxLength: 8 }), (lines) => {
      const hashes = lines.map((_, index) => `hash ${index}`);
      const entries = lines.map(({ linked, isEntry }, index) =>
        isEntry ? ({ prev: linked ? (hashes[index - 1] ?? '') : 'other' } as LedgerEntry) : null,
      );
      const isSealed = (index: number): boolean => {
        if (lines[index]?.anchor) return true;
        const next = lines[index + 1];
        return next?.isEntry === true && next.linked && isSealed(index + 1);
      };
      expect(sealedLines(hashes, entries, (index) => lines[index]?.anchor === true)).toEqual(
        lines.map((_, index) => isSealed(index)),
      );
    }),
    { numRuns: 300 },
  );
});
