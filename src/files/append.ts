import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { BearingsError } from '../errors.ts';
import { writeAll } from './atomic-write.ts';
import { noFollow, whyNotOpened, whyNotWritable } from './open-file.ts';
import { readRange, readText } from './read-text.ts';

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

// A file that others add to can't be rewritten in place without losing a line of theirs. It is taken aside, its lines are handed
// out, and only then it goes; what an earlier, broken off attempt left aside comes first.
export function* takeFileAside(path: string, scope: string | null): Generator<string> {
  const aside = `${path}.aside`;
  if (!existsSync(aside)) {
    if (!existsSync(path)) return;
    renameSync(path, aside);
  }
  const file = readText(aside, scope);
  if (file.status === 'ok') yield* file.value.text.split('\n').filter((line) => line.trim() !== '');
  rmSync(aside);
}
