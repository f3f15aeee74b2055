import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { assertContextShape } from '../../test/support/context-shape.ts';
import { effort } from '../../test/support/effort.ts';
import { tokenCounter } from '../tokens.ts';
import { fitContext, MEMORY_PARTS } from './fit-context.ts';
import type { Context } from './read-context.ts';
import { toGap, toLogItem } from './read-context.ts';

let count: (text: string) => number;
beforeAll(async () => {
  count = await tokenCounter();
});

const context = (more: Partial<Context> = {}): Context => ({
  tastes: { default: 'calm\n', genres: { sea: 'blue\n' }, conflicts: [{ point: 'x', files: ['a.md', 'b.md'] }] },
  brief: { raw: 'Tastes: sea\n\nA manta.\n', intent: 'A manta.', tastes: ['sea'] },
  notes: { summary: 'It is warm.\n', truncated: false },
  recent_log: [toLogItem({ timestamp: 't', op: 'look', depth: 3 })],
  recent_gaps: [toGap({ description: 'no way to dive' })],
  ...more,
});
const ALL = [...MEMORY_PARTS];

it('M5 L2 what fits is not touched; a part that the profile leaves out is empty and named', () => {
  const whole = context();
  expect(fitContext(whole, { parts: ALL, max_tokens: 2_000 }, count)).toEqual({ context: whole, leftOut: [], cut: [] });
  const { context: fitted, leftOut, cut } = fitContext(whole, { parts: ['notes'], max_tokens: 2_000 }, count);
  expect(fitted.notes).toEqual(whole.notes);
  expect(fitted.tastes).toEqual({ default: '', genres: {}, conflicts: [] });
  expect({ leftOut, cut }).toEqual({ leftOut: ['tastes', 'brief', 'log', 'gaps'], cut: [] });
});

it('M36 what agents wrote gives way first, then texts are cut evenly and the short ones not at all', () => {
  const log = Array.from({ length: 10 }, (_, at) => toLogItem({ op: `op ${at}`, said: 'word '.repeat(60) }));
  const long = 'A sentence of the notes.\n'.repeat(300);
  const whole = context({ recent_log: log, notes: { summary: long, truncated: false } });
  const { context: fitted, leftOut, cut } = fitContext(whole, { parts: ALL, max_tokens: 600 }, count);
  expect(fitted.tastes).toEqual(whole.tastes);
  expect(fitted.notes.summary).toContain('characters cut');
  expect({ leftOut, cut }).toEqual({ leftOut: ['log', 'gaps'], cut: ['notes'] });
  const roomy = fitContext(context({ recent_log: log }), { parts: ALL, max_tokens: 600 }, count);
  expect(roomy.context.recent_log.length).toBeGreaterThan(0);
  expect(roomy.context.recent_log.length).toBeLessThan(10);
  expect(roomy.context.recent_log[0]?.op).toBe('op 0');
  expect(roomy.context.notes).toEqual(context().notes);
});

it('M15 L8 whatever is in memory: never more tokens than the profile says, and always the whole shape', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.integer({ min: 0, max: 9_000 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 0, max: 900 }).map((length) => 'two words\n'.repeat(length)),
  );
  const made = fc.record({
    standard: text,
    genres: fc.dictionary(fc.string({ minLength: 1, maxLength: 30 }), text, { maxKeys: 40, noNullPrototype: true }),
    raw: text,
    tastes: fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }),
    notes: text,
    records: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(made, fc.integer({ min: 200, max: 3_000 }), (from, max_tokens) => {
      const whole = context({
        tastes: {
          default: from.standard,
          genres: from.genres,
          conflicts: from.tastes.map((point) => ({ point, files: ['a.md', 'b.md'] })),
        },
        brief: { raw: from.raw, intent: from.raw, tastes: from.tastes },
        notes: { summary: from.notes, truncated: false },
        recent_log: Array.from({ length: from.records }, () => toLogItem({ op: 'x', said: from.raw })),
      });
      const { context: fitted } = fitContext(whole, { parts: ALL, max_tokens }, count);
      assertContextShape(fitted);
      expect(count(JSON.stringify(fitted))).toBeLessThanOrEqual(max_tokens);
    }),
    { numRuns: effort(200) },
  );
});
