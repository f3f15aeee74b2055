import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fileBlocks, withoutLines } from '../ledger/text-blocks.ts';

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const blank = fc.constantFrom('', ' ', '\t ');
// What comes after a block: the end of its last line and at least one blank line; after the last one less will do.
const gapOf = (end: string, least: number) =>
  fc.array(blank, { minLength: least, maxLength: 3 }).map((blanks) => end + blanks.map((each) => each + end).join(''));

describe('lines taken out', () => {
  const file = lineEnd.chain((end) =>
    fc.record({
      end: fc.constant(end),
      lead: fc.array(blank, { maxLength: 2 }).map((blanks) => blanks.map((each) => each + end).join('')),
      blocks: fc.array(
        fc.record({
          lines: fc.array(fc.constantFrom('a', ' b', '- c '), { minLength: 1, maxLength: 4 }),
          gap: gapOf(end, 1),
          goes: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      last: fc.oneof(fc.constant(''), gapOf(end, 0)),
    }),
  );
  const written = ({ end, lead, blocks, last }: typeof file extends fc.Arbitrary<infer T> ? T : never) =>
    blocks.map(({ lines, gap, goes }, at) => ({
      goes,
      text: lines.join(end) + (at === blocks.length - 1 ? last : gap),
      bare: lines.join(end) + end,
      lead: at === 0 ? lead : '',
    }));

  it('M32 a whole block goes with the blank lines after it, from the end with those before it', () => {
    fc.assert(
      fc.property(file, (made) => {
        const parts = written(made);
        const text = made.lead + parts.map((part) => part.text).join('');
        const ranges = fileBlocks(text)
          .filter((_, at) => parts[at]?.goes)
          .map(({ firstLine, lines }) => ({ firstLine, count: lines.length }));
        const stay = parts.filter(({ goes }) => !goes);
        const isLastGone = parts.at(-1)?.goes;
        const left = stay.map((part, at) => (isLastGone && at === stay.length - 1 ? part.bare : part.text)).join('');
        expect(withoutLines(text, ranges)).toBe(stay.length === 0 ? '' : made.lead + left);
      }),
      { numRuns: 300 },
    );
  });

  it('M32 a part of a block goes alone: not a byte beside it', () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), fc.nat(), (made, which, from, count) => {
        const text =
          made.lead +
          written(made)
            .map((part) => part.text)
            .join('');
        const blocks = fileBlocks(text).filter(({ lines }) => lines.length > 1);
        const block = blocks[which % Math.max(1, blocks.length)];
        fc.pre(block !== undefined);
        const { firstLine = 1, lines = [] } = block ?? {};
        const first = from % lines.length;
        // All of it would be a whole block.
        const most = first === 0 ? lines.length - 1 : lines.length - first;
        const range = { firstLine: firstLine + first, count: 1 + (count % most) };
        const whole = text.split(/(?<=\n)|(?<=\r)(?!\n)/);
        whole.splice(range.firstLine - 1, range.count);
        expect(withoutLines(text, [range])).toBe(whole.join(''));
      }),
      { numRuns: 300 },
    );
  });

  it('M32 lines taken out take their blank lines along and nothing else', () => {
    expect(withoutLines('a\n\nb\nc\n\nd\n', [{ firstLine: 3, count: 2 }])).toBe('a\n\nd\n');
    expect(withoutLines('a\n\nb\n', [{ firstLine: 3, count: 1 }])).toBe('a\n');
    expect(withoutLines('a\nevil\n\nb\n', [{ firstLine: 2, count: 1 }])).toBe('a\n\nb\n');
    expect(withoutLines('evil\n\nb', [{ firstLine: 1, count: 1 }])).toBe('b');
    expect(withoutLines('evil', [{ firstLine: 1, count: 1 }])).toBe('');
  });
});
