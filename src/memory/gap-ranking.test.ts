import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankGaps } from './gap-ranking.ts';
import { type Gap, toGap } from './read-context.ts';

const NOW = Date.parse('2026-11-16T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
const gap = (description: string, days: number, more: Partial<Gap> = {}): Gap =>
  toGap({ timestamp: daysAgo(days), image_id: 'manta', description, ...more });
const ranked = (...gaps: Gap[]) => rankGaps(gaps, NOW, (words) => words).map(({ key, count }) => `${key} ${count}`);

describe('M48 gaps ranked', () => {
  it('the same words are one gap, whatever their case, spacing and marks', () => {
    expect(ranked(gap('No mask tool', 1), gap('no  mask-tool!', 2), gap('No radial mask', 1))).toEqual([
      'no mask tool 2',
      'no radial mask 1',
    ]);
  });

  it('often before seldom, recent before old, badly before well', () => {
    expect(ranked(gap('a', 5), gap('b', 5), gap('b', 6))[0]).toBe('b 2');
    expect(ranked(gap('old', 200), gap('old', 201), gap('new', 1))[0]).toBe('new 1');
    expect(ranked(gap('fine', 3, { satisfaction: 1 }), gap('bad', 3, { satisfaction: -1 }))[0]).toBe('bad 1');
  });

  it('no record is lost, and the order does not hang on the order of records', () => {
    const any = fc.record({
      description: fc.constantFrom('a', 'A', 'b b', 'c'),
      days: fc.integer({ min: 0, max: 400 }),
      satisfaction: fc.constantFrom(-1, 0, 1, null),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 20 }), (list) => {
        const gaps = list.map(({ description, days, satisfaction }) =>
          gap(description, days, { satisfaction: satisfaction as Gap['satisfaction'] }),
        );
        const result = rankGaps(gaps, NOW, (words) => words);
        expect(result.reduce((sum, { count }) => sum + count, 0)).toBe(gaps.length);
        expect(rankGaps([...gaps].reverse(), NOW, (words) => words).map(({ key }) => key)).toEqual(
          result.map(({ key }) => key),
        );
      }),
    );
  });

  it('says when it was first and last missed, in how many sessions, and how it went on average', () => {
    const records = [
      gap('No mask', 2, { satisfaction: 1, session_id: 'b' }),
      gap('no mask', 9, { satisfaction: -1, session_id: 'a' }),
      gap('no mask!', 5, { session_id: 'a', intent_category: 'edit' }),
      gap('no mask', 4, { satisfaction: -1, session_id: 'b' }),
    ];
    const [found] = rankGaps(records, NOW, (words) => words);
    expect(found).toMatchObject({
      description: 'No mask',
      count: 4,
      sessions: 2,
      first_at: daysAgo(9),
      last_at: daysAgo(2),
    });
    expect(found?.satisfaction).toBeCloseTo(-1 / 3);
    expect(found?.records.map(({ timestamp }) => timestamp)).toEqual([9, 5, 4, 2].map(daysAgo));
    expect(rankGaps([gap('x', 1), gap('x', 2)], NOW, (words) => words)[0]?.satisfaction).toBeNull();
  });

  it('a record without a time weighs nothing and is still shown', () => {
    expect(ranked(toGap({ description: 'x' }), gap('y', 300))).toEqual(['y 1', 'x 1']);
  });
});
