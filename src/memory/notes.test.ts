import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  summariseNotes,
  wholeNotes,
} from './brief-and-notes.ts';

const numbered = (count: number, end = '\n') => Array.from({ length: count }, (_, i) => `${i + 1}${end}`).join('');

describe('summariseNotes', () => {
  it('M10 pins its three numbers', () => {
    expect([NOTES_HEAD_LINES, NOTES_TAIL_LINES, NOTES_TRUNCATION_THRESHOLD]).toEqual([10, 30, 40]);
  });

  it.each([0, 1, 39, 40])('M10 gives %d lines raw', (count) => {
    for (const text of [numbered(count), numbered(count, '\r\n'), numbered(count).trimEnd()]) {
      expect(summariseNotes(wholeNotes(text))).toEqual({ summary: text, truncated: false });
    }
  });

  it('M10 elides from 41 lines on, and the plural stays at 1', () => {
    const { summary, truncated } = summariseNotes(wholeNotes(numbered(41, '\r')));
    expect(truncated).toBe(true);
    const head = Array.from({ length: 10 }, (_, i) => i + 1).join('\n');
    const tail = Array.from({ length: 30 }, (_, i) => i + 12).join('\n');
    expect(summary).toBe(`${head}\n\n... [1 lines elided] ...\n\n${tail}`);
  });

  it('M10 counts two final line ends as one more line', () => {
    expect(summariseNotes(wholeNotes(`${numbered(40)}\n`)).truncated).toBe(true);
    expect(summariseNotes(wholeNotes(numbered(40))).truncated).toBe(false);
  });

  it('M10 gives the same from two ends as from the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 41, max: 200 }), fc.constantFrom('\n', '\r', '\r\n'), (count, end) => {
        const lines = Array.from({ length: count }, (_, i) => `${i + 1}`);
        const ends = [...lines.slice(0, 10), ...lines.slice(-30)].map((line) => `${line}\n`).join('');
        expect(summariseNotes({ text: ends, totalLines: count })).toEqual(
          summariseNotes(wholeNotes(numbered(count, end))),
        );
      }),
    );
  });
});
