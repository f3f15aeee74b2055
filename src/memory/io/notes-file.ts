import type { FileMemo } from '../../files/file-fingerprint.ts';
import { type LineCounts, lineCounts } from '../../files/line-counts.ts';
import { type FileResult, type OpenFile, withFile } from '../../files/open-file.ts';
import { decode, readRange } from '../../files/read-text.ts';
import { splitLines } from '../../lines.ts';
import {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  type NotesText,
  wholeNotes,
} from '../notes.ts';

const SMALL_BYTES = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;

// A small file is read whole; of a large one only its two ends, with the count of lines from one pass over it.
export function readNotes(
  path: string,
  scope: string | null,
  memo: FileMemo<LineCounts>,
): FileResult<{ notes: NotesText; valid: boolean }> {
  return withFile(path, scope, (file) => {
    const totalLines = file.size <= SMALL_BYTES ? 0 : lineCounts(file, memo).lines;
    if (totalLines <= NOTES_TRUNCATION_THRESHOLD) {
      const { text, valid } = decode(readRange(file.fd, 0, file.size));
      return { notes: wholeNotes(text), valid };
    }
    const head = decode(headBytes(file, NOTES_HEAD_LINES));
    const tail = decode(tailBytes(file, NOTES_TAIL_LINES), false);
    return {
      notes: { kind: 'ends', head: splitLines(head.text), tail: splitLines(tail.text), totalLines },
      valid: head.valid && tail.valid,
    };
  });
}

// Lines `offset` to `offset + limit`, found through the marks: no read before the block that holds the first one.
export function readNotesWindow(
  path: string,
  scope: string | null,
  memo: FileMemo<LineCounts>,
  window: { offset: number; limit: number },
) {
  return withFile(path, scope, (file) => {
    if (file.size <= SMALL_BYTES) {
      const { text, valid } = decode(readRange(file.fd, 0, file.size));
      const lines = splitLines(text);
      return { lines: lines.slice(window.offset, window.offset + window.limit), totalLines: lines.length, valid };
    }
    const facts = lineCounts(file, memo);
    if (window.offset >= facts.lines) return { lines: [], totalLines: facts.lines, valid: true };
    const start = startOfLine(file, facts, window.offset);
    const { text, valid } = decode(headBytes(file, window.limit, start), start === 0);
    return { lines: splitLines(text), totalLines: facts.lines, valid };
  });
}

export function countLines(path: string, scope: string | null, memo: FileMemo<LineCounts>): FileResult<number> {
  return withFile(path, scope, (file) => lineCounts(file, memo).lines);
}

// From the last mark before the line's own beginning, count the line ends that are still missing.
function startOfLine(file: OpenFile, facts: LineCounts, line: number): number {
  if (line === 0) return 0;
  let mark = 0;
  while (mark + 1 < facts.marks.length && (facts.marks[mark + 1] as number) < line) mark += 1;
  const begin = mark * facts.stride;
  let missing = line - (facts.marks[mark] as number);
  let last = begin === 0 ? undefined : readRange(file.fd, begin - 1, 1)[0];
  for (let position = begin; position < file.size; position += SMALL_BYTES) {
    const block = readRange(file.fd, position, Math.min(SMALL_BYTES, file.size - position));
    for (let i = 0; i < block.length; i += 1) {
      const byte = block[i];
      if (byte === CR || (byte === LF && last !== CR)) missing -= 1;
      last = byte;
      if (missing > 0) continue;
      const end = position + i + 1;
      return byte === CR && readRange(file.fd, end, 1)[0] === LF ? end + 1 : end;
    }
  }
  return file.size;
}

// The bytes of `count` lines from the line start `from`, doubling what is read until they are there.
function headBytes(file: OpenFile, count: number, from = 0): Buffer {
  const rest = file.size - from;
  for (let length = SMALL_BYTES; ; length *= 2) {
    const bytes = readRange(file.fd, from, Math.min(length, rest));
    let ends = 0;
    for (let i = 0; i < bytes.length; i += 1) {
      if (bytes[i] !== CR && (bytes[i] !== LF || bytes[i - 1] === CR)) continue;
      ends += 1;
      if (ends === count) return bytes.subarray(0, i + 1);
    }
    if (length >= rest) return bytes;
  }
}

function tailBytes(file: OpenFile, count: number): Buffer {
  for (let length = SMALL_BYTES; ; length *= 2) {
    const size = Math.min(length, file.size);
    const bytes = readRange(file.fd, file.size - size, size);
    // The final line end closes the last line, so one more end than lines has to be passed.
    let missing = count + (isLineEnd(bytes.at(-1)) ? 1 : 0);
    for (let i = bytes.length - 1; i >= 0; i -= 1) {
      if (!isLineEnd(bytes[i]) || (bytes[i] === LF && bytes[i - 1] === CR)) continue;
      missing -= 1;
      if (missing === 0) return bytes.subarray(bytes[i] === CR && bytes[i + 1] === LF ? i + 2 : i + 1);
    }
    if (size >= file.size) return bytes;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}
