import { describe, expect, it } from 'vitest';
import { whyNotPath } from '../safety/hidden-characters.ts';
import { endsWith, hasWildcard, splitPattern, startOf, stepInto, stepsOf, whyNotPattern } from './pattern.ts';

const fits = (pattern: string, path: string) => {
  const steps = stepsOf(pattern);
  const names = path.split('/');
  const at = names.slice(0, -1).reduce((positions, folder) => stepInto(steps, positions, folder), startOf(steps));
  return endsWith(steps, at, names.at(-1) ?? '');
};

describe('patterns', () => {
  it.each([
    ['docs/a.md', 'docs/a.md', 'docs/b.md docs/a.md/x a.md'],
    ['*.md', 'a.md b.md', '.a.md x/a.md a.mdx'],
    ['docs/*.md', 'docs/a.md', 'docs/a/b.md docs/.a.md other/a.md'],
    ['a*b*c', 'abc a1b2c abbc', 'ab ac acb abcd xabc'],
    ['a*a', 'aa aba', 'a ab'],
    ['*', 'a a.b', '.a a/b'],
    ['.*', '.a', 'a'],
    ['.github/*.yml', '.github/a.yml', 'github/a.yml .github/.a.yml'],
    ['**/*.md', 'a.md x/a.md x/y/a.md', '.x/a.md a.txt'],
    ['docs/**/a.md', 'docs/a.md docs/x/a.md docs/x/y/a.md', 'a.md docs/.x/a.md docs/x/b.md'],
    ['**/x/**/y', 'x/y a/x/b/y x/x/y', 'y x a/y'],
    ['a?c', 'abc a😀c', 'ac abbc'],
    ['a?*c', 'abc abbc', 'ac'],
    ['*?b', 'ab aab bb', 'b'],
    ['?*?', 'ab abc', 'a'],
    ['a*?', 'ab abc', 'a'],
    ['*a?c*', 'abc xabcx aac', 'ac abd'],
  ])('L2 %s selects %s and not %s', (pattern, yes, no) => {
    for (const path of yes.split(' ')) expect([path, fits(pattern, path)]).toEqual([path, true]);
    for (const path of no.split(' ')) expect([path, fits(pattern, path)]).toEqual([path, false]);
  });

  it('L2 a step with a dot in front finds hidden names, another does not', () => {
    expect(fits('.?', '.a')).toBe(true);
    expect(fits('?a', '.a')).toBe(false);
  });

  it.each([
    ['a.md', '', 'a.md'],
    ['docs/a.md', 'docs', 'a.md'],
    ['docs/design/*.md', 'docs/design', '*.md'],
    ['docs/*/a.md', 'docs', '*/a.md'],
    ['**/a.md', '', '**/a.md'],
    ['a/b?/c', 'a', 'b?/c'],
  ])('L5 %s is walked from %j with %s', (pattern, base, rest) => expect(splitPattern(pattern)).toEqual({ base, rest }));

  it('L5 a star or a question mark makes a pattern', () =>
    expect(['a*', '?', 'a.md', '[a]'].map(hasWildcard)).toEqual([true, true, false, false]));

  it.each([
    ['', 'is empty'],
    ['x'.repeat(301), 'is longer than 300 characters'],
    ['a\u0007', 'contains a control character'],
    ['a\u2028', 'contains a control character'],
    ['a\\b', 'contains a backslash; write / between folders'],
    ['/a', 'must be relative to the project'],
    ['C:/a', 'must be relative to the project'],
    ['c:a', 'must be relative to the project'],
    ['~/a', 'must be relative to the project'],
    ['a/../b', 'must not leave the project with ".."'],
    ['a//b', 'has an empty step or a single dot'],
    ['a/./b', 'has an empty step or a single dot'],
    ['a/', 'has an empty step or a single dot'],
    ['.git/config', 'must not reach into .git'],
    ['a/.GIT', 'must not reach into .git'],
    [Array.from({ length: 33 }, () => 'a').join('/'), 'has more than 32 steps'],
    ['x'.repeat(300), null],
    [Array.from({ length: 32 }, () => 'a').join('/'), null],
    ['ab:c/..d/e~', null],
    ['.github/x.gitignore', null],
  ])('L19 the path %j: %s', (path, why) => {
    expect(whyNotPath(path)).toBe(why);
    expect(whyNotPattern(path)).toBe(why);
  });

  it.each([
    ['a**', 'may hold `**` only as a whole step between slashes'],
    ['**b/c', 'may hold `**` only as a whole step between slashes'],
    ['a/**', 'must end with a file name or `*`'],
    ['**', 'must end with a file name or `*`'],
    ['**/*', null],
    ['a/**/b', null],
  ])('L2 the pattern %s: %s', (pattern, why) => expect(whyNotPattern(pattern)).toBe(why));
});
