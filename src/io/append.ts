import { closeSync, constants, fstatSync, fsyncSync, openSync } from 'node:fs';
import { writeAll } from './atomic-write.ts';
import { readRange } from './read-text.ts';

// One line of a JSONL file, in one O_APPEND write, flushed before it returns. A torn last line (a crash, a full disk)
// is ended first, so that it spoils only itself.
export function appendLine(path: string, line: string, mode = 0o600): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, mode);
  try {
    const { size } = fstatSync(fd);
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
    writeAll(fd, Buffer.from(`${torn ? '\n' : ''}${line}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
