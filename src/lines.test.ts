import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './code-points.ts';

describe('splitLines', () => {
  it('M10 ends lines at LF, CRLF and CR only', () => {
    expect(splitLines('a\nb\r\nc\rd')).toEqual(['a', 'b', 'c', 'd']);
    expect(splitLines('a\u2028b\u2029c\u0085d\ve\ff')).toHaveLength(1);
    expect(splitLines('a\n\rb')).toEqual(['a', '', 'b']);
  });

  it('M10 counts a final line end as no other line, two of them as one', () => {
    expect(splitLines('')).toEqual([]);
    expect(splitLines('a\n')).toEqual(['a']);
    expect(splitLines('a\n\n')).toEqual(['a', '']);
    expect(splitLines('\n')).toEqual(['']);
    expect(splitLines('\r\n\r\n')).toEqual(['', '']);
  });

  it('M10 agrees with a reader that goes character by character', () => {
    const text = fc.array(fc.constantFrom('a', '', '\n', '\r', '\r\n', 'é', '\u2028')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (written) => {
        expect(splitLines(written)).toEqual(byHand(written));
      }),
    );
  });
});

function byHand(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char !== '\n' && char !== '\r') {
      line += char;
      continue;
    }
    if (char === '\r' && text[i + 1] === '\n') i += 1;
    lines.push(line);
    line = '';
  }
  return line === '' ? lines : [...lines, line];
}
