import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toLogItem } from './read-context.ts';

it('M11 puts every key but timestamp and op into details, in order', () => {
  const item = toLogItem({ b: 1, timestamp: 't', a: [2], op: 'o', details: { c: 3 } });
  expect(JSON.stringify(item)).toBe('{"timestamp":"t","op":"o","details":{"b":1,"a":[2],"details":{"c":3}}}');
});

it('M12 gives texts for a timestamp and an op of any type', () => {
  expect(toLogItem({ timestamp: 5, op: null })).toEqual({ timestamp: '5', op: '', details: {} });
  expect(toLogItem({})).toEqual({ timestamp: '', op: '', details: {} });
});

it('M11 loses nothing of any record', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const { timestamp, op, details } = toLogItem(record);
      expect([typeof timestamp, typeof op]).toEqual(['string', 'string']);
      expect(details).toEqual(
        Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'timestamp' && key !== 'op')),
      );
    }),
  );
});

it('M12 keeps a key called __proto__ in details', () => {
  expect(JSON.stringify(toLogItem(JSON.parse('{"__proto__":1}')).details)).toBe('{"__proto__":1}');
});
