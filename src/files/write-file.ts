import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError, codeOf, conflict, orNull } from '../errors.ts';
import { isPlainOnly, realPath, statOf } from './paths.ts';
import { noFollow, readRange, readText, whyNotOpened, whyNotWritable } from './read-file.ts';

// The person's own is the person's alone; what lies in a repository is for whoever works there.
export const fileMode = (scope: string | null): number => (scope === null ? 0o600 : 0o644);
export const folderMode = (scope: string | null): number => (scope === null ? 0o700 : 0o777);

// Node's own `recursive` never ends where the system makes no folder, as below /proc.
export function makeFolder(folder: string, mode: number): void {
  const above = dirname(folder);
  if (above !== folder && statOf(above) === null) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statOf(folder)?.isDirectory()) throw error;
  }
}

// The file holds the old text or the new one at every instant, also after a power cut. A link stays a link: its target
// is what gets replaced. With a scope a path that may not be written, and a link that leads out of it, are refused.
export function atomicWrite(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  scope: string | null = null,
): void {
  const reason = whyNotWritable(scope, path);
  if (reason !== null) throw conflict(`${basename(path)} can't be written: ${reason}.`);
  const target = scope !== null && isPlainOnly(scope, path) ? path : (realPath(path) ?? path);
  const folder = dirname(target);
  makeFolder(folder, folderMode(scope));
  // Any free name will do: `wx` refuses one that is taken. (Loading node:crypto would cost every start some milliseconds.)
  const draft = join(folder, `.${basename(target)}.${process.pid}-${Math.random().toString(36).slice(2, 12)}`);
  try {
    writeFileSync(draft, content, { mode, flag: 'wx', flush: true });
    renameSync(draft, target);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
  syncFolder(folder);
}

// A leftover that can't be taken away must not hide why it was left.
export function removeQuietly(path: string): void {
  orNull(() => rmSync(path, { force: true }));
}

export function writeAll(fd: number, bytes: Buffer, position?: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, null, position === undefined ? null : position + written);
}

// A rename or a new name lasts once its folder is synced.
export function syncFolder(folder: string): void {
  // Windows refuses it: docs/security.md says what that weakens.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

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

/** Every write of a decision goes through this, so that a test can record the order or end the world at any step. */
export const realFiles = {
  open(path: string, flags: number | string, mode: number) {
    const fd = openSync(path, flags, mode);
    return {
      fd,
      /** One write of the system; returns the bytes it took. */
      write: (bytes: Uint8Array): number => writeSync(fd, bytes),
      sync: () => fsyncSync(fd),
      truncate: (size: number) => ftruncateSync(fd, size),
      close: () => closeSync(fd),
    };
  },
  rename: (from: string, to: string) => renameSync(from, to),
  unlink: (path: string) => unlinkSync(path),
  syncFolder,
};
export type FileLayer = typeof realFiles;
export type WritableFile = ReturnType<FileLayer['open']>;
