import { type LineRange, linesOf } from '../../src/loader/bundle/line-ranges.ts';

interface NumberedLine {
  /** In the file, counted from 1; null: a line that says what is left out. */
  number: number | null;
  text: string;
}

// The lines of an excerpt with their numbers; null where it does not hold these ranges, since a bundle may come from anywhere.
export function numberedLines(excerpt: string, ranges: readonly LineRange[]): NumberedLine[] | null {
  const lines = linesOf(excerpt).map((line) => line.replace(/[\r\n]+$/, ''));
  const out: NumberedLine[] = [];
  const leftOut = (from: number, to: number): boolean => {
    const text = lines[out.length];
    if (text !== gap(from, to)) return false;
    out.push({ number: null, text });
    return true;
  };
  let next = 1;
  for (const { start, end } of ranges) {
    if (start < next || end < start || end - start > lines.length) return null;
    if (start > next && !leftOut(next, start - 1)) return null;
    for (let number = start; number <= end; number += 1) {
      const text = lines[out.length];
      if (text === undefined) return null;
      out.push({ number, text });
    }
    next = end + 1;
  }
  const last = lines[out.length];
  if (last !== undefined && /^\[lines? \d+(?:-\d+)? left out\]$/.test(last)) out.push({ number: null, text: last });
  return ranges.length > 0 && out.length === lines.length ? out : null;
}

function gap(from: number, to: number): string {
  return from === to ? `[line ${from} left out]` : `[lines ${from}-${to} left out]`;
}
