import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderedRecord } from './ordered-record.ts';

describe('orderedRecord', () => {
  it('M6 keeps any keys in the order they were given', () => {
    const keys = fc.uniqueArray(
      fc.oneof(fc.nat().map(String), fc.string(), fc.constantFrom('__proto__', 'constructor')),
    );
    fc.assert(
      fc.property(keys, (order) => {
        const record = orderedRecord(order.map((key, index) => [key, index] as const));
        expect(Object.keys(record)).toEqual(order);
        expect(Object.entries(record).map(([, value]) => value)).toEqual(order.map((_, index) => index));
        expect(JSON.stringify(record)).toBe(
          `{${order.map((key, index) => `${JSON.stringify(key)}:${index}`).join(',')}}`,
        );
        expect(order.every((key) => Object.hasOwn(record, key))).toBe(true);
        expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      }),
    );
  });
});
