import { describe, expect, it } from 'vitest';
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
});
