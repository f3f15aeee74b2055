import { closeSync, openSync, readSync, writevSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { LENGTHS, type Lengths } from '../matching/fields.ts';
import { blockOf, type Segment } from '../matching/segment.ts';
import type { StoredSegment } from '../matching/segmented-index.ts';
import { readRange } from './read-text.ts';

/** A segment on the disk or in memory. It never changes; which of its documents are dead is known elsewhere. */
export interface OpenSegment extends Omit<StoredSegment, 'dead' | 'live'> {
  totals: Lengths;
  close(): void;
}

// First a head with all that every query needs, then the blocks, of which a query reads a few. Head and blocks have their
// checksums: a file that a power cut left half written is found out.
const MAGIC = 0x42524749;
const NUMBERS = 13;
const HEAD_START = NUMBERS * 4;
const KNOWN_BYTES = 512 * 1024;

/** Writes the segment into a new file; gives its size. */
export function writeSegment(path: string, segment: Segment): number {
  const { blocks, blockEnds } = segment;
  const checks = Uint32Array.from(blockEnds, (end, i) => crc32(blocks.subarray(i === 0 ? 0 : blockEnds[i - 1], end)));
  const head = Buffer.concat(
    [segment.ends, segment.lengths, segment.importEnds, blockEnds, checks, segment.paths, segment.imports].map(bytesOf),
  );
  const totals = LENGTHS.flatMap((field) => halves(segment.totals[field]));
  const numbers = [MAGIC, segment.count, blockEnds.length, segment.paths.length, segment.imports.length, ...totals];
  const start = bytesOf(Uint32Array.from({ length: NUMBERS }, (_, i) => numbers[i] ?? 0));
  const check = bytesOf(Uint32Array.of(crc32(head, crc32(start))));
  const fd = openSync(path, 'wx', 0o600);
  try {
    const parts = [start, check, head, bytesOf(blocks)];
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    if (writevSync(fd, parts) !== size) throw new Error('the segment was not written whole');
    return size;
  } finally {
    closeSync(fd);
  }
}

/** Throws when the file is not what was written. */
export function openSegment(path: string, size: number): OpenSegment {
  const fd = openSync(path, 'r');
  try {
    const start = readRange(fd, 0, HEAD_START + 4);
    const [magic, count, blockCount, pathBytes, importBytes, ...totals] = numbersIn(start, 0, NUMBERS) as unknown as [
      number,
      number,
      number,
      number,
      number,
      ...number[],
    ];
    const headLength = 4 * (count * (LENGTHS.length + 2) + blockCount * 2) + pathBytes + importBytes;
    if (magic !== MAGIC || HEAD_START + 4 + headLength > size) throw new Error('this is no segment');
    const head = readRange(fd, HEAD_START + 4, headLength);
    const check = numbersIn(start, HEAD_START, 1)[0];
    if (crc32(head, crc32(start.subarray(0, HEAD_START))) !== check) throw new Error('the segment is broken');
    let at = 0;
    const take = (length: number): Uint32Array => {
      at += length * 4;
      return numbersIn(head, at - length * 4, length);
    };
    const [ends, lengths, importEnds] = [take(count), take(count * LENGTHS.length), take(count)] as const;
    const [blockEnds, checks] = [take(blockCount), take(blockCount)] as const;
    const blocksAt = HEAD_START + 4 + headLength;
    if (blocksAt + (blockEnds.at(-1) ?? 0) !== size) throw new Error('the segment is cut');
    const imports = head.subarray(at + pathBytes);
    // Whoever asks in a row asks for the same words: those of the first questions stay at hand.
    const known = new Map<number, Buffer>();
    let room = KNOWN_BYTES;
    return {
      count,
      totals: Object.fromEntries(LENGTHS.map((field, i) => [field, whole(totals, i)])) as Lengths,
      paths: head.subarray(at, at + pathBytes),
      ends,
      lengths,
      block(key) {
        const number = blockOf(key, blockCount);
        const before = known.get(number);
        if (before) return before;
        const from = number === 0 ? 0 : (blockEnds[number - 1] as number);
        const block = Buffer.allocUnsafe((blockEnds[number] as number) - from);
        readSync(fd, block, 0, block.length, blocksAt + from);
        if (crc32(block) !== checks[number]) throw new Error('the segment is broken');
        if (block.length <= room) {
          room -= block.length;
          known.set(number, block);
        }
        return block;
      },
      imports: (id) => imports.subarray(id === 0 ? 0 : importEnds[id - 1], importEnds[id]),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The same without a file. */
export function heldSegment(segment: Segment): OpenSegment {
  const { blocks, blockEnds, imports, importEnds } = segment;
  const part = (bytes: Uint8Array, ends: Uint32Array, number: number): Uint8Array =>
    bytes.subarray(number === 0 ? 0 : ends[number - 1], ends[number]);
  return {
    ...segment,
    block: (key) => part(blocks, blockEnds, blockOf(key, blockEnds.length)),
    imports: (id) => part(imports, importEnds, id),
    close() {},
  };
}

// Totals can pass 32 bits: they are kept in two numbers.
function halves(value: number): [number, number] {
  return [value % 2 ** 32, Math.floor(value / 2 ** 32)];
}

function whole(halves: readonly number[], field: number): number {
  return (halves[field * 2] as number) + (halves[field * 2 + 1] as number) * 2 ** 32;
}

function bytesOf(data: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

// Copied where they don't stand at a multiple of four.
function numbersIn(bytes: Buffer, at: number, length: number): Uint32Array {
  const start = bytes.byteOffset + at;
  return start % 4 === 0
    ? new Uint32Array(bytes.buffer, start, length)
    : new Uint32Array(bytes.buffer.slice(start, start + length * 4));
}
