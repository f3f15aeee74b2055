import { closeSync, constants, fstatSync, lstatSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from './paths.ts';
import { readRange, whyNotWritable, withFile } from './read-file.ts';
import type { FileLayer } from './write-file.ts';

/** A file of ours that a text is in, and how the text is removed from it. */
export interface TextCopy {
  /** In a person's words. */
  what: string;
  path: string;
  scope: string | null;
  /** The file without it; null: the file itself goes. */
  rewrite: ((text: string) => string) | null;
}

/** What every room needs of a text to find its copies. */
export interface SoughtText {
  isIn(text: string): boolean;
  isInBytes(latin1: string): boolean;
  withoutInLine(line: string): string;
}

/** A file that goes where it holds the text. */
export function wholeFile(what: string, path: string, sought: SoughtText, scope: string | null = null): TextCopy[] {
  return holds(path, scope, sought) ? [{ what, path, scope, rewrite: null }] : [];
}

/** One object a line; those that hold the text are written again, or where `drop` says so left out. */
export function linesOf(
  what: string,
  path: string,
  sought: SoughtText,
  { scope = null, drop = () => false }: { scope?: string | null; drop?: (line: string) => boolean } = {},
): TextCopy[] {
  if (!holds(path, scope, sought)) return [];
  const lineAfter = (line: string): string[] => {
    if (line === '' || !sought.isIn(line)) return [line];
    return drop(line) ? [] : [sought.withoutInLine(line)];
  };
  return [{ what, path, scope, rewrite: (text) => text.split('\n').flatMap(lineAfter).join('\n') }];
}

/** Files that may hold anything: true where the bytes hold the text. */
export function holdsBytes(path: string, sought: SoughtText): boolean {
  const read = withFile(path, null, ({ fd, size }) => sought.isInBytes(readRange(fd, 0, size).toString('latin1')));
  return read.status === 'ok' && read.value;
}

function holds(path: string, scope: string | null, sought: SoughtText): boolean {
  const read = withFile(path, scope, ({ fd, size }) => sought.isIn(readRange(fd, 0, size).toString('utf8')));
  return read.status === 'ok' && read.value;
}

/** Every regular file in a folder and below; links are not followed. */
export function* filesBelow(folder: string): Generator<string> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) yield* filesBelow(path);
    else if (stat?.isFile()) yield path;
  }
}

// By rename: whoever reads sees all of the old file or all of the new one. Others may add a line meanwhile: it comes along.
export function takeAway({ path, scope, rewrite }: TextCopy, files: FileLayer): void {
  const reason = whyNotWritable(scope, path);
  if (reason !== null) throw Object.assign(new Error(reason), { code: 'EPERM' });
  if (rewrite === null) {
    files.unlink(path);
    files.syncFolder(dirname(path));
    return;
  }
  const before = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const read = readRange(before, 0, fstatSync(before).size);
    const draft = join(dirname(path), `.${basename(path)}.erase`);
    const file = files.open(
      draft,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      statSync(path).mode & 0o777,
    );
    const add = (text: string): void => {
      const bytes = Buffer.from(text);
      if (bytes.length > 0 && file.write(bytes) !== bytes.length)
        throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      file.sync();
    };
    try {
      add(rewrite(read.toString('utf8')));
      files.rename(draft, path);
      const now = fstatSync(before).size;
      if (now > read.length) add(rewrite(readRange(before, read.length, now - read.length).toString('utf8')));
    } catch (error) {
      if (lstatSync(draft, { throwIfNoEntry: false })) files.unlink(draft);
      throw error;
    } finally {
      file.close();
    }
    files.syncFolder(dirname(path));
  } finally {
    closeSync(before);
  }
}
