import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import { patternWalk } from './project-listing.ts';

const root = tempFolder();
const NAMES = [
  'a',
  'ab',
  'b.md',
  'aab.md',
  '.h',
  '.h.md',
  'x y',
  '(g)',
  '[id].md',
  '{z}',
  'ü.md',
  '!n',
  '+p',
  '@q',
  'a|b',
];
for (const one of NAMES)
  for (const two of NAMES)
    put(join(root, 'p'), { [`${one}.d/${two}`]: '', [`${one}.d/${two}.e/${one}`]: '', [two]: '' });
mkdirSync(join(root, 'outside'), { recursive: true });
put(join(root, 'outside'), { 'x.md': '' });

const step = fc.oneof(
  fc.constantFrom(...NAMES, ...NAMES.map((name) => `${name}.d`)),
  fc.string({ unit: fc.constantFrom('*', '?', 'a', 'b', '.', 'm', 'd'), minLength: 1, maxLength: 5 }),
  fc.constantFrom('*', '*.md', '*.d', '.*', '?', 'a*', '*b*'),
);
const pattern = fc
  .tuple(fc.array(fc.oneof(step, fc.constant('**')), { maxLength: 3 }), step)
  .filter(([, last]) => !last.includes('**'))
  .map(([folders, last]) => [...folders, last].join('/'))
  .filter(
    (text) => !text.split('/').some((part) => part === '.' || part === '..' || (part !== '**' && part.includes('**'))),
  );

// Characters of the library's own that are plain letters to us.
const escaped = (text: string) => text.replace(/[()[\]{}!+@|]/g, '\\$&');

function asRegExp(text: string): RegExp {
  const steps = text.split('/').map((part, at, parts) => {
    if (part === '**') return '(?:(?!\\.)[^/]+/)*';
    const body = part
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]');
    return `${part.startsWith('.') ? '' : '(?!\\.)'}${body}${at < parts.length - 1 ? '/' : ''}`;
  });
  return new RegExp(`^${steps.join('')}$`, 'u');
}

describe('walking patterns', () => {
  it('L5 finds what the plain reading of a pattern finds, and what a glob library finds', () => {
    const walk = patternWalk(join(root, 'p'), () => undefined);
    const all = readdirSync(join(root, 'p'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(join(root, 'p'), join(entry.parentPath, entry.name)));
    fc.assert(
      fc.property(pattern, (text) => {
        const found = walk(text, []).sort();
        expect(found).toEqual(all.filter((path) => asRegExp(text).test(path)).sort());
        // The library does not go into hidden folders after `**`, even where the pattern names them, and breaks at names
        // that begin with two dots.
        if (/\*\*.*(^|\/)\./.test(text) || /(^|\/)\.\./.test(text)) return;
        const options = { cwd: join(root, 'p'), dot: false, expandDirectories: false, followSymbolicLinks: false };
        const library = globSync(escaped(text), { ...options, braceExpansion: false, extglob: false });
        expect(found).toEqual(library.sort());
      }),
      { numRuns: effort(500) },
    );
  });

  it('L5 an exclusion takes away what it matches and all that is below', () => {
    const walk = patternWalk(join(root, 'p'), () => undefined);
    const all = walk('**/*.md', []);
    expect(all.some((path) => path.startsWith('a.d/'))).toBe(true);
    expect(walk('**/*.md', ['a.d'])).toEqual(all.filter((path) => !path.startsWith('a.d/')));
    expect(walk('**/*.md', ['**/b.md'])).toEqual(all.filter((path) => !/(^|\/)b\.md(\/|$)/.test(path)));
    expect(walk('a.d/*', ['a.d'])).toEqual([]);
    expect(walk('a.d/a', ['**/a'])).toEqual([]);
    expect(walk('**/*', ['**/*'])).toEqual([]);
  });

  it('L19 never walks through a link, and says so where a pattern starts at one', () => {
    const folder = join(root, 'links');
    put(folder, { 'docs/a.md': '' });
    symlinkSync(join(root, 'outside'), join(folder, 'docs/out'));
    symlinkSync('.', join(folder, 'docs/loop'));
    symlinkSync(join(root, 'outside'), join(folder, 'out'));
    const warnings: string[] = [];
    const walk = patternWalk(folder, (warning) => warnings.push(warning));
    expect(walk('**/*.md', [])).toEqual(['docs/a.md']);
    expect(walk('out/*.md', [])).toEqual([]);
    expect(walk('out/x.md', [])).toEqual([]);
    expect(warnings).toHaveLength(2);
  });

  it('L19 a hostile pattern over hostile names takes no long time', () => {
    const folder = join(root, 'slow');
    put(folder, Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'a'.repeat(200)}${at}`, ''])));
    const walk = patternWalk(folder, () => undefined);
    expect(walk(`${'*a'.repeat(100)}*b`, [])).toEqual([]);
    expect(walk(`${'**/'.repeat(15)}x`, [])).toEqual([]);
  });
});
