import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { writeAll } from '../../files/atomic-write.ts';
import { ioError } from '../../files/system-error.ts';

export interface JournalFile {
  /** Resolves once the line is on the disk. Lines that come while a sync is under way share the next one. */
  append(line: string): Promise<number>;
  /** Written with the next line that is, or at the end: a crash may take it. Gives its place. */
  note(line: string): number;
  readAt(offset: number): string;
  close(): Promise<void>;
}

const MAX_UNWRITTEN = 256 * 1024;
const LF = 0x0a;
// Small, so that its lines are gone before the collector takes them for long-lived ones.
const CHUNK = 16 * 1024;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// Lines are only ever added. What comes after `end` (a line torn by a crash, never acknowledged) is cut off first.
export function openJournal(path: string, end: number): JournalFile {
  const fd = openSync(path, FLAGS, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  }
  ftruncateSync(fd, end);
  let size = end;
  let unwritten: string[] = [];
  let unwrittenSize = 0;
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let syncing: Promise<void> | null = null;
  // After a failed write nothing more is added: what follows a gap could not be trusted.
  let broken = false;

  const add = (line: string): number => {
    const text = `${line}\n`;
    const offset = size + unwrittenSize;
    unwritten.push(text);
    unwrittenSize += Buffer.byteLength(text);
    return offset;
  };
  const write = (): void => {
    if (unwritten.length === 0) return;
    const bytes = Buffer.from(unwritten.join(''));
    unwritten = [];
    size += unwrittenSize;
    unwrittenSize = 0;
    try {
      if (broken) throw Object.assign(new Error('an earlier write failed'), { code: 'EIO' });
      writeAll(fd, bytes, size - bytes.length);
    } catch (error) {
      broken = true;
      throw ioError("The journal can't be written", error);
    }
  };
  const syncAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const served = waiting;
      waiting = [];
      try {
        write();
        await new Promise<void>((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));
        for (const { resolve } of served) resolve();
      } catch (error) {
        for (const { reject } of served) reject(ioError("The journal can't be written", error));
      }
    }
    syncing = null;
  };
  return {
    append(line) {
      const offset = add(line);
      const written = new Promise<number>((resolve, reject) => {
        waiting.push({ resolve: () => resolve(offset), reject });
      });
      syncing ??= Promise.resolve().then(syncAll);
      return written;
    },
    note(line) {
      const offset = add(line);
      if (unwrittenSize > MAX_UNWRITTEN) write();
      return offset;
    },
    readAt(offset) {
      write();
      return lineAt(fd, offset);
    },
    async close() {
      try {
        await syncing;
        write();
      } finally {
        closeSync(fd);
      }
    },
  };
}

export interface Line {
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
export function* fileLines(path: string, from = 0): Generator<Line> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    yield* linesIn(fd, from);
  } finally {
    closeSync(fd);
  }
}
