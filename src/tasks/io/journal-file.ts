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
const CHUNK = 64 * 1024;
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

export function lineAt(fd: number, offset: number): string {
  const parts: Buffer[] = [];
  for (let position = offset; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const count = readSync(fd, buffer, 0, CHUNK, position);
    const end = buffer.subarray(0, count).indexOf(0x0a);
    parts.push(buffer.subarray(0, end === -1 ? count : end));
    if (end !== -1 || count === 0) return Buffer.concat(parts).toString('utf8');
    position += count;
  }
}

export function readLineAt(path: string, offset: number): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return lineAt(fd, offset);
  } finally {
    closeSync(fd);
  }
}

export interface Scanned {
  /** Where the last whole line ends. */
  end: number;
  lines: number;
}

// Every whole line with its place, one at a time. What comes after the last line end is torn and not given.
export function scanLines(path: string, see: (line: Buffer, offset: number) => void): Scanned {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    let [end, lines, position] = [0, 0, 0];
    let rest: Buffer[] = [];
    for (;;) {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const count = readSync(fd, buffer, 0, CHUNK, position);
      if (count === 0) return { end, lines };
      let start = 0;
      for (let stop = buffer.indexOf(0x0a); stop !== -1 && stop < count; stop = buffer.indexOf(0x0a, start)) {
        const last = buffer.subarray(start, stop);
        see(rest.length > 0 ? Buffer.concat([...rest, last]) : last, end);
        rest = [];
        start = stop + 1;
        end = position + start;
        lines += 1;
      }
      if (start < count) rest.push(buffer.subarray(start, count));
      position += count;
    }
  } finally {
    closeSync(fd);
  }
}
