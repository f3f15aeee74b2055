import fc from 'fast-check';
import { expect, it } from 'vitest';
import { similarLines } from './similar-lines.ts';

it('M19 finds lines that share most words, the best first, with their numbers', () => {
  const lines = ['WB a touch cool in the first frames', '', 'nothing to do with it', 'The WB runs cool on this set'];
  expect(similarLines('WB runs cool on this set', lines, 85)).toEqual([
    { line: 88, text: 'The WB runs cool on this set', score: 12 / 13 },
  ]);
  expect(similarLines('one', ['one'], 1)).toEqual([]);
  expect(similarLines('日本語 の 文', ['日本語 の 文'], 1)[0]?.score).toBe(1);
});

it('M19 half of all words shared is enough, of two words at least, and two lines are shown, the earlier first', () => {
  const found = (content: string, ...lines: string[]) => similarLines(content, lines, 1).map(({ line }) => line);
  expect(found('a b c d', 'a b x y')).toEqual([1]);
  expect(found('a b c d', 'a b x y z')).toEqual([]);
  expect(found('a b', ' A, b! ', 'b a', 'a b')).toEqual([1, 2]);
  expect(found('a b c', 'a b', 'c b a')).toEqual([2, 1]);
  expect(found('a', 'a b c')).toEqual([]);
  expect(found('a b', 'a')).toEqual([]);
  expect(found('', 'a b')).toEqual([]);
  expect(similarLines('a b', ['\t a b '], 1)[0]?.text).toBe('a b');
});

it('M19 each line is as like as the likest line of the proposal', () => {
  const line = fc
    .array(fc.constantFrom('a', 'B', 'c', 'd', '日', '-', '!'), { maxLength: 5 })
    .map((words) => words.join(' '));
  const words = (text: string) => [...new Set(text.toLowerCase().split(' '))].filter((each) => /^[a-z日]$/.test(each));
  const likeness = (a: string[], b: string[]) =>
    a.length < 2 || b.length < 2 ? 0 : (2 * a.filter((each) => b.includes(each)).length) / (a.length + b.length);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 3 }),
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      (own, lines, end) => {
        const scores = lines.map((text, index) => ({
          line: 10 + index,
          text: text.trim(),
          score: Math.max(0, ...own.map((each) => likeness(words(each), words(text)))),
        }));
        const best = scores.filter(({ score }) => score >= 0.5).sort((a, b) => b.score - a.score || a.line - b.line);
        expect(similarLines(own.join(end), lines, 10)).toEqual(best.slice(0, 2));
      },
    ),
    { numRuns: 300 },
  );
});
