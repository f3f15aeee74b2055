import { describe, expect, it } from 'vitest';
import type { Overview } from '../../gate/serve-context.ts';
import type { Context } from '../../memory/read-context.ts';
import { toGap } from '../../memory/read-context.ts';
import { widthOf } from './columns.ts';
import { costLine, readView } from './read-view.ts';

const show = (overview: Overview, columns = 80) => readView(overview, { columns, paint: (_, text) => text });

function overviewOf(context: Partial<Context> = {}, warnings: string[] = []): Overview {
  const whole: Context = {
    tastes: { default: '', genres: {}, conflicts: [] },
    brief: { raw: '', intent: '', tastes: [] },
    notes: { summary: '', truncated: false },
    recent_log: [],
    recent_gaps: [],
    ...context,
  };
  return {
    workspace: { id: 'w', folder: '~/w' },
    context: whole,
    served: whole,
    unaccounted: [],
    unconfirmed: [],
    isInRepository: false,
    warnings,
    declaredAt: new Map([['g', 3]]),
    belonging: [],
    lines: { notes: 0, log: 0, gaps: 0 },
  };
}

describe('readView', () => {
  it('M5 shows an empty workspace and what to do next', () => {
    expect(show(overviewOf())).toMatch(/brief +brief\.md +empty +write it: bearings edit brief/);
  });

  it('M31 lets no text of a file move the cursor, hide itself or break the table', () => {
    const evil = '\u001b[2J\u202e\u200b\u0007\r\nnext';
    const view = show(
      overviewOf(
        {
          tastes: { default: 'x', genres: { g: evil }, conflicts: [{ point: evil, files: ['g', 'h'] }] },
          brief: { raw: evil, intent: evil, tastes: ['g'] },
          recent_log: [{ timestamp: evil, op: evil, details: {} }],
          recent_gaps: [toGap({ description: evil })],
        },
        [evil],
      ),
    );
    expect(view).not.toMatch(/[\u001b\u202e\u200b\u0007\r]/);
    expect(view.split('\n').some((line) => line.startsWith('next'))).toBe(false);
  });

  it('M15 stays one screen, whatever is declared, in conflict or warned of', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `name${i}`);
    const view = show(
      overviewOf(
        {
          tastes: { default: '', genres: {}, conflicts: many.map((point) => ({ point, files: ['a', 'b'] })) },
          brief: { raw: 'x', intent: 'long '.repeat(100_000), tastes: many },
        },
        many,
      ),
    );
    expect(view.split('\n').length).toBeLessThan(60);
    expect(view).toContain('and 4,980 more');
    for (const line of view.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it('M5 tells what it costs on one line or two', () => {
    expect(costLine('x'.repeat(1000), { id: 'w', columns: 80 })).toMatch(
      /^agent gets +1,000 characters, about 250 tokens +bearings read --json w$/,
    );
    expect(costLine('x'.repeat(1000), { id: 'w', columns: 40 }).split('\n')).toHaveLength(2);
  });
});
