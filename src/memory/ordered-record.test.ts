import { types } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderedRecord } from './read-context.ts';

const { isProxy } = types;

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

  it('M6 is a record like any other: its keys can be set and taken away', () => {
    for (const key of ['a', '__proto__', '7']) {
      const record = orderedRecord([[key, 1]]);
      expect(Object.getOwnPropertyDescriptor(record, key)).toEqual({
        ...{ value: 1, writable: true, enumerable: true, configurable: true },
      });
    }
    // Only whole numbers as keys need more than that.
    expect(isProxy(orderedRecord([['10', 1]]))).toBe(true);
    for (const key of ['a10', '10a', '01', '', '-1']) expect(isProxy(orderedRecord([[key, 1]]))).toBe(false);
  });
});
