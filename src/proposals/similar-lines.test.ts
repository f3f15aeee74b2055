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
