import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../code-points.ts';
import { appendForm, fileEndOf, findBlock, replaceBlock } from '../ledger/text-blocks.ts';
import { appendDiff, diffText, replaceDiff } from './proposal-diff.ts';

describe('a change in its surroundings', () => {
  it('M17 an append shows the last lines, then what is added, with the numbers it will have', () => {
    expect(appendDiff(['a', 'b', 'c'], 3, '\nx\n\ny\n')).toEqual([
      { mark: ' ', number: 2, text: 'b' },
      { mark: ' ', number: 3, text: 'c' },
      { mark: '+', number: 5, text: 'x' },
      { mark: '+', number: 6, text: '' },
      { mark: '+', number: 7, text: 'y' },
    ]);
    expect(appendDiff(['a', ''], 2, 'x').at(-1)).toEqual({ mark: '+', number: 3, text: 'x' });
    expect(appendDiff([], 0, 'x')).toEqual([{ mark: '+', number: 1, text: 'x' }]);
    expect(appendDiff(['a'], null, 'x').map(({ number }) => number)).toEqual([null, null]);
  });

  it('M17 a replacement shows what goes and what comes, or nothing where the block is not there once', () => {
    expect(diffText(replaceDiff('a\r\nb\r\nc\r\nd\r\ne', 'c', 'x\ny') ?? [])).toBe('  a\n  b\n- c\n+ x\n+ y\n  d\n  e');
    expect(replaceDiff('a\na', 'a', 'x')).toBeNull();
    expect(replaceDiff('', 'a', 'x')).toBeNull();
  });

  it('M28 shows what the eye would not see', () => {
    expect(diffText([{ mark: ' ', number: 1, text: 'a\u001b[2J\u202e\tb' }])).toBe('  a\\u{1b}[2J\\u{202e}\tb');
  });

  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const line = fc.constantFrom('', ' ', 'a', 'b b', '- c');
  const content = fc.array(line, { maxLength: 5 }).map((lines) => ['x', ...lines, 'y'].join('\n'));

  it('M17 the numbers of an append are those that the lines have once it is written', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), lineEnd, fc.boolean(), content, (lines, end, isClosed, added) => {
        // A last line of blanks alone has to be closed.
        fc.pre(isClosed || lines.length === 0 || lines.at(-1)?.trim() !== '');
        const before = lines.join(end) + (isClosed && lines.length > 0 ? end : '');
        const after = splitLines(before + appendForm(fileEndOf(before), added));
        const known = splitLines(before);
        const diff = appendDiff(known, known.length, added);
        for (const { number, text } of diff) expect(after[(number ?? 0) - 1]).toBe(text);
        expect(diff.filter(({ mark }) => mark === ' ')).toHaveLength(Math.min(2, known.length));
        const shown = diff.filter(({ mark }) => mark === '+').map(({ text }) => text);
        expect(shown).toEqual(added.split('\n'));
        expect(diff.map(({ mark }) => mark).join('')).toMatch(/^ *\++$/);
      }),
      { numRuns: 300 },
    );
  });

  it('M17 the numbers of a replacement are those of the file as it is, those of new lines as it will be', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.array(line, { maxLength: 5 }),
        lineEnd,
        content,
        (above, below, end, added) => {
          const text = [...above, 'OLD', 'LINES', ...below].join(end);
          const diff = replaceDiff(text, 'OLD\nLINES', added) ?? [];
          const [now, then] = [splitLines(text), splitLines(replaceBlock(text, 'OLD\nLINES', added) ?? '')];
          for (const { mark, number, text: shown } of diff)
            expect((mark === '+' ? then : now)[(number ?? 0) - 1]).toBe(shown);
          const left = now.length - above.length - 2;
          expect(diff.map(({ mark }) => mark).join('')).toBe(
            ' '.repeat(Math.min(2, above.length)) +
              '--' +
              '+'.repeat(added.split('\n').length) +
              ' '.repeat(Math.min(2, left)),
          );
          expect(findBlock(text, 'OLD\nLINES')).not.toBeNull();
        },
      ),
      { numRuns: 300 },
    );
  });
});
