import fc from 'fast-check';
import { expect, it } from 'vitest';
import { courseOf } from './gap-course.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

it('M48 the course of a gap counts its records by day, and by longer spans where it is old', () => {
  expect(courseOf([ago(0), ago(0.5), ago(2)], NOW)).toMatchObject({ counts: [1, 0, 2], days: 1 });
  expect(courseOf([ago(0)], NOW)).toMatchObject({ counts: [0, 1], days: 1 });
  const old = courseOf([ago(90), ago(1)], NOW);
  expect(old).toMatchObject({ days: 3 });
  expect(old?.counts.at(-1)).toBe(1);
  expect([courseOf([], NOW), courseOf(['no time', ago(-1)], NOW)]).toEqual([null, null]);
});

it('M48 no record is lost and no more than a few bars are drawn, whatever the times', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 4000, noNaN: true }), { minLength: 1, maxLength: 40 }), (days) => {
      const course = courseOf(days.map(ago), NOW);
      expect(course?.counts.reduce((sum, count) => sum + count, 0)).toBe(days.length);
      expect(course?.counts.length).toBeLessThanOrEqual(31);
    }),
  );
});
