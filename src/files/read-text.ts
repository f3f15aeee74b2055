import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import { type FileResult, type OpenFile, withFile } from './open-file.ts';

export interface DecodedText {
  text: string;
  /** False when bytes that are not UTF-8 were replaced. */
  valid: boolean;
}

export interface TextFile extends DecodedText {
  /** The same for every name of one file. */
  identity: string;
}

// Strings end near 512 MiB; a text file beyond this is a mistake, not memory.
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** A whole text that came with a repository is no larger: 100 kB that were fetched may unpack to any size (M14). */
const MAX_SHARED_BYTES = 4 * 1024 * 1024;

/** `isOwn`: the person's, though links out of its folder are not followed. */
export function readText(path: string, scope: string | null, isOwn = scope === null): FileResult<TextFile> {
  return withFile(path, scope, ({ fd, size, stat }) => ({
    ...decode(readAll(fd, size, isOwn)),
    identity: `${stat.dev}:${stat.ino}`,
  }));
}

// As it stands, with its byte order mark: for those who write it back.
export function readExact(path: string, scope: string | null): FileResult<DecodedText> {
  return withFile(path, scope, ({ fd, size }) => decode(readAll(fd, size, scope === null), false));
}

function readAll(fd: number, size: number, isOwn: boolean): Buffer {
  if (!isOwn && size > MAX_SHARED_BYTES) throw Object.assign(new Error('larger than 4 MB'), { code: 'TOO_LARGE_HERE' });
  return readRange(fd, 0, size);
}

// A byte order mark is one only at the start of a file.
export function decode(bytes: Buffer, atFileStart = true): DecodedText {
  return { text: (atFileStart ? withoutMark(bytes) : bytes).toString('utf8'), valid: isUtf8(bytes) };
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

// Reads until `length` bytes are there or the file ends: one read may bring less.
export function readRange(fd: OpenFile['fd'], position: number, length: number): Buffer {
  if (length > MAX_TEXT_BYTES) throw Object.assign(new Error('larger than 256 MiB'), { code: 'EFBIG' });
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
