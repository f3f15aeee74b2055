import { isUtf8 } from 'node:buffer';
import { type JsonRecord, parseRecord } from '../json-record.ts';
import type { FileMemo } from './file-fingerprint.ts';
import { decode, type FileResult, type OpenFile, readRange, withFile } from './read-file.ts';

const BLOCK_BYTES = 64 * 1024;
// A longer line is skipped, not held: memory stays flat beside a line of any length.
const MAX_LINE_BYTES = 16 * 1024 * 1024;
// One that came with a repository is shorter.
const MAX_SHARED_LINE_BYTES = 1024 * 1024;
// After so many lines, most of them blank or broken, it is a file of something else.
const MAX_LINES = 10_000;
const LF = 0x0a;

// The last `count` good records of a JSONL file, newest first; the lines on the way that hold none; and whether all of it was UTF-8.
// Cost follows what is returned, not what is stored.
export function readLastRecords(path: string, scope: string | null, count: number) {
  return withFile(path, scope, ({ fd, size }) => {
    const records: JsonRecord[] = [];
    let skipped = 0;
    let lines = 0;
    let valid = true;
    for (const line of linesFromEnd(fd, size, scope === null ? MAX_LINE_BYTES : MAX_SHARED_LINE_BYTES)) {
      valid &&= line === null || isUtf8(line);
      const found = line === null ? [null] : recordsIn(line);
      for (const record of found) {
        if (record === undefined) continue;
        if (record === null) skipped += 1;
        else if (records.length < count) records.push(record);
      }
      lines += 1;
      if (records.length >= count || lines > MAX_LINES) break;
    }
    return { records, skipped, valid };
  });
}

// A raw CR can only be white space in JSON or an old line end; if the line is no record, try the latter.
function recordsIn(line: Buffer): (JsonRecord | null | undefined)[] {
  const text = line.toString('utf8').replace(/^\ufeff/, '');
  const record = parseRecord(text);
  if (record !== null || !text.includes('\r')) return [record];
  return text.split('\r').map(parseRecord).reverse();
}

// Lines ended by LF, last first, without the LF; null for one that is too long to hold.
function* linesFromEnd(fd: number, size: number, maxBytes: number): Generator<Buffer | null> {
  let pieces: Buffer[] = [];
  let lineBytes = 0;
  let oversized = false;
  const take = (): Buffer | null => {
    const line = oversized ? null : Buffer.concat(pieces.reverse());
    pieces = [];
    lineBytes = 0;
    oversized = false;
    return line;
  };
  const hold = (piece: Buffer): void => {
    lineBytes += piece.length;
    oversized ||= lineBytes > maxBytes;
    if (oversized) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = readRange(fd, start, end - start);
    let cut = block.length;
    for (let at = lastLf(block, cut); at !== -1; at = lastLf(block, cut)) {
      hold(block.subarray(at + 1, cut));
      yield take();
      cut = at;
    }
    hold(block.subarray(0, cut));
    end = start;
  }
  yield take();
}

function lastLf(block: Buffer, before: number): number {
  return before === 0 ? -1 : block.lastIndexOf(LF, before - 1);
}

const MOST_BYTES = 1024 * 1024;

/** The last lines of a file, as many as fit into a mebibyte, and the number of the first of them. */
export function readLastLines(
  path: string,
  scope: string | null,
  memo: FileMemo<LineCounts>,
): FileResult<{ lines: string[]; firstLine: number }> {
  return withFile(path, scope, (file) => {
    const from = Math.max(0, file.size - MOST_BYTES);
    const lines = decode(readRange(file.fd, from, file.size - from), from === 0).text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === '') lines.pop();
    if (from === 0) return { lines, firstLine: 1 };
    // The first one is cut.
    lines.shift();
    return { lines, firstLine: lineCounts(file, memo).lines - lines.length + 1 };
  });
}

const MAX_MARKS = 4096;
const CR = 0x0d;

/** What only a pass over the whole file can tell. */
export interface LineCounts {
  lines: number;
  /** Bytes between two marks. */
  stride: number;
  /** marks[i]: line ends that begin before byte i × stride. */
  marks: number[];
}

export function lineCounts(file: OpenFile, memo: FileMemo<LineCounts>): LineCounts {
  const known = memo.get([file.stat]);
  if (known) return known;
  const facts = scan(file);
  memo.put([file.stat], facts);
  return facts;
}

function scan({ fd, size }: OpenFile): LineCounts {
  const stride = BLOCK_BYTES * Math.max(1, Math.ceil(size / BLOCK_BYTES / MAX_MARKS));
  const marks: number[] = [];
  let [ends, last] = [0, -1];
  for (let position = 0; position < size; position += BLOCK_BYTES) {
    if (position % stride === 0) marks.push(ends);
    const block = readRange(fd, position, Math.min(BLOCK_BYTES, size - position));
    for (let i = 0; i < block.length; i += 1) {
      const byte = block[i] as number;
      if (byte === CR || (byte === LF && last !== CR)) ends += 1;
      last = byte;
    }
  }
  const isOpen = last !== -1 && last !== LF && last !== CR;
  return { lines: ends + (isOpen ? 1 : 0), stride, marks };
}
