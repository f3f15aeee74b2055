import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPassages, passagesOf } from './passages.ts';
import { parseQuery } from './query.ts';
import { createTokenizer } from './terms.ts';

const tokenizer = createTokenizer();

describe('passages', () => {
  it('T20 prose falls apart at its headings, not at signs inside a fence', () => {
    const text = '# House\n\nWalls.\n\n```\n# no heading\n```\n\n## Roof\n\nIt leaks.\n';
    expect(passagesOf('a.md', text).map(({ title, start, end }) => [title, start, end])).toEqual([
      ['House', 1, 8],
      ['Roof', 9, 11],
    ]);
  });

  it('T20 code falls apart at its definitions, each with the comment above it', () => {
    const body = Array.from({ length: 8 }, (_, i) => `  step(${i});`).join('\n');
    const text = `// first\nfunction alpha() {\n${body}\n}\n\n// second\nfunction beta() {\n${body}\n}\n`;
    const [first, second] = passagesOf('a.ts', text);
    expect([first?.title, second?.title]).toEqual(['alpha', 'beta']);
    expect(second?.text.startsWith('// second')).toBe(true);
    const [best] = bestPassages(passagesOf('a.ts', text), parseQuery('beta is slow', tokenizer), tokenizer);
    expect(best?.title).toBe('beta');
  });

  it('T20 passages never overlap, come in order and stay within their bounds', () => {
    const line = fc.constantFrom(
      '',
      '# a',
      '## b',
      'function f() {',
      '  const x = 1;',
      '}',
      'class C {',
      'x'.repeat(5000),
      '```',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 150 }),
        fc.constantFrom('a.md', 'a.ts', 'a.py', 'a.txt', 'a'),
        (lines, path) => {
          let last = 0;
          for (const { start, end, text } of passagesOf(path, lines.join('\n'))) {
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(text.length).toBeLessThanOrEqual(4000);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(lines.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});
