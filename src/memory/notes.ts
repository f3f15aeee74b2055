import { splitLines } from '../lines.ts';

export const NOTES = 'notes.md';
export const BRIEF = 'brief.md';

/** Next to the notes: blocks that were replaced or retired. Never served, always found, merged by union. */
export const ARCHIVE = 'notes-archive.md';

export const NOTES_HEAD_LINES = 10;
export const NOTES_TAIL_LINES = 30;
export const NOTES_TRUNCATION_THRESHOLD = NOTES_HEAD_LINES + NOTES_TAIL_LINES;

/** Of a file of memory that is larger nothing is scanned, */
export const MAX_SCANNED_BYTES = 4 * 1024 * 1024;
/** and of one with more blocks than anybody wrote neither: it is their count that costs. */
const MAX_SCANNED_BLOCKS = 20_000;

export function hasTooManyBlocks(text: string): boolean {
  const blankLines = /(?:\r\n|\n|\r(?!\n))\s*[\r\n]/g;
  let count = 1;
  while (count <= MAX_SCANNED_BLOCKS && blankLines.test(text)) count += 1;
  return count > MAX_SCANNED_BLOCKS;
}

export interface Notes {
  summary: string;
  truncated: boolean;
}

/** What a reader brings of a notes file: all of it, or its two ends and the count of lines. */
export type NotesText =
  | { kind: 'whole'; text: string; totalLines: number }
  | { kind: 'ends'; head: readonly string[]; tail: readonly string[]; totalLines: number };

export function wholeNotes(text: string): NotesText {
  return { kind: 'whole', text, totalLines: splitLines(text).length };
}

export function summariseNotes(notes: NotesText): Notes {
  if (notes.totalLines <= NOTES_TRUNCATION_THRESHOLD) {
    return {
      summary: notes.kind === 'whole' ? notes.text : [...notes.head, ...notes.tail].join('\n'),
      truncated: false,
    };
  }
  const { head, tail } = notes.kind === 'whole' ? ends(notes.text) : notes;
  const elided = notes.totalLines - NOTES_TRUNCATION_THRESHOLD;
  return { summary: `${head.join('\n')}\n\n... [${elided} lines elided] ...\n\n${tail.join('\n')}`, truncated: true };
}

/** The headings among the elided lines, as they are written. */
export function elidedHeadings(text: string): string[] {
  const lines = splitLines(text);
  let fence = '';
  return lines.filter((line, index) => {
    const [, mark = ''] = /^ {0,3}(```+|~~~+)/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    const isElided = index >= NOTES_HEAD_LINES && index < lines.length - NOTES_TAIL_LINES;
    return isElided && fence === '' && /^ {0,3}#{1,6}[ \t]+\S/.test(line);
  });
}

function ends(text: string): { head: string[]; tail: string[] } {
  const lines = splitLines(text);
  return { head: lines.slice(0, NOTES_HEAD_LINES), tail: lines.slice(-NOTES_TAIL_LINES) };
}
