import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPassages, passagesOf } from './passages.ts';
import { parseQuery } from './query.ts';
import { createTokenizer } from './text/terms.ts';

const tokenizer = createTokenizer();

describe('passages', () => {
  it('T20 prose falls apart at its headings, not at characters inside a fence', () => {
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

  const spans = (path: string, text: string) =>
    passagesOf(path, text).map(({ title, start, end }) => [title, start, end]);
  const lines = (count: number, text = 'word') => Array.from({ length: count }, () => text);

  it('T20 what is long falls apart at its blank lines, else after sixty lines or four thousand characters', () => {
    const prose = lines(130);
    expect(spans('a.md', prose.join('\n'))).toEqual([
      [null, 1, 60],
      [null, 61, 120],
      [null, 121, 130],
    ]);
    prose[49] = '';
    prose[99] = '  ';
    expect(spans('a.md', prose.join('\n'))).toEqual([
      [null, 1, 50],
      [null, 51, 100],
      [null, 101, 130],
    ]);
    expect(spans('a.md', lines(7, 'x'.repeat(1000)).join('\n'))).toEqual([
      [null, 1, 3],
      [null, 4, 6],
      [null, 7, 7],
    ]);
    expect(spans('a.md', lines(4, 'x'.repeat(999)).join('\n'))).toEqual([[null, 1, 4]]);
    expect(passagesOf('a.md', `${'x'.repeat(5000)}\ny`).map(({ text }) => text.length)).toEqual([4000, 1]);
    expect(spans('a.md', [...lines(60), ''].join('\n'))).toEqual([[null, 1, 60]]);
    expect(spans('a.md', '\n \n')).toEqual([]);
  });

  it('T20 headings of all ranks part prose, other characters do not', () => {
    const text = [
      'before',
      '# A',
      'x',
      '###### B  ',
      'y',
      '####### no',
      '#no',
      '~~~',
      '# no',
      '~~~',
      '  # no',
      '## C',
    ].join('\n');
    expect(spans('a.md', text)).toEqual([
      [null, 1, 1],
      ['A', 2, 3],
      ['B', 4, 11],
      ['C', 12, 12],
    ]);
  });

  it.each(['// c', '/* c', ' * c', '# c', '@c', '-- c'])(
    'T20 a definition takes the line above with it: %s',
    (comment) => {
      const text = [...lines(8, 'run();'), comment, comment, 'function beta() {', ...lines(8, 'run();')].join('\n');
      expect(spans('a.ts', text)).toEqual([
        [null, 1, 8],
        ['beta', 9, 19],
      ]);
    },
  );

  it('T20 definitions that are close stay together, and inside of others only those with a body part them', () => {
    const apart = (gap: number) =>
      ['function a() {', ...lines(gap, 'run();'), 'function b() {', ...lines(6, 'run();')].join('\n');
    expect(spans('a.ts', apart(4))).toEqual([['a', 1, 12]]);
    expect(spans('a.ts', apart(5))).toEqual([
      ['a', 1, 6],
      ['b', 7, 13],
    ]);
    const inside = (line: string) => ['class A {', ...lines(6, 'run();'), line, ...lines(3, 'run();')].join('\n');
    expect(spans('a.ts', inside('    find() {'))).toEqual([
      ['A', 1, 7],
      ['find', 8, 11],
    ]);
    expect(spans('a.ts', inside('     find() {'))).toEqual([['A', 1, 11]]);
    expect(spans('a.ts', inside('  const x = 1;'))).toEqual([['A', 1, 11]]);
    expect(spans('a.ts', inside('const x = 1;'))).toEqual([
      ['A', 1, 7],
      ['x', 8, 11],
    ]);
  });

  it('T20 rare words and titles weigh more, a passage without any word of the task is left out', () => {
    const text = '# Lamp\n\nred red\n\n# Shelf\n\nthe lamp is red\n\n# Door\n\nred\n\n# Wall\n\nblue\n';
    const best = (task: string) =>
      bestPassages(passagesOf('a.md', text), parseQuery(task, tokenizer), tokenizer).map(({ title }) => title);
    expect(best('lamp')).toEqual(['Lamp', 'Shelf']);
    expect(best('red lamp')).toEqual(['Lamp', 'Shelf', 'Door']);
    expect(best('blue')).toEqual(['Wall']);
    expect(best('green')).toEqual([]);
    const same = bestPassages(
      passagesOf('a.md', '# A\n\nred\n\n# B\n\nred\n'),
      parseQuery('red', tokenizer),
      tokenizer,
    );
    expect(same.map(({ title, score }) => [title, score > 0])).toEqual([
      ['A', true],
      ['B', true],
    ]);
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
