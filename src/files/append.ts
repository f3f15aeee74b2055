import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { BearingsError } from '../errors.ts';
import { writeAll } from './atomic-write.ts';
import { readRange } from './read-text.ts';
import { noFollow, whyNotOpened, whyNotWritable } from './writable-place.ts';

// One line of a JSONL file, in one O_APPEND write. A torn last line (a crash, a full disk) is ended first, so that it
// spoils only itself. A link is followed only where its scope allows.
export function appendLine(path: string, line: string, options: { mode: number; scope: string | null }): void {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  refuse(whyNotWritable(options.scope, path));
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const fd = openSync(path, flags | noFollow(options.scope, path, link), options.mode);
  try {
    refuse(whyNotOpened(options.scope, path, fd));
    const { size } = fstatSync(fd);
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
    writeAll(fd, Buffer.from(`${torn ? '\n' : ''}${line}\n`));
  } finally {
    closeSync(fd);
  }
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new BearingsError('io_error', `The record can't be written: ${reason}.`);
}
