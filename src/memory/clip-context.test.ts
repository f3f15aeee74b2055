import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../test/samples/empty-context.ts';
import { assertContextShape } from '../../test/support/context-shape.ts';
import { effort } from '../../test/support/effort.ts';
import { codePointLength } from '../code-points.ts';
import { clipContext } from './clip-context.ts';
import { orderedRecord, toGap, toLogItem } from './read-context.ts';

const LIMITS = { maxChars: 60_000, maxRecordChars: 4_000 };
const sizeOf = (value: unknown) => codePointLength(JSON.stringify(value));

describe('clipContext', () => {
  it('M15 leaves a small context alone', () => {
    const whole = contextOf({ recent_log: [toLogItem({ op: 'x'.repeat(3000) })], recent_gaps: [toGap({})] });
    expect(clipContext(whole, LIMITS)).toEqual({ context: whole, warnings: [] });
  });

  it('M15 keeps a hundred of a list, and counts what is left out', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);
    const listed = (count: number) =>
      clipContext(contextOf({ brief: { raw: '', intent: '', tastes: names(count) } }), LIMITS);
    expect(listed(100)).toMatchObject({ context: { brief: { tastes: names(100) } }, warnings: [] });
    expect(listed(101)).toMatchObject({
      context: { brief: { tastes: names(100) } },
      warnings: ['brief.tastes has 101 entries: 1 are left out here.'],
    });
  });

  it('M15 cuts a record no more than it must: texts first, then items, the outermost fields never', () => {
    const clipped = (params: unknown) => {
      const item = { timestamp: 't', op: 'o', params } as never;
      return clipContext(contextOf({ recent_log: [item] }), LIMITS).context.recent_log[0] as unknown as {
        params: { text?: string; list?: string[] };
      };
    };
    const long = clipped({ text: 'x'.repeat(5_000) }).params.text ?? '';
    expect(codePointLength(long)).toBeGreaterThan(1_900);
    expect(codePointLength(long)).toBeLessThanOrEqual(2_000);
    const two = clipped({ text: 'x'.repeat(5_000), list: ['y'.repeat(5_000)] }).params;
    expect([two.text, two.list?.[0]].map((text) => codePointLength(text ?? ''))).toEqual([1_000, 1_000]);
    const many = clipped({ list: Array.from({ length: 1_000 }, () => 'z'.repeat(200)) }).params.list ?? [];
    expect(many).toHaveLength(50);
    expect(many.every((text) => codePointLength(text) === 30)).toBe(true);
    const nested = clipped({
      list: Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => 'z'.repeat(99))),
    });
    expect(nested.params.list?.map((inner) => inner.length)).toEqual(Array(10).fill(10));
  });

  it('M15 cuts each long text with a marker and a warning', () => {
    const long = 'some words\n'.repeat(20_000);
    const whole = contextOf({
      tastes: { default: long, genres: { a: long }, conflicts: [] },
      notes: { summary: long, truncated: true },
    });
    const { context, warnings } = clipContext(whole, LIMITS);
    for (const text of [context.tastes.default, context.tastes.genres.a, context.notes.summary]) {
      expect(codePointLength(text ?? '')).toBeLessThanOrEqual(60_000);
      expect(text).toMatch(/\[\d+ characters cut\]/);
    }
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(['_default.md', 'a.md', 'notes.md']);
    expect(warnings[2]).toContain('read_full_notes');
  });

  it('M15 keeps many texts together within five times the limit', () => {
    const genres = orderedRecord(Array.from({ length: 300 }, (_, i) => [`${i}`, '🐋'.repeat(50_000)] as const));
    const { context, warnings } = clipContext(contextOf({ tastes: { default: '', genres, conflicts: [] } }), LIMITS);
    const total = Object.values(context.tastes.genres).reduce((sum, text) => sum + codePointLength(text), 0);
    expect(total).toBeLessThanOrEqual(300_000);
    expect(Object.keys(context.tastes.genres)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
    expect(warnings).toContain('200 genres are left out here.');
  });

  it('M15 cuts endless lists of declared tastes and conflicts', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `t${i}`);
    const { context } = clipContext(
      contextOf({
        brief: { raw: '', intent: '', tastes: many },
        tastes: { default: '', genres: {}, conflicts: many.map((point) => ({ point, files: many })) },
      }),
      LIMITS,
    );
    expect(context.brief.tastes).toHaveLength(100);
    expect(context.tastes.conflicts).toHaveLength(100);
    for (const conflict of context.tastes.conflicts) expect(sizeOf(conflict)).toBeLessThanOrEqual(4_000);
  });

  it('M15 cuts the longest texts of a record and leaves the short ones', () => {
    const item = toLogItem({ timestamp: 't', op: 'o', short: 'kept', long: 'x'.repeat(10_000_000) });
    const { context, warnings } = clipContext(contextOf({ recent_log: [item] }), LIMITS);
    expect(sizeOf(context.recent_log[0])).toBeLessThanOrEqual(4_000);
    expect(context.recent_log[0]).toMatchObject({ timestamp: 't', op: 'o', details: { short: 'kept' } });
    expect(JSON.stringify(context.recent_log[0])).toContain('characters cut');
    expect(warnings).toEqual([expect.stringContaining('log.jsonl')]);
  });

  it('M15 keeps the shape and the limit for records of any build', () => {
    const value = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
      { weight: 1, arbitrary: fc.nat(8000).map((count) => Array.from({ length: count }, () => 'word')) },
      { weight: 1, arbitrary: fc.nat(9000).map((count) => '🐋\u0001'.repeat(count)) },
      {
        weight: 1,
        arbitrary: fc
          .nat(2000)
          .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))),
      },
      { weight: 1, arbitrary: fc.constant('['.repeat(150) + ']'.repeat(150)).map((json) => JSON.parse(json)) },
    );
    const keys = fc.constantFrom(...Object.keys(toGap({})), 'workaround', 'op', 'extra');
    fc.assert(
      fc.property(fc.array(fc.dictionary(keys, value, { maxKeys: 14 }), { maxLength: 10 }), (records) => {
        const whole = contextOf({ recent_log: records.map(toLogItem), recent_gaps: records.map(toGap) });
        const { context } = clipContext(whole, LIMITS);
        assertContextShape(context);
        for (const record of [...context.recent_log, ...context.recent_gaps]) {
          expect(sizeOf(record)).toBeLessThanOrEqual(4_000);
        }
      }),
      { numRuns: effort(60) },
    );
  });

  it.each([
    [1, 2000],
    [3, 1000],
    [7, 500],
    [18, 200],
    [40, 80],
    [100, 30],
  ])('M15 cuts %d long texts of a record to %d characters each', (count, length) => {
    const texts = Array.from({ length: count }, () => 'x'.repeat(5_000));
    const item = toLogItem({ timestamp: 't', op: 'o', texts });
    const { context } = clipContext(contextOf({ recent_log: [item] }), LIMITS);
    const kept = context.recent_log[0]?.details.texts as string[];
    expect(kept.map(codePointLength)).toEqual(texts.map(() => length));
  });

  it('M15 takes items of a record only where short texts are not enough: fifty, ten, three, none', () => {
    const nested = (depth: number, width = 12): unknown =>
      depth === 0 ? 10 : Array.from({ length: width }, () => nested(depth - 1, width));
    const clippedList = (list: unknown) => {
      const { context } = clipContext(contextOf({ recent_log: [toLogItem({ list })] }), LIMITS);
      return context.recent_log[0]?.details;
    };
    const sizes = (list: unknown): number[] => (Array.isArray(list) ? [list.length, ...sizes(list[0])] : []);
    expect(sizes(clippedList(Array.from({ length: 3_000 }, () => 1))?.list)).toEqual([50]);
    expect(sizes(clippedList(nested(3))?.list)).toEqual([10, 10, 10]);
    expect(sizes(clippedList(nested(4))?.list)).toEqual([3, 3, 3, 3]);
    expect(clippedList(nested(8, 3))).toEqual({});
  });

  it('M15 a record of exactly the limit stays whole', () => {
    const sized = (size: number) => {
      const bare = sizeOf(toLogItem({ timestamp: 't', op: 'o', a: '' }));
      return toLogItem({ timestamp: 't', op: 'o', a: '🐋'.repeat(size - bare) });
    };
    for (const [size, isWhole] of [
      [3_999, true],
      [4_000, true],
      [4_001, false],
    ] as const) {
      const item = sized(size);
      expect(sizeOf(item)).toBe(size);
      const { context, warnings } = clipContext(contextOf({ recent_log: [item] }), LIMITS);
      expect([context.recent_log[0] === item, warnings.length]).toEqual([isWhole, isWhole ? 0 : 1]);
    }
  });

  it('M15 a cut that fits exactly is enough', () => {
    const item = toLogItem({ timestamp: 't', op: 'o', a: 'x'.repeat(9_000), b: 'y'.repeat(9_000) });
    const cutTo = (maxRecordChars: number) =>
      clipContext(contextOf({ recent_log: [item] }), { ...LIMITS, maxRecordChars }).context.recent_log[0];
    const cut = cutTo(4_000);
    expect(cutTo(sizeOf(cut))).toEqual(cut);
    expect(sizeOf(cutTo(sizeOf(cut) - 1))).toBeLessThan(sizeOf(cut) - 500);
  });

  it('M15 five full texts are not too many, one character more makes all of them shorter', () => {
    const limits = { maxChars: 1_000, maxRecordChars: 4_000 };
    const full = 'x'.repeat(1_000);
    const five = (more: string) =>
      contextOf({
        tastes: { default: full, genres: { a: full, b: more }, conflicts: [] },
        brief: { raw: full, intent: full, tastes: [] },
        notes: { summary: full, truncated: false },
      });
    expect(clipContext(five(''), limits)).toEqual({ context: five(''), warnings: [] });
    const { context, warnings } = clipContext(five('y'), limits);
    // Six texts share five times the limit, and the marker has one digit less than it could have.
    const each = Math.floor(5_000 / 6) - 1;
    expect(
      [context.tastes.default, context.brief.raw, context.brief.intent, context.notes.summary].map(codePointLength),
    ).toEqual([each, each, each, each]);
    expect(context.tastes.genres.b).toBe('y');
    expect(warnings.map((warning) => warning.split(' is long')[0])).toEqual([
      '_default.md',
      'a.md',
      'brief.md',
      'notes.md',
    ]);
    expect(warnings[1]).toContain('Use read_full_notes with file "a.md" for the rest.');
  });

  it('M15 each warning names what was cut, and a hundred genres are none too many', () => {
    const long = 'x'.repeat(5_000);
    const { warnings } = clipContext(
      contextOf({
        tastes: { default: '', genres: {}, conflicts: [{ point: long, files: ['a', 'b'] }] },
        recent_log: [toLogItem({ op: long })],
        recent_gaps: [toGap({ notes: long })],
      }),
      LIMITS,
    );
    expect(warnings.map((warning) => /^a record of (\S+) is long/.exec(warning)?.[1])).toEqual([
      ...['tastes.conflicts', 'log.jsonl', 'vocabulary_gaps.jsonl'],
    ]);
    const many = (count: number) => {
      const genres = orderedRecord(Array.from({ length: count }, (_, i) => [`g${i}`, ''] as const));
      return clipContext(contextOf({ tastes: { default: '', genres, conflicts: [] } }), LIMITS).warnings;
    };
    expect([many(100), many(101)]).toEqual([[], ['1 genres are left out here.']]);
    const conflicts = Array.from({ length: 102 }, (_, i) => ({ point: `${i}`, files: ['a', 'b'] }));
    expect(clipContext(contextOf({ tastes: { default: '', genres: {}, conflicts } }), LIMITS).warnings).toEqual([
      'tastes.conflicts has 102 entries: 2 are left out here.',
    ]);
  });
});
