import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength } from '../code-points.ts';
import { clipEnd, clipMiddle } from './clip-context.ts';

// The first and last of the surrogates and their neighbours.
const EDGES = ['\u{10000}', '\u{10ffff}', '\ud7ff', '\udbff', '\udfff', '\ue000'];
const text = fc
  .array(fc.constantFrom('a', 'é', '🐋', '\ud800', '\udc00', '\n', '\r\n', '\r', 'a long word ', ...EDGES), {
    maxLength: 300,
  })
  .map((parts) => parts.join(''));
const lone = (written: string) => [...written].filter((char) => /^\p{Cs}$/u.test(char)).length;

describe('clip-text', () => {
  it('M15 counts code points, a lone surrogate as one', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(codePointLength(written)).toBe([...written].length);
      }),
    );
  });

  it.each([
    ['clipEnd', clipEnd],
    ['clipMiddle', clipMiddle],
  ])('M15 %s stays within the limit, splits no pair and tells what it cut', (_, clip) => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 200 }), (written, max) => {
        const { text: kept, cut } = clip(written, max);
        if (codePointLength(written) <= max) {
          expect({ kept, cut }).toEqual({ kept: written, cut: 0 });
          return;
        }
        expect(codePointLength(kept)).toBeLessThanOrEqual(max);
        expect(lone(kept)).toBeLessThanOrEqual(lone(written));
        expect(cut).toBeGreaterThan(0);
        if (max >= 60) expect(kept).toContain(`... [${cut} characters cut] ...`);
      }),
      { numRuns: 300 },
    );
  });

  it('M15 cuts at a line end, whatever its kind', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { text: kept } = clipEnd(`0123456789${end}`.repeat(100), 200);
      const lines = kept.split(/\r\n|\n|\r/);
      expect(lines.slice(0, -1).every((line) => line === '0123456789')).toBe(true);
      expect(lines.at(-1)).toMatch(/^\.\.\. \[\d+ characters cut\] \.\.\.$/);
    }
  });

  it('M15 goes on at a line start after the gap, whatever the line ends', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { text: kept } = clipMiddle(`0123456789${end}`.repeat(100), 200);
      const [, tail = ''] = kept.split('cut] ...\n');
      expect(tail).toMatch(/^0123456789(?:\r\n|\n|\r)/);
      expect(tail.split(end).every((line) => line === '0123456789' || line === '')).toBe(true);
    }
    const oneLine = clipMiddle(`${'a'.repeat(500)}\n${'b'.repeat(500)}`, 200).text;
    expect(oneLine).toMatch(/^a+\n\.\.\. \[\d+ characters cut\] \.\.\.\nb{100,}$/);
  });

  it('M15 counts every pair of units as Unicode does', () => {
    const units = ['\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', 'a'];
    for (const first of units)
      for (const second of units)
        for (const third of units)
          expect(codePointLength(first + second + third)).toBe([...(first + second + third)].length);
  });

  // As long as a marker for the whole text: what is not cut could never need more.
  const markerOf = (cut: number) => `\n... [${cut} characters cut] ...`;
  const points = (written: string) => [...written];
  // A line end in the second half of the room is where the text stops, without it.
  const stopAtLine = (room: string) => {
    const stop = /^(.*?)(?:\r\n|\n|\r)[^\r\n]*$/s.exec(room)?.[1];
    const lastUnit = Math.max(room.lastIndexOf('\n'), room.lastIndexOf('\r'));
    return stop !== undefined && lastUnit * 2 >= room.length ? stop : room;
  };
  const startAtLine = (room: string) => {
    const start = /^[^\r\n]*(?:\r\n|\n|\r)/.exec(room)?.[0];
    return start !== undefined && room.search(/[\r\n]/) * 2 <= room.length ? room.slice(start.length) : room;
  };
  const few = fc
    .array(fc.constantFrom('a', '🐋', '\n', '\r\n', '\r', 'word ', '0123456789'), { minLength: 40, maxLength: 120 })
    .map((parts) => parts.join(''));

  it('M15 keeps as much of the beginning as there is room for', () => {
    fc.assert(
      fc.property(few, fc.integer({ min: 0, max: 120 }), (written, max) => {
        const total = points(written).length;
        fc.pre(total > max);
        const room = points(written)
          .slice(0, Math.max(0, max - markerOf(total).length))
          .join('');
        const kept = stopAtLine(room);
        const cut = total - points(kept).length;
        expect(clipEnd(written, max)).toEqual({
          text: points(kept + markerOf(cut))
            .slice(0, max)
            .join(''),
          cut,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('M15 keeps a quarter of the room for the beginning of notes, the rest for their end', () => {
    fc.assert(
      fc.property(few, fc.integer({ min: 0, max: 120 }), (written, max) => {
        const total = points(written).length;
        fc.pre(total > max);
        const room = Math.max(0, max - markerOf(total).length - 1);
        const front = Math.floor(room / 4);
        const head = stopAtLine(points(written).slice(0, front).join(''));
        const tail = startAtLine(
          points(written)
            .slice(total - (room - front))
            .join(''),
        );
        const cut = total - points(head).length - points(tail).length;
        expect(clipMiddle(written, max)).toEqual({
          text: points(`${head}${markerOf(cut)}\n${tail}`)
            .slice(0, max)
            .join(''),
          cut,
        });
      }),
      { numRuns: 300 },
    );
  });
});
