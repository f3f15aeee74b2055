import { describe, expect, it } from 'vitest';
import { BaselineCorpus } from './baselines.ts';
import { changedLines, coverageOf, figuresOf, isFocused, isGenerated, isTask, tellingLines } from './measure.ts';

const DIFF = [
  'diff --git src/a.ts src/a.ts',
  '--- src/a.ts',
  '+++ src/a.ts',
  '@@ -3,2 +3 @@ function a',
  '--- not a file',
  '-second line',
  '+third line',
  '@@ -9,0 +9,2 @@',
  '+new',
  '+lines',
  'diff --git new.ts new.ts',
  '--- /dev/null',
  '+++ new.ts',
  '@@ -0,0 +1 @@',
  '+x',
].join('\n');

describe('what a bundle is measured by', () => {
  it('L26 the lines around a change are those it took out or lies between, and one on each side', () => {
    expect([...changedLines(DIFF)]).toEqual([['src/a.ts', [2, 3, 4, 5, 9, 10]]]);
    expect(tellingLines('if (a) {\r\n}\n\nreturn value;', [1, 2, 3, 4, 5])).toEqual(['return value;']);
  });

  it('L26 a line counts only in what is shown of its own file', () => {
    const change = new Map([
      ['a.ts', ['first line', 'second line']],
      ['b.ts', ['third line', 'fourth line']],
    ]);
    const selection = new Map([
      ['a.ts', 'first line\nthird line'],
      ['c.ts', 'second line'],
    ]);
    expect(coverageOf(change, selection)).toEqual({
      files: 0.5,
      lines: 0.25,
      precision: 1 / 3,
      f1: expect.closeTo(2 / 7),
      chars: 32,
    });
    // What everyone gets counts for no precision.
    expect(coverageOf(change, selection, new Set(['c.ts'])).precision).toBe(0.5);
    expect(figuresOf([coverageOf(change, selection), coverageOf(change, new Map())])).toEqual({
      files: 0.25,
      lines: 0.125,
      precision: 1 / 6,
      f1: expect.closeTo(1 / 7),
      hits: 0.5,
      chars: 16,
    });
  });

  it('L26 subjects without words, sweeps and generated files are no cases', () => {
    expect([isTask('4.6.3'), isTask('fix typo'), isTask('fix the router for empty paths')]).toEqual([
      false,
      false,
      true,
    ]);
    expect([isFocused([]), isFocused(['a']), isFocused(Array.from({ length: 11 }, String))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(['package-lock.json', 'a.min.js', 'src/lock.ts'].map(isGenerated)).toEqual([true, true, false]);
  });

  it('L26 the baselines take whole files or chunks in order, and never more than their room', () => {
    const corpus = new BaselineCorpus();
    const filler = Array.from({ length: 60 }, (_, at) => `line number ${at}`);
    const texts = { 'src/router.ts': [...filler, 'the wanted match'].join('\n'), 'src/other.ts': filler.join('\n') };
    corpus.use(Object.entries(texts).map(([path, text]) => ({ path, version: '1', read: () => text })));
    const room = { chars: 500, tokens: Number.POSITIVE_INFINITY, countTokens: null };
    expect(corpus.wholeFiles('wanted match', room).get('src/router.ts')).toBe(texts['src/router.ts'].slice(0, 500));
    expect(corpus.chunks('wanted match', room).get('src/router.ts')).toContain('the wanted match');
    const counted = { chars: 500, tokens: 10, countTokens: (text: string) => text.split(/\s+/).length };
    for (const text of corpus.chunks('wanted match', counted).values())
      expect(counted.countTokens(text)).toBeLessThanOrEqual(10);
  });
});
