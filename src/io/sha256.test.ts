import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256, sha256Of } from './sha256.ts';

const known = (...parts: (string | Uint8Array)[]) => {
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest('hex');
};

describe('sha256', () => {
  test('gives what the standard gives for every short length', () => {
    for (let length = 0; length <= 400; length += 1) {
      const bytes = Buffer.alloc(length, 'The quick brown fox');
      expect(sha256(bytes)).toBe(known(bytes));
    }
  });

  test('gives what node gives where the room is full, and on both sides of the size that node takes over', () => {
    for (const whole of [64_512, 129_024, 512 * 1024]) {
      for (let more = -66; more <= 66; more += 11) {
        const bytes = Buffer.alloc(whole + more, `${whole} ${more} of it`);
        expect(sha256(bytes)).toBe(known(bytes));
      }
    }
  });

  test('any parts, texts and bytes, give the hash of all of them in a row', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 5000 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        expect(sha256Of(parts)).toBe(known(...parts));
      }),
      { numRuns: 100 },
    );
  });
});
