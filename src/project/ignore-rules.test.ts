import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isIgnored, parseIgnoreFile, pathMatcher } from './ignore-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'bearings-ignore-'));
execFileSync('git', ['init', '-q', folder]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// What git says of each path; a path below an ignored folder is ignored too.
function gitIgnores(rules: string, paths: string[], below = ''): string[] {
  writeFileSync(join(folder, '.gitignore'), rules);
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'sub/.gitignore'), below);
  try {
    const printed = execFileSync('git', ['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], {
      input: paths.join('\0'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return printed.toString().split('\0').filter(Boolean);
  } catch (error) {
    // How git says that it ignores none of them.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

function weIgnore(rules: string, path: string, below = ''): boolean {
  const parsed = [...parseIgnoreFile(rules, ''), ...parseIgnoreFile(below, 'sub/')];
  const steps = path.split('/');
  return steps.some((_, i) => isIgnored(steps.slice(0, i + 1).join('/'), i < steps.length - 1, parsed));
}

describe('ignore rules', () => {
  it('T20 a project without git is read as git would read it', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '*b', '?', '[ab]', '[!a]', 'a.b', '*.b', '\\*');
    const rule = fc
      .tuple(fc.constantFrom('', '!', '/'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
      .map(([start, parts, end]) => start + parts.join('/') + end);
    const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
    const name = fc.constantFrom('a', 'b', 'ab', 'a.b', 'ba', 'c');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(rules, fc.uniqueArray(path, { minLength: 1, maxLength: 20 }), (text, paths) => {
        expect(paths.filter((one) => weIgnore(text, one)).sort()).toEqual(gitIgnores(text, paths).sort());
      }),
      { numRuns: 80 },
    );
  });

  it('T20 classes, escapes, blanks and comments mean what they mean to git, also in a folder of their own', () => {
    const part = fc.constantFrom(
      ...['[a-c]', '[^a]', '[!a-b]', '[]a]', '[!]a]', '[a-]', '[-a]', '[\\]a]', '[+-\\]]', '[a', '[b-a]', '[.-/]'],
      ...['\\a', '\\#a', '\\!a', '#a', '!a', 'a ', 'a  ', 'a\\ ', ' a', '\\[a', 'a\\', '?', '*', '**', 'b'],
    );
    const rule = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '!/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', '/**'),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end);
    const rules = fc
      .tuple(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
      .map(([lines, eol]) => lines.join(eol));
    const name = fc.constantFrom('a', 'b', 'c', 'ab', 'd', '#a', '!a', 'a ', ' a', ']', '-', '[a', 'aXa');
    const path = fc
      .tuple(fc.constantFrom('', 'sub/'), fc.array(name, { minLength: 1, maxLength: 3 }))
      .map(([start, names]) => start + names.join('/'));
    fc.assert(
      fc.property(rules, rules, fc.uniqueArray(path, { minLength: 10, maxLength: 30 }), (text, below, paths) => {
        expect(paths.filter((one) => weIgnore(text, one, below)).sort()).toEqual(gitIgnores(text, paths, below).sort());
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['**', 'a/b', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a**', 'ab/c', false],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/b/b/c', true],
    ['**/c', 'c', true],
    ['x**/c', 'xa/b/c', false],
    ['*', 'a/b', false],
    ['?', '/', false],
    ['[^a]', '/', false],
    ['a'.repeat(256), 'a'.repeat(256), true],
    ['a'.repeat(257), 'a'.repeat(257), false],
    ['**', `${'a/'.repeat(511)}ab`, true],
    ['**', `${'a/'.repeat(511)}abc`, false],
  ])('T20 %s fits %s: %s', (glob, path, fits) => {
    expect(pathMatcher(glob)(path)).toBe(fits);
  });

  it('T20 a pattern of many stars costs no more than pattern times path', () => {
    expect(pathMatcher(`${'*a'.repeat(100)}b`)('a'.repeat(1000))).toBe(false);
    expect(pathMatcher(`${'**/'.repeat(80)}b`)('a/'.repeat(500))).toBe(false);
  });
});
