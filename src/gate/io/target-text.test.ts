import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { blocksOf } from '../ledger/text-blocks.ts';
import { holdsText } from './target-text.ts';

const root = tempFolder();
const path = join(root, 'notes.md');
const ENOUGH = 4 * 1024 * 1024;
const holds = (content: string, scope: string | null = null) => holdsText({ path, scope }, content, ENOUGH);

describe('is this text already there', () => {
  it('M19 as whole blocks one after the other, whatever the line ends and blank lines', () => {
    const line = fc.constantFrom('', '', ' ', '\t', '\u00a0', '\u3000 ', 'a', 'b', ' a', 'é🐟', '- c');
    const lines = fc.array(line, { maxLength: 30 });
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(lines, end, fc.constantFrom('', '\ufeff'), (list, ending, mark) => {
        writeFileSync(path, `${mark}${list.join(ending)}`);
        const there = blocksOf(list.join('\n'));
        for (const content of ['a', 'b', '- c', 'é🐟', 'a\nb', 'a\n\nb', ' a', 'a\n\n\n\nb\n\na', 'none']) {
          const wanted = blocksOf(content);
          const expected = there.some((_, at) => wanted.every((block, index) => there[at + index] === block));
          expect([content, holds(content)]).toEqual([content, expected]);
        }
      }),
      { numRuns: effort(500, 60) },
    );
  });

  it('M19 in a large file, with very long blocks and gaps, and never in part of a block', () => {
    const long = 'x'.repeat(300_000);
    for (const text of [`a\n\n${long}\n\nb`, `${long}\n\na\n\nb`, `a\n${' \n'.repeat(600_000)}b`]) {
      writeFileSync(path, text);
      expect([holds('a'), holds('b'), holds('x'), holds('a\nb')]).toEqual([true, true, false, false]);
    }
    writeFileSync(path, `a\n${long}\nb`);
    expect([holds('a'), holds('b'), holds(`a\n${long}\nb`)]).toEqual([false, false, true]);
  });

  it('M14 nothing of a file that is too large is looked at', () => {
    writeFileSync(path, 'a\n\nb\n');
    expect([5, 4].map((most) => holdsText({ path, scope: null }, 'a', most))).toEqual([true, false]);
  });

  it('M9 nothing outside of the scope is looked at', () => {
    const inside = join(root, 'inside');
    mkdirSync(inside);
    writeFileSync(path, 'private');
    const link = join(inside, 'notes.md');
    symlinkSync(path, link);
    expect([inside, null].map((scope) => holdsText({ path: link, scope }, 'private', ENOUGH))).toEqual([false, true]);
    rmSync(path);
    expect(holds('private')).toBe(false);
  });
});
