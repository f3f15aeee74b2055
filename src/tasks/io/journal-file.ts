import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { writeAll } from '../../files/atomic-write.ts';
import { ioError } from '../../files/system-error.ts';

export type JournalFile = ReturnType<typeof openJournal>;

const MAX_UNWRITTEN = 256 * 1024;
const LF = 0x0a;
// Small, so that its lines are gone before the collector takes them for long-lived ones.
const CHUNK = 16 * 1024;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// Lines are only ever added. What comes after `end` (a line torn by a crash, never acknowledged) is cut off first.
export function openJournal(path: string, end: number) {
  const fd = openSync(path, FLAGS, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  }
  ftruncateSync(fd, end);
  let written = end;
  let unwritten: Buffer[] = [];
  let size = end;
  // What could not be written stays for the next try: no line comes after a gap.
  const write = (then?: () => void): void => {
    const bytes = Buffer.concat(unwritten);
    try {
      writeAll(fd, bytes, written);
      written += bytes.length;
      unwritten = [];
      then?.();
    } catch (error) {
      throw ioError("The journal can't be written", error);
    }
  };
  const add = (line: string): number => {
    const bytes = Buffer.from(`${line}\n`);
    unwritten.push(bytes);
    size += bytes.length;
    return size - bytes.length;
  };
  return {
    /** On the disk when it returns. */
    append(line: string): void {
      add(line);
      write(() => fdatasyncSync(fd));
    },
    /** Written with the next line that is, or at the end: a crash may take it. Gives its place. */
    note(line: string): number {
      const offset = add(line);
      if (size - written > MAX_UNWRITTEN) write();
      return offset;
    },
    readAt(offset: number): string {
      write();
      return lineAt(fd, offset);
    },
    close(): void {
      try {
        write();
      } finally {
        closeSync(fd);
      }
    },
  };
}

interface Line {
  bytes: Buffer;
  /** Where it begins. */
  offset: number;
  /** False at the end of a file that does not end with a line. */
  whole: boolean;
}

// One after the other: whatever the size of the file, one chunk and one line are in memory. One that goes past `maxBytes` is the
// last that is given.
export function* linesIn(fd: number, from = 0, maxBytes = Number.POSITIVE_INFINITY): Generator<Line> {
  let parts: Buffer[] = [];
  for (let [position, offset] = [from, from]; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const chunk = buffer.subarray(0, readSync(fd, buffer, 0, CHUNK, position));
    let start = 0;
    for (let stop = chunk.indexOf(LF); stop !== -1; stop = chunk.indexOf(LF, start)) {
      const end = chunk.subarray(start, stop);
      yield { bytes: parts.length === 0 ? end : Buffer.concat([...parts, end]), offset, whole: true };
      parts = [];
      start = stop + 1;
      offset = position + start;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    position += chunk.length;
    if (chunk.length > 0 && position - offset <= maxBytes) continue;
    if (parts.length > 0) yield { bytes: Buffer.concat(parts), offset, whole: false };
    return;
  }
}

export function lineAt(fd: number, offset: number): string {
  for (const { bytes } of linesIn(fd, offset)) return bytes.toString('utf8');
  return '';
}

/** Of a file of ours. */
export function* fileLines(path: string): Generator<Line> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    yield* linesIn(fd);
  } finally {
    closeSync(fd);
  }
}
