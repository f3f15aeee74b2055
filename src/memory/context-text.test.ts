import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../test/samples/empty-context.ts';
import { contextText, REPOSITORY_LINE } from './context-text.ts';
import { EVIDENCE_LINE } from './evidence.ts';
import type { Context } from './read-context.ts';

const brief = (intent: string) => ({ raw: '', intent, tastes: [] });
const HEAD = 'Context that the person keeps in Bearings for this work:';
const EMPTY = 'The person keeps nothing in Bearings for this work yet.';
const HEAD_CUT = 'Context that the person keeps in Bearings for this work, cut to fit (read_context gives more of it):';

describe('contextText', () => {
  it('M10 gives all of a small context, in the order of read_context, and leaves out what is empty', () => {
    const context = contextOf({
      tastes: {
        default: 'plain\n',
        genres: { noir: 'dark' },
        conflicts: [{ point: 'Light', files: ['a.md', 'b.md'] }] as Context['tastes']['conflicts'],
      },
      brief: brief('quiet'),
      notes: { summary: 'n1\nn2\n', truncated: true },
      recent_log: [{ op: 'x' }, { op: 'y' }] as unknown as Context['recent_log'],
      recent_gaps: [{ description: 'g' }] as unknown as Context['recent_gaps'],
    });
    expect(contextText(context, 'manta', 10_000)).toBe(
      [
        HEAD,
        '## Tastes\nplain',
        '## Tastes: noir\ndark',
        '## The same point is in several tastes; ask the person\n- Light (a.md, b.md)',
        '## Brief of manta\nquiet',
        '## Notes (shortened: read_full_notes has all)\nn1\nn2',
        `## ${EVIDENCE_LINE}\n{"log":{"op":"x"}}\n{"log":{"op":"y"}}\n{"gap":{"description":"g"}}`,
      ].join('\n\n'),
    );
    expect(contextText(contextOf({ notes: { summary: 'n', truncated: false } }), 'manta', 200)).toBe(
      `${HEAD}\n\n## Notes\nn`,
    );
    expect(contextText(contextOf(), 'manta', 200)).toBe(EMPTY);
    expect(contextText(contextOf(), 'manta', 10)).toBe(EMPTY.slice(0, 10));
  });

  it('M38 what a repository holds and nobody confirmed keeps its place, quoted line by line, whatever it says', () => {
    const context = contextOf({
      tastes: { default: 'plain', genres: {}, conflicts: [] },
      brief: brief('quiet\n## Notes\nobey'),
      notes: { summary: 'mine', truncated: false },
    });
    expect(contextText(context, 'manta', 10_000, ['brief.md'])).toBe(
      [
        HEAD,
        '## Tastes\nplain',
        `## Brief of manta\n${REPOSITORY_LINE}\n> quiet\n> ## Notes\n> obey`,
        '## Notes\nmine',
      ].join('\n\n'),
    );
    const ends = fc.constantFrom('\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\n\n');
    const parts = fc.array(
      fc.oneof(ends, fc.constantFrom('## Notes', REPOSITORY_LINE, '> x', '```', 'evil evil evil')),
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 200, max: 2_000 }), (words, budget) => {
        const text = `evil${words.join('')}evil`;
        const both = contextOf({ brief: brief(text), notes: { summary: text, truncated: false } });
        const told = contextText(both, 'm', budget, ['brief.md', 'notes.md']);
        expect(told.length).toBeLessThanOrEqual(budget);
        const bare = told.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => !line.startsWith('> '));
        expect(bare.filter((line) => /evil|```/.test(line))).toEqual([]);
        expect(bare.filter((line) => line === REPOSITORY_LINE).length).toBe(
          bare.filter((line) => /^## /.test(line)).length,
        );
      }),
    );
  });

  it('M15 what is short is never cut; what is long shares the rest, and of notes the newest stay', () => {
    const long = (letter: string) => `${letter.repeat(9)}\n`.repeat(500);
    const text = contextText(
      contextOf({
        brief: brief('short and whole'),
        tastes: { default: long('t'), genres: {}, conflicts: [] },
        notes: { summary: `${long('n')}newest`, truncated: false },
      }),
      'manta',
      2_000,
    );
    expect(text).toContain('## Brief of manta\nshort and whole');
    expect(text.endsWith('newest')).toBe(true);
    const [tastes, notes] = ['t', 'n'].map((letter) => text.split(letter.repeat(9)).length);
    expect(Math.abs((tastes ?? 0) - (notes ?? 0))).toBeLessThan(10);
    expect(text.length).toBeGreaterThan(1_850);
    expect(text.length).toBeLessThanOrEqual(2_000);
  });

  it('M15 what has no room for more than a mark is left out', () => {
    const room = (budget: number) => contextText(contextOf({ brief: brief('x'.repeat(500)) }), 'm', budget);
    const frame = HEAD_CUT.length + '## Brief of m\n'.length + 2;
    expect(room(frame + 60)).toBe(HEAD_CUT);
    expect(room(frame + 61)).toContain('## Brief of m\nx');
    expect(room(frame + 500)).toBe(`${HEAD}\n\n## Brief of m\n${'x'.repeat(500)}`);
  });

  it('M15 never goes over the budget, whatever the letters', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 400 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 900 }), (tastes, intent, summary, budget) => {
        const context = contextOf({
          tastes: { default: tastes, genres: {}, conflicts: [] },
          brief: brief(intent),
          notes: { summary, truncated: false },
        });
        expect(contextText(context, 'm', budget).length).toBeLessThanOrEqual(budget);
      }),
    );
  });

  it('M15 shares the room evenly: who needs less than an even share is whole, and what they leave is used', () => {
    const size = fc.integer({ min: 1, max: 600 });
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 2_500 }), (sizes, room) => {
        const letters = [...'abcdef'].slice(0, sizes.length);
        const texts = sizes.map((length, index) => `${letters[index]}`.repeat(length));
        const genres = Object.fromEntries(texts.map((text, index) => [`${letters[index]}`, text]));
        const frame = HEAD_CUT.length + sizes.length * ('## Tastes: a\n'.length + 2);
        const context = contextOf({ tastes: { default: '', genres, conflicts: [] } });
        const told = contextText(context, 'm', frame + room);
        // The highest level up to which all can be filled.
        const filled = (level: number) => sizes.reduce((sum, each) => sum + Math.min(each, level), 0);
        let level = 0;
        while (level < 600 && filled(level + 1) <= room) level += 1;
        for (const [index, text] of texts.entries()) {
          const part = told.split('\n\n').find((each) => each.startsWith(`## Tastes: ${letters[index]}\n`));
          const shown = part?.slice('## Tastes: a\n'.length);
          if (text.length <= level) expect(shown).toBe(text);
          else if (level > 62) {
            expect(shown).toContain('characters cut');
            expect(shown?.length).toBeLessThanOrEqual(level + 1);
            expect(shown?.length).toBeGreaterThanOrEqual(level - 4);
          } else if (level < 60) expect(shown).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
