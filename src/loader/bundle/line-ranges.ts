import { codePointLength, hasSurrogates } from '../../code-points.ts';

export interface LineRange {
  /** Counted from 1, both included. */
  start: number;
  end: number;
}

/** Lines of a text with their ends, so that a range is given as it is in the file. */
export function linesOf(text: string): string[] {
  // A pattern that looks back is slow, and hardly a file needs it.
  const lines = text.includes('\r') ? text.split(/(?<=\r\n|\n|\r(?!\n))/) : withLineFeeds(text);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function withLineFeeds(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return [...lines, text.slice(start)];
}

// In the file's order; what touches, overlaps or has no more than `gap` lines between is one range.
export function joinRanges(ranges: readonly LineRange[], gap = 0): LineRange[] {
  const joined: LineRange[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end + 1 + gap) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

const INDENT = /^\s*/;
const MOST_SIGNATURES = 3;
const LONGEST_SIGNATURE = 200;

// The lines that open what a line is in: the class of a method, the function of a block.
export function enclosingLines(lines: readonly string[], at: number): number[] {
  const found: number[] = [];
  let indent = indentAt(lines, at);
  for (let line = at - 1; line >= 1 && indent > 0 && found.length < MOST_SIGNATURES; line -= 1) {
    const text = lines[line - 1] as string;
    if (text.trim() === '' || indentAt(lines, line) >= indent) continue;
    indent = indentAt(lines, line);
    if (/[\p{L}\p{N}]/u.test(text) && text.length <= LONGEST_SIGNATURE) found.push(line);
  }
  return found;
}

function indentAt(lines: readonly string[], line: number): number {
  return INDENT.exec(lines[line - 1] ?? '')?.[0].replace(/[\r\n]+$/, '').length ?? 0;
}

// The ranges as one text; what is left out between them is said in a line of its own.
export function renderRanges(lines: readonly string[], ranges: readonly LineRange[]): string {
  const out: string[] = [];
  let next = 1;
  for (const { start, end } of ranges) {
    if (start > next) out.push(gap(next, start - 1));
    out.push(...lines.slice(start - 1, end));
    next = end + 1;
    if (!/[\r\n]$/.test(out.at(-1) ?? '\n')) out.push('\n');
  }
  if (next <= lines.length) out.push(gap(next, lines.length));
  // A whole file stays as it is.
  return ranges.length === 1 && ranges[0]?.start === 1 && ranges[0].end >= lines.length ? lines.join('') : out.join('');
}

function gap(from: number, to: number): string {
  return from === to ? `[line ${from} left out]\n` : `[lines ${from}-${to} left out]\n`;
}

/** For a person: `1-20, 44, 60-72`. */
export function rangeWords(ranges: readonly LineRange[]): string {
  return ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(', ');
}

export interface Excerpt {
  text: string;
  chars: number;
  truncated: boolean;
}

// The first `max` code points, cut at a line end where one lies in the last tenth of them.
// `whole` is false when `text` is itself only the beginning of a file.
export function excerptOf(text: string, max: number, whole = true): Excerpt {
  const end = indexAfter(text, max);
  if (end === text.length && whole) return { text, chars: codePointLength(text), truncated: false };
  const kept = text.slice(0, atLineEnd(text, end, max));
  return { text: kept, chars: codePointLength(kept), truncated: true };
}

// How many UTF-16 units the first `count` code points take.
function indexAfter(text: string, count: number): number {
  if (text.length <= count) return text.length;
  if (!hasSurrogates(text)) return count;
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

// Just after the last line end, if less than a tenth of the room is given up for it; never between CR and LF.
function atLineEnd(text: string, end: number, max: number): number {
  if (text[end - 1] === '\r' && text[end] === '\n') return max >= 10 ? end - 1 : end;
  const last = Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1));
  if (last === -1) return end;
  return codePointLength(text.slice(last + 1, end)) * 10 < max ? last + 1 : end;
}
