import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { indexDocument, memoryIndex } from '../../test/support/memory-index.ts';
import { match } from './match.ts';
import { subsetOf } from './subset.ts';
import { createTokenizer } from './text/terms.ts';

const tokenizer = createTokenizer();
const filler = Array.from({ length: 20 }, (_, i) => [
  `notes/n${String.fromCharCode(97 + i)}.md`,
  'nothing of interest here',
]);
const FILES: [string, string][] = [
  ['z/cache.ts', 'export function evictCache() { return "least recently used eviction of the cache"; }'],
  ['a/eviction.md', '# Cache eviction\n\nHow the cache drops entries.'],
  ['m/http.ts', 'export function send() { return "http"; }'],
  ...(filler as [string, string][]),
];
const view = memoryIndex(FILES.map(([path, text]) => indexDocument(path, text, tokenizer)));

describe('match', () => {
  it('T20 all related files come in path order, without a score', () => {
    const matches = match(view, 'cache eviction', tokenizer);
    expect(matches.map(([path]) => path)).toEqual(['a/eviction.md', 'z/cache.ts']);
    expect(matches[0]?.[1]).toEqual({ words: ['cache', 'eviction'], named: [] });
    expect(JSON.stringify(matches)).not.toContain('score');
  });

  it('T20 what is called by name is related, even when it shares little else', () => {
    const [only] = match(view, 'make `evictCache` robust against clock skew of remote workers', tokenizer);
    expect(only?.[0]).toBe('z/cache.ts');
    expect(only?.[1]?.named).toContain('identifier');
  });

  it('T20 nothing related, nothing matched', () => {
    expect(match(view, 'quantum chromodynamics', tokenizer)).toEqual([]);
    expect(match(view, 'the of and', tokenizer)).toEqual([]);
  });

  it('T20 the threshold is fixed: a higher one gives a subset', () => {
    const above = (least: number) => match(view, 'cache eviction http', tokenizer, least).map(([path]) => path);
    const [low, high] = [above(0.1), above(0.5)];
    expect(high.length).toBeGreaterThan(0);
    expect(low.length).toBeGreaterThan(high.length);
    expect(low).toEqual(expect.arrayContaining(high));
  });
});

describe('subset', () => {
  const context =
    '# House\n\n## Colour\n\nThe walls are blue.\n\n## Roof\n\nThe roof leaks.\n\nA ladder stands beside it.\n';

  it('T20 keeps the passages that share words with the task, in their order, under their headings', () => {
    expect(subsetOf(context, { taskText: 'repair the leaking roof' }, tokenizer).text).toBe(
      '# House\n\n## Roof\n\nThe roof leaks.',
    );
  });

  it('T20 a heading stays with what stays below it, also of a lower rank, and goes alone with its text', () => {
    const text = '# A\nroof\n\n## B\n\nwall\n\n### C\n\nroof again\n\n# D\n\nwall\n\n# Roof\n\nwall\n';
    expect(subsetOf(text, { taskText: 'roof' }, tokenizer).text).toBe(
      '# A\nroof\n\n## B\n\n### C\n\nroof again\n\n# Roof',
    );
  });

  it('T20 a paragraph stays in one piece, its lines as they are', () => {
    expect(subsetOf('one\ntwo roof\nthree\n\nwall\n', { taskText: 'roof' }, tokenizer).text).toBe(
      'one\ntwo roof\nthree',
    );
    expect(subsetOf('# Roof #\nred\nold\n \t\nwall\n', { taskText: 'red roof' }, tokenizer).text).toBe(
      '# Roof #\nred\nold',
    );
  });

  it('T20 it is never longer than the whole, and each of its lines is there', () => {
    const line = fc.constantFrom('# A', '## B', 'the roof', 'a wall', '', ' \t', '```', 'x = roof');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const whole = lines.join('\n');
        const subset = subsetOf(whole, { taskText: 'roof' }, tokenizer).text;
        expect(subset.length).toBeLessThanOrEqual(whole.length);
        const known = new Set([...lines, ...lines.map((one) => one.trimEnd())]);
        for (const one of subset.split('\n')) expect(known.has(one) || one === '').toBe(true);
      }),
      { numRuns: effort(2000) },
    );
  });

  it('T20 words that every change has do not keep a passage', () => {
    expect(subsetOf('fix it\n\nfix the roof\n', { taskText: 'fix roof' }, tokenizer).text).toBe('fix the roof');
  });

  it('T20 a parent without a related passage stays whole', () => {
    expect(subsetOf(context, { taskText: 'budget' }, tokenizer).text).toBe(context);
  });
});
