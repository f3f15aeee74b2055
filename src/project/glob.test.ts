import { describe, expect, it } from 'vitest';
import { parseGlob } from './pattern.ts';

describe('patterns of lists', () => {
  it.each([
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/sub/a.md', false],
    ['docs/*.md', 'other/docs/a.md', false],
    ['docs/**/*.md', 'docs/a.md', true],
    ['docs/**/*.md', 'docs/a/b/c.md', true],
    ['docs/**', 'docs/a/b', true],
    ['**/x', 'x', true],
    ['**/x', 'a/b/x', true],
    ['**/x', 'a/xx', false],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'aXbY', false],
    ['*a*', 'bab', true],
    ['*aab', 'aaab', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*', 'a', true],
    ['*', '.hidden', false],
    ['.*', '.hidden', true],
    ['docs/**', 'docs/.hidden', false],
    ['**/x', '.hidden/x', false],
    ['**/.hidden/x', 'a/.hidden/x', true],
    ['a?c', 'a😀c', true],
    ['./a//b', 'a/b', true],
    ['a', 'a/b', false],
  ])('T2 %s on %s: %s', (pattern, path, fits) => {
    expect(parseGlob(pattern).matches(path)).toBe(fits);
  });

  it.each([
    ['docs/*.md', 'docs', true],
    ['docs/*.md', 'src', false],
    ['docs/*.md', 'docs/sub', false],
    ['docs/**/x', 'docs/a/b/c', true],
    ['a/b/c', 'a/b', true],
    ['a/b/c', 'a/b/c', false],
  ])('T2 files of %s may lie in %s: %s', (pattern, folder, may) => {
    expect(parseGlob(pattern).mayHold(folder)).toBe(may);
  });

  it.each(['/etc/*', '../x', 'a/../../x', '~/x', 'C:/x', '\\x', 'a\0b', 'x'.repeat(1_001)])(
    'L19 %j is refused',
    (pattern) => {
      expect(() => parseGlob(pattern)).toThrow(/pattern/i);
    },
  );
});
