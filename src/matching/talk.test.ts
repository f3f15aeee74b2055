import { describe, expect, it } from 'vitest';
import { indexDocument, memoryIndex } from '../../test/support/memory-index.ts';
import { parseQuery } from './query.ts';
import { rank } from './rank.ts';
import { askedOf, isTalk } from './talk.ts';
import { createTokenizer } from './text/terms.ts';

const tokenizer = createTokenizer();

function viewOf(texts: Record<string, string>) {
  return memoryIndex(Object.entries(texts).map(([path, text]) => indexDocument(path, text, tokenizer)));
}

function turns(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line, at) => [`talk/turn_${at + 1}.md`, `${line}\n`]));
}

function first(texts: Record<string, string>, question: string): string | undefined {
  return rank(viewOf(texts), question, { tokenizer })[0]?.path;
}

const FILLER = ['Bob: rain.', 'Ann: snow.', 'Bob: hail.', 'Ann: fog.', 'Bob: sun.', 'Ann: wind.'];
const CODE = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`src/f${at}.ts`, 'export const x = 1;\n']));

describe('a talk', () => {
  it('L7 is a folder most of whose files are turns, and a few of them do not make one', () => {
    expect(isTalk(viewOf(turns(FILLER)))).toBe(true);
    expect(isTalk(viewOf(turns(FILLER.slice(1))))).toBe(false);
    expect(isTalk(viewOf({ ...turns(FILLER), ...CODE }))).toBe(false);
    expect(isTalk(viewOf(CODE))).toBe(false);
  });

  it('L7 is asked with all words alike, but how to answer weighs little', () => {
    const { terms } = askedOf(
      viewOf(turns(FILLER)),
      parseQuery('explain when she did fix and win the lamp', tokenizer),
    );
    expect(terms.map(({ term, weight }) => [term, weight])).toEqual([
      ['explain', 0.3],
      ['fix', 1],
      ['lamp', 1],
      ['win', 1],
    ]);
  });

  it('L7 what is asked for comes before what repeats the question', () => {
    const lines = [...FILLER, 'Bob: a list to explain.', 'Ann: hm.', 'Bob: oak.', 'Ann: elm, then oak trees.'];
    expect(first(turns(lines), 'explain the list of trees')).toBe('talk/turn_10.md');
  });

  it('L7 what follows a question counts for more than what follows a statement', () => {
    const gainAfter = (line: string): number =>
      rank(viewOf(turns([...FILLER, line, 'Ann: yes.', 'Bob: mud.'])), 'lamp', { tokenizer }).find(
        ({ path }) => path === 'talk/turn_8.md',
      )?.parts.sequence ?? 0;
    expect(gainAfter('Bob: and the lamp?')).toBeGreaterThan(1.5 * gainAfter('Bob: and the lamp.'));
    expect(gainAfter('Bob: lamp? Good.')).toBe(gainAfter('Bob: lamp. Good.'));
  });

  it('L7 a long neighbour, which says something of everything, counts for less', () => {
    const gainBeside = (words: number): number =>
      rank(viewOf(turns([...FILLER, `Bob: lamp ${'pebble '.repeat(words)}`, 'Ann: yes.', 'Bob: mud.'])), 'lamp', {
        tokenizer,
      }).find(({ path }) => path === 'talk/turn_8.md')?.parts.sequence ?? 0;
    expect(gainBeside(1000)).toBeLessThan(0.5 * gainBeside(10));
  });
});
