import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ageOf, counted, fitTo, grouped, padTo, widthOf } from './columns.ts';

it('M5 what is told to be narrow by its place is so by the tables', () => {
  const codes = Array.from({ length: 0x2027 }, (_, at) => at + 1).filter((at) => at < 0x300 || at >= 0x2010);
  // The mark after it is looked up, so all is.
  const width = (code: number) => widthOf(`${String.fromCodePoint(code)}\u0301`);
  expect(codes.filter((code) => widthOf(String.fromCodePoint(code)) !== width(code))).toEqual([]);
  expect(widthOf('a\u00adb')).toBe(2);
});

it('M5 counts columns, not characters', () => {
  expect([widthOf('abc'), widthOf('水中'), widthOf('é'), widthOf('e\u0301'), widthOf('🐋')]).toEqual([3, 4, 1, 1, 2]);
  expect(padTo('水', 4)).toBe('水  ');
});

it('M5 fits any text into any width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const fitted = fitTo(text, width);
      expect(widthOf(fitted)).toBeLessThanOrEqual(width);
      if (widthOf(text) <= width) expect(fitted).toBe(text);
      else expect(fitted.endsWith('…')).toBe(true);
    }),
  );
});

it('M5 groups digits and keeps the singular', () => {
  expect([grouped(0), grouped(999), grouped(1000), grouped(1234567)]).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([counted(1, 'line'), counted(1200, 'line')]).toEqual(['1 line', '1,200 lines']);
});

const now = new Date('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T12:00:00Z', 'just now'],
  ['2026-03-10T11:59:01Z', 'just now'],
  ['2026-03-10T11:58:00Z', '2 min ago'],
  ['2026-03-10T09:00:00Z', '3 h ago'],
  ['2026-03-08T12:00:00Z', '2 d ago'],
  ['2027-01-01T00:00:00Z', ''],
  ['', ''],
  ['yesterday', ''],
])('M5 says of %j: %j', (timestamp, age) => expect(ageOf(timestamp, now)).toBe(age));
