import { isUtf8 } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { codeOf, orNull, reasonOf } from '../errors.ts';
import { type JsonRecord, parseRecord } from '../json.ts';
import type { FileMemo } from './file-fingerprint.ts';
import {
  isInside,
  isPlaceInside,
  isPlainOnly,
  LEADS_OUT,
  lstatOf,
  NO_LINKS,
  placeInside,
  repositoryTop,
  staysInside,
  TWO_NAMES,
} from './paths.ts';

export interface OpenFile {
  fd: number;
  size: number;
  stat: BigIntStats;
  /** Where it really is; null where the system does not say, or no scope was given. */
  place: string | null;
}

export type FileResult<T> =
  | { status: 'ok'; value: T }
  | { status: 'missing' }
  | { status: 'unreadable'; reason: string };

// Opens a regular file for reading and nothing else: never waits on a FIFO, never reads a device, and with a `scope`
// never a file whose real place is outside that folder, and nothing by a link in a repository's own `.bearings/`.
export function withFile<T>(path: string, scope: string | null, use: (file: OpenFile) => T): FileResult<T> {
  let fd: number;
  const plainOnly = scope !== null && isPlainOnly(scope, path);
  try {
    // Asked first, because a failing open costs ten times as much, and a brief may name thousands of files.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { status: 'missing' };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (plainOnly ? constants.O_NOFOLLOW : 0));
  } catch (error) {
    const code = codeOf(error);
    if (plainOnly && (code === 'ELOOP' || code === 'EMLINK')) return { status: 'unreadable', reason: NO_LINKS };
    return { status: 'unreadable', reason: code === 'ENOENT' ? 'its link leads nowhere' : reasonOf(error) };
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (stat.isDirectory()) return { status: 'unreadable', reason: 'it is a directory' };
    if (!stat.isFile()) return { status: 'unreadable', reason: 'it is not a regular file' };
    const place = scope === null ? null : placeOfOpened(fd);
    if (scope !== null && !isOpenedInside(scope, path, place, stat)) {
      return { status: 'unreadable', reason: plainOnly ? NO_LINKS : LEADS_OUT };
    }
    return { status: 'ok', value: use({ fd, size: Number(stat.size), stat, place }) };
  } catch (error) {
    return { status: 'unreadable', reason: reasonOf(error) };
  } finally {
    closeSync(fd);
  }
}

/** Throws as the system does; what is not a regular file is refused and never waited for. */
export function openPlain(path: string, flags: number = constants.O_RDONLY, mode?: number): number {
  const fd = openSync(path, flags | constants.O_NONBLOCK, mode);
  const stat = fstatSync(fd);
  if (stat.isFile()) return fd;
  closeSync(fd);
  throw Object.assign(new Error('not a regular file'), { code: stat.isDirectory() ? 'EISDIR' : 'NOT_A_FILE' });
}

/** The bytes of a file of our own. */
export function readPlainFile(path: string): Buffer {
  const fd = openPlain(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

// Checked after opening, on what was opened: a link or folder swapped between check and use changes nothing. Linux says where
// the opened file is; elsewhere its inode is compared with the one that is there now.
function isOpenedInside(scope: string, path: string, place: string | null, opened: BigIntStats): boolean {
  // Where it was asked for: no link is on its way.
  if (place === path && path.startsWith(`${scope}${sep}`)) return true;
  if (place !== null) return isPlaceInside(scope, path, place);
  const real = placeInside(scope, path);
  if (real === null) return false;
  const there = statSync(real, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === opened.ino && there.dev === opened.dev;
}

// One that was replaced since it was opened was the right one then.
const placeOfOpened = (fd: number) => orNull(() => readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/, ''));

/** Before a file is opened for writing: why it may not be; null: it may. */
export function whyNotWritable(scope: string | null, path: string): string | null {
  if (scope === null || staysInside(scope, path)) return null;
  return isPlainOnly(scope, path) ? NO_LINKS : LEADS_OUT;
}

/** The same for a file or folder that a person named: by no link may it leave its own folder, or one of `folders` and their repositories
 *  where it is said to be. */
export function whyNotOutput(path: string, folders: readonly string[]): string | null {
  const roots = [dirname(path), ...folders.flatMap((folder) => [folder, repositoryTop(folder)])];
  const leads = (root: string) => lstatOf(root) !== undefined && isInside(root, path) && !staysInside(root, path);
  return roots.some(leads) ? LEADS_OUT : null;
}

/** Once it is open and before anything is written: what was opened is what was asked for, under no second name. */
export function whyNotOpened(scope: string | null, path: string, fd: number): string | null {
  const stat: BigIntStats = fstatSync(fd, { bigint: true });
  if (!stat.isFile()) return 'it is not a regular file';
  if (scope === null || !isPlainOnly(scope, path)) return null;
  if (!isOpenedInside(scope, path, placeOfOpened(fd), stat)) return NO_LINKS;
  return stat.nlink > 1n ? TWO_NAMES : null;
}

/** A link is followed only where its scope allows one at all. */
export function noFollow(scope: string | null, path: string, isLink: boolean): number {
  return isLink && !(scope !== null && isPlainOnly(scope, path)) ? 0 : constants.O_NOFOLLOW;
}

export type DecodedText = ReturnType<typeof decode>;

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

/** For one who does not ask why there is none. */
export function textOf(path: string, scope: string | null = null): string | null {
  const file = readText(path, scope);
  return file.status === 'ok' ? file.value.text : null;
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
export function decode(bytes: Buffer, atFileStart = true): { text: string; valid: boolean } {
  const hasMark = atFileStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // `valid`: false when bytes that are not UTF-8 were replaced.
  return { text: bytes.toString('utf8', hasMark ? 3 : 0), valid: isUtf8(bytes) };
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
  const joined = (start: Buffer, rest: Buffer | null): Buffer | null =>
    rest === null || start.length + rest.length > maxBytes ? null : Buffer.concat([start, rest]);
  let rest: Buffer | null = Buffer.alloc(0);
  for (let end = size; end > 0; ) {
    // As much as is held of a long line already: it is copied as often as it doubles, and not for every block.
    const start = Math.max(0, end - Math.max(BLOCK_BYTES, rest?.length ?? 0));
    let block = readRange(fd, start, end - start);
    for (let at = block.lastIndexOf(LF); at !== -1; at = block.lastIndexOf(LF)) {
      yield joined(block.subarray(at + 1), rest);
      rest = Buffer.alloc(0);
      block = block.subarray(0, at);
    }
    rest = joined(block, rest);
    end = start;
  }
  yield rest;
}

const CR = 0x0d;

/** How many lines a file has: what only a pass over all of it can tell. */
export function lineCount(file: OpenFile, memo: FileMemo<number>): number {
  const known = memo.get([file.stat]);
  if (known !== null) return known;
  const { lines } = scanLines(file);
  memo.put([file.stat], lines);
  return lines;
}

/** From the beginning of a line: how many lines there are, and where the one after `most` of them begins. */
export function scanLines({ fd, size }: OpenFile, most = Number.POSITIVE_INFINITY, from = 0) {
  let [lines, last] = [0, -1];
  for (let position = from; position < size; position += BLOCK_BYTES) {
    const block = readRange(fd, position, Math.min(BLOCK_BYTES, size - position));
    // A hundred million bytes take a second one by one; where only line feeds end lines, from one to the next a tenth of that.
    const isPlain = last !== CR && !block.includes(CR);
    for (let i = 0; i < block.length; i += 1) {
      if (isPlain && lines < most) i = block.indexOf(LF, i);
      if (i === -1) break;
      const byte = block[i];
      const isSecondHalf = byte === LF && (i === 0 ? last : block[i - 1]) === CR;
      if (lines === most && !isSecondHalf) return { lines, end: position + i };
      if (byte === CR || (byte === LF && !isSecondHalf)) lines += 1;
    }
    last = block.at(-1) ?? last;
  }
  const isOpen = last !== -1 && last !== LF && last !== CR;
  return { lines: lines + (isOpen ? 1 : 0), end: size };
}
