import { codePointLength } from '../../code-points.ts';
import type { ScoredPassage } from '../../matching/passages.ts';
import { enclosingLines, joinRanges, type LineRange, linesOf, renderRanges } from './line-ranges.ts';
import type { Unit } from './passage-choice.ts';

/** A text that is too long for its share: its beginning, and what of it the task is about. */
export interface Skimmed {
  text: string;
  chars: number;
  ranges: LineRange[];
  /** What came in beyond the beginning, the best first. */
  given: Unit[];
}

// So much of the share is kept for the beginning: it tells what the file is.
const HEAD_SHARE = 0.4;

// Null where the beginning alone is as good: then it is given as far as the share goes. Passages come best first.
export function skim(text: string, passages: readonly ScoredPassage[], maxChars: number): Skimmed | null {
  const lines = linesOf(text);
  const shown = (ranges: readonly LineRange[]) => codePointLength(renderRanges(lines, ranges));
  const longestHead = (below: number, others: readonly LineRange[]): number => {
    let end = 0;
    while (end < lines.length && shown(joinRanges([{ start: 1, end: end + 1 }, ...others])) <= below) end += 1;
    return end;
  };
  const alone = longestHead(maxChars, []);
  const head = longestHead(maxChars * HEAD_SHARE, []);
  if (head === 0 || alone === lines.length) return null;
  let chosen: LineRange[] = [{ start: 1, end: head }];
  const given: Unit[] = [];
  for (const { start, end, title, score } of passages) {
    const around = enclosingLines(lines, start).map((line) => ({ start: line, end: line }));
    const next = joinRanges([...chosen, ...around, { start, end }]);
    if (shown(next) > maxChars) continue;
    chosen = next;
    if (end > head) given.push({ start, end, title, score });
  }
  if (!given.some(({ end }) => end > alone)) return null;
  // What is left goes to the beginning again.
  const ranges = joinRanges([{ start: 1, end: Math.max(head, longestHead(maxChars, chosen)) }, ...chosen]);
  const skimmed = renderRanges(lines, ranges);
  return { text: skimmed, chars: codePointLength(skimmed), ranges, given };
}
