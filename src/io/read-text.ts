import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import { type FileResult, type OpenFile, withFile } from './open-file.ts';

export interface DecodedText {
  text: string;
  /** False when bytes that are no UTF-8 were replaced. */
  valid: boolean;
}

export interface TextFile extends DecodedText {
  /** The same for every name of one file. */
  identity: string;
}

// Strings end near 512 MiB; a text file beyond this is a mistake, not memory.
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

export function readText(path: string, scope: string | null): FileResult<TextFile> {
  const result = withFile(path, scope, (file) =>
    file.size > MAX_TEXT_BYTES
      ? null
      : { ...decode(readRange(file.fd, 0, file.size)), identity: `${file.stat.dev}:${file.stat.ino}` },
  );
  if (result.status !== 'ok') return result;
  if (result.value === null) return { status: 'unreadable', reason: 'it is larger than 256 MiB' };
  return { status: 'ok', value: result.value };
}

// A byte order mark is one only at the start of a file.
export function decode(bytes: Buffer, atFileStart = true): DecodedText {
  const start = atFileStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return { text: bytes.toString('utf8', start), valid: isUtf8(bytes) };
}

// Reads until `length` bytes are there or the file ends: one read may bring less.
export function readRange(fd: OpenFile['fd'], position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
