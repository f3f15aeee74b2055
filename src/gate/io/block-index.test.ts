import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/effort.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { sqlite } from '../../files/sqlite.ts';
import { appendForm, blocksOf, fileEndOf } from '../text-blocks.ts';
import { openBlockIndex } from './block-index.ts';

const root = tempFolder();
const path = join(root, 'notes.md');
const open = await sqlite();
const index = openBlockIndex(join(root, 'cache'), open);
const inFile = join(root, 'a-file');
writeFileSync(inFile, '');
const withoutCache = openBlockIndex(inFile, open);
const MiB = 1024 * 1024;

function naive(blocks: readonly string[], content: string): boolean {
  const wanted = blocksOf(content);
  return blocks.some((_, at) => wanted.every((block, i) => blocks[at + i] === block));
}
function expectSame(text: string, contents: readonly string[]): void {
  const blocks = blocksOf(text);
  for (const content of contents) {
    const answers = [index, withoutCache].map((each) => each.holds(path, null, content));
    const is = naive(blocks, content);
    expect([content, ...answers]).toEqual([content, is, is]);
  }
}
const lines = fc.array(fc.constantFrom('', '', ' ', '\t', '\u00a0', '\u3000 ', 'a', 'b', ' a', 'é🐟', '- c'), {
  maxLength: 40,
});
const filler = (length: number) => 'filler line\n'.repeat(Math.ceil(length / 12)).slice(0, length);
const asked = ['a', 'b', '- c', 'é🐟', 'a\nb', 'a\n\nb', ' a', 'a\n\n\n\nb\n\na', 'filler line', 'none'];

describe('is this text already there', () => {
  it('M19 says of a large file what a reader of the whole file says: any line ends, any blank lines, with and without cache', () => {
    fc.assert(
      fc.property(
        lines,
        lines,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('', '\ufeff'),
        (head, tail, end, mark) => {
          const text = `${mark}${[...head, '', ...filler(70_000).split('\n'), '', ...tail].join(end)}`;
          writeFileSync(path, text);
          expectSame(text, asked);
        },
      ),
      { numRuns: effort(25, 5) },
    );
  });

  it('M19 at every place around the border of a piece', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const offset of [-8, -5, -4, -3, -2, -1, 0, 1, 2, 3]) {
        const block = `first${end}second 🐟`;
        const head = `${filler(MiB + offset - 2 * end.length).replaceAll('\n', ' ')}${end}${end}`;
        const text = `${head}${block}${end}${end}last`;
        writeFileSync(path, text);
        expectSame(text, ['first\nsecond 🐟', 'last', 'second 🐟', 'first\nsecond 🐟\n\nlast', 'first']);
      }
    }
  });

  it('M19 with blocks longer than any proposal, with no blank line at all, and with very long gaps', () => {
    const long = 'x'.repeat(300_000);
    for (const text of [
      `a\n\n${long}\n\nb`,
      `a\n${long}\nb`,
      `${long}${long}${long}${long}${long}\n\na\n\nb`,
      `${filler(3 * MiB)}\n\na`,
      filler(2 * MiB),
      `a\n${'\n'.repeat(100_000)}b\n`,
      `a\n${' \n'.repeat(600_000)}b`,
      `${' '.repeat(100_000)}a\n\nb`,
    ]) {
      writeFileSync(path, text);
      expectSame(text, ['a', 'b', 'a\n\nb']);
    }
  });

  it('M19 goes on after our own appends, and sees those of others and edits by hand', () => {
    let text = `${filler(100_000)}\n\nstart\n`;
    writeFileSync(path, text);
    expectSame(text, ['start']);
    const append = (content: string, other = '') => {
      const before = statSync(path, { bigint: true });
      const form = appendForm(fileEndOf(text.slice(-1000)), content);
      appendFileSync(path, other + form);
      text += other + form;
      index.appended(path, before, form);
    };
    append('one');
    append('two\n\nthree');
    expectSame(text, ['one', 'two', 'three', 'two\n\nthree', 'one\n\ntwo', 'start\n\none']);
    append('four', '\nof somebody else\n');
    expectSame(text, ['four', 'of somebody else', 'one']);
    text = text.replace('start', 'edited');
    writeFileSync(path, text);
    expectSame(text, ['start', 'edited', 'four']);
  });

  it('M19 a cache that is broken is made again', () => {
    const text = `${filler(100_000)}\n\nstart\n`;
    writeFileSync(path, text);
    const cache = join(root, 'broken');
    const { dev, ino } = statSync(path);
    mkdirSync(join(cache, 'blocks'), { recursive: true });
    writeFileSync(join(cache, `blocks/${dev}-${ino}.db`), 'no database'.repeat(1000));
    const mended = openBlockIndex(cache, open);
    expect([mended.holds(path, null, 'start'), mended.holds(path, null, 'none')]).toEqual([true, false]);
  });

  it('M19 without SQLite the file itself is read', () => {
    writeFileSync(path, `${filler(100_000)}\n\nstart\n`);
    const bare = openBlockIndex(join(root, 'never-made'), null);
    expect([bare.holds(path, null, 'start'), bare.holds(path, null, 'none')]).toEqual([true, false]);
    expect(existsSync(join(root, 'never-made'))).toBe(false);
  });

  it('M9 nothing outside of the scope is looked at', () => {
    const inside = join(root, 'inside');
    mkdirSync(inside);
    writeFileSync(path, 'private');
    symlinkSync(path, join(inside, 'notes.md'));
    expect([
      index.holds(join(inside, 'notes.md'), inside, 'private'),
      index.holds(join(inside, 'notes.md'), null, 'private'),
    ]).toEqual([false, true]);
    rmSync(path);
    expect(index.holds(path, null, 'private')).toBe(false);
  });
});
