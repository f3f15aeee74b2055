import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendForm,
  blocksOf,
  fileEndOf,
  findBlock,
  normalised,
  replaceBlock,
  withoutOuterBlankLines,
} from './text-blocks.ts';

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const words = fc.constantFrom('', ' ', '\t', 'a', 'b b', '- c', '  d', 'é', '🐟');
const textOf = (lines: string[], end: string, isClosed: boolean) =>
  lines.join(end) + (isClosed && lines.length > 0 ? end : '');
const file = fc.tuple(fc.array(words, { maxLength: 12 }), lineEnd, fc.boolean()).map(([lines, end, isClosed]) => ({
  text: textOf(lines, end, isClosed),
  end,
}));
const content = fc
  .array(words, { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join('\n'))
  .filter((text) => text.trim() !== '');

describe('the form of an append', () => {
  it.each([
    ['', 'x', 'x\n'],
    ['a', 'x', 'a\n\nx\n'],
    ['a\n', 'x', 'a\n\nx\n'],
    ['a\n\n', 'x', 'a\n\nx\n'],
    ['a\r\nb', 'x\ny', 'a\r\nb\r\n\r\nx\r\ny\r\n'],
    ['a\rb\r', 'x', 'a\rb\r\rx\r'],
    ['\n', 'x', '\nx\n'],
    ['a\n', '\n\n  x\n\ny\n \n', 'a\n\n  x\n\ny\n'],
    ['\ufeff', 'x', '\ufeff\n\nx\n'],
  ])('M24 %j and %j make %j', (before, added, after) => {
    expect(before + appendForm(fileEndOf(before), added)).toBe(after);
  });

  it('M4 M24 all earlier bytes stay, the text is there once as whole lines after one blank line, ended as the file ends', () => {
    fc.assert(
      fc.property(file, content, ({ text, end }, added) => {
        const after = text + appendForm(fileEndOf(text), added);
        expect(after.startsWith(text)).toBe(true);
        const own = /\r|\n/.test(text) ? end : '\n';
        const written = withoutOuterBlankLines(added).split('\n').join(own) + own;
        expect(after.endsWith(written)).toBe(true);
        const between = after.slice(text.length, after.length - written.length);
        expect(['', own, own + own]).toContain(between);
        if (text !== '') expect(blocksOf(after)).toEqual([...blocksOf(text), ...blocksOf(added)]);
        expect(blocksOf(after)).toEqual(blocksOf(`${text}\n\n${added}`));
      }),
      { numRuns: 500 },
    );
  });

  it('M24 the end of a file is known from its last piece', () => {
    const tail = `${'x'.repeat(50)}\r\nlast`;
    expect(fileEndOf(tail)).toEqual({ empty: false, closed: false, blankLine: false, lineEnd: '\r\n' });
    // Of several kinds one of the last lines counts.
    expect(
      [fileEndOf('a\nb\r\nc'), fileEndOf('a\r\nb\rc\r'), fileEndOf('a\r\nb\nc\n')].map((end) => end.lineEnd),
    ).toEqual(['\r\n', '\r', '\n']);
    expect(fileEndOf('')).toEqual({ empty: true, closed: false, blankLine: false, lineEnd: '\n' });
    expect(fileEndOf(' ')).toEqual({ empty: false, closed: false, blankLine: false, lineEnd: '\n' });
    expect(fileEndOf('a\n')).toEqual({ empty: false, closed: true, blankLine: false, lineEnd: '\n' });
    expect(fileEndOf('a\r\n \r\n')).toEqual({ empty: false, closed: true, blankLine: true, lineEnd: '\r\n' });
  });
});

describe('blocks', () => {
  it('M19 are the same whatever the line ends and the blank lines around them', () => {
    fc.assert(
      fc.property(content, lineEnd, (text, end) => {
        expect(blocksOf(`\n \n${text.split('\n').join(end)}\n\t\n`)).toEqual(blocksOf(text));
        expect(blocksOf(normalised(text))).toEqual(blocksOf(text));
      }),
    );
  });

  it('M19 hold what was said and nothing of the blank lines', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 10 }), lineEnd, (lines, end) => {
        const said = lines.filter((line) => line.trim() !== '').map((line) => line.trim());
        const found = blocksOf(lines.join(end));
        expect(found.flatMap((block) => block.split('\n').map((line) => line.trim()))).toEqual(said);
        const isSaid = lines.map((line) => line.trim() !== '');
        expect(found).toHaveLength(isSaid.filter((is, index) => is && !isSaid[index - 1]).length);
        const bare = withoutOuterBlankLines(lines.join(end));
        const [first, last] = [isSaid.indexOf(true), isSaid.lastIndexOf(true)];
        expect(bare).toBe(first === -1 ? '' : lines.slice(first, last + 1).join('\n'));
        expect(normalised(lines.join(end))).toBe(bare.trim());
      }),
    );
  });

  it('M17 a block is found only as whole lines, and only where it appears once', () => {
    expect(findBlock('a\nb\nc', 'b')).toMatchObject({ start: 2, end: 3 });
    expect(findBlock('a\r\nb\r\nc\r\nd', '\nb\nc\n')).toMatchObject({ start: 3, end: 7 });
    for (const text of ['', 'ab', 'a b', 'b ', 'b\n\nb', ' b']) expect(findBlock(text, 'b')).toBeNull();
  });

  it('M17 a block of any lines of a file is found at its place, and not where it appears again', () => {
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 8 }),
        lineEnd,
        fc.nat(),
        fc.nat(),
        (kinds, end, from, to) => {
          const lines = kinds.map((kind, index) => `${index}${kind}`);
          const first = from % lines.length;
          const count = 1 + (to % (lines.length - first));
          const text = lines.join(end);
          const block = lines.slice(first, first + count).join('\n');
          const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + end.length, 0);
          const length = lines.slice(first, first + count).join(end).length;
          expect(findBlock(text, `\n${block}\n\n`)).toMatchObject({ start, end: start + length });
          expect(findBlock(`${text}${end}${end}${text}`, block)).toBeNull();
          expect(findBlock(text, `${block}\nmore`)).toBeNull();
          expect(findBlock(text, `${block}x`)).toBeNull();
        },
      ),
    );
  });

  it('M17 a replacement changes those lines and not a byte beside them', () => {
    fc.assert(
      fc.property(file, content, file, ({ text: before, end }, added, { text: after }) => {
        const head = before === '' ? '' : `${before}${end}`;
        const whole = `${head}THE BLOCK${end}of two lines${end}${after}`;
        const written = withoutOuterBlankLines(added).split('\n');
        const result = replaceBlock(whole, 'THE BLOCK\nof two lines', added) ?? '';
        expect(result.startsWith(head)).toBe(true);
        expect(result.endsWith(`${end}${after}`)).toBe(true);
        expect(result.slice(head.length, result.length - end.length - after.length).split(/\r\n|\n|\r/)).toEqual(
          written,
        );
        expect(replaceBlock(whole, 'another', added)).toBeNull();
      }),
    );
  });
});
