import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { BearingsError } from '../errors.ts';
import { writeAll } from './atomic-write.ts';
import { staysInside } from './path-scope.ts';
import { readRange } from './read-text.ts';

// One line of a JSONL file, in one O_APPEND write. A torn last line (a crash, a full disk) is ended first, so that it
// spoils only itself. A link is followed only where its scope allows.
export function appendLine(path: string, line: string, options: { mode: number; scope: string | null }): void {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (options.scope !== null && !staysInside(options.scope, path)) throw outside();
  const noFollow = link ? 0 : constants.O_NOFOLLOW;
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | noFollow;
  const fd = openSync(path, flags, options.mode);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile())
      throw new BearingsError('io_error', "The record can't be written: its place is not a regular file.");
    const torn = stat.size > 0 && readRange(fd, stat.size - 1, 1)[0] !== 0x0a;
    writeAll(fd, Buffer.from(`${torn ? '\n' : ''}${line}\n`));
  } finally {
    closeSync(fd);
  }
}

function outside(): BearingsError {
  return new BearingsError('io_error', "The record can't be written: its link leads out of the folder.");
}
