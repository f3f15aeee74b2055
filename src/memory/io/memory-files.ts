import { mkdirSync, readdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedName } from '../../closest.ts';
import { splitLines } from '../../code-points.ts';
import { conflict, ioError, orNull } from '../../errors.ts';
import { type FileMemo, sha256 } from '../../files/file-fingerprint.ts';
import { lstatOf, namesIn, realPath } from '../../files/paths.ts';
import {
  decode,
  type FileResult,
  lineCount,
  type OpenFile,
  readPlainFile,
  readRange,
  readText,
  scanLines,
  type TextFile,
  withFile,
} from '../../files/read-file.ts';
import { filesBelow, linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import { foldedName, whyNotTasteName } from '../../safety/hidden-characters.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  type NotesText,
  wholeNotes,
} from '../brief-and-notes.ts';

/** What older homes have in the place of `tastes/_default.md`. */
export const OLDER_TASTE = 'taste.md';

export type TasteFolder = ReturnType<typeof tasteFolder>;

export function tasteFolder({ tastesFolder: folder, home }: { tastesFolder: string; home: string }) {
  const pathOf = (name: string) => join(folder, `${name}.md`);
  const olderPath = join(home, OLDER_TASTE);
  // Where the home has the older single file and no `_default.md`, that is the default taste.
  const isOlder = (name: string) =>
    name === '_default' && realPath(pathOf(name)) === null && realPath(olderPath) !== null;
  /** Where a taste is read and written, and what a link in its place must not lead out of. */
  const locate = (name: string): { path: string; scope: string | null } =>
    isOlder(name) ? { path: olderPath, scope: null } : { path: pathOf(name), scope: folder };
  const read = (name: string): FileResult<TextFile> => {
    const { path, scope } = locate(name);
    return readText(path, scope, true);
  };
  const taken = (name: string) => {
    const [file, move] = isOlder(name) ? [`: ${OLDER_TASTE}`, '. Move it to _default.md: bearings review'] : ['', ''];
    const hint = `Edit it: bearings edit tastes ${typedName(name)}${move}`;
    return conflict(`There is already a taste "${name}"${file}.`, hint);
  };
  /** Names without `.md`, `_default` first. */
  const list = (): string[] => {
    const names = namesIn(folder)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .map((name) => name.slice(0, -3))
      .filter((name) => whyNotTasteName(name) === null);
    if (isOlder('_default') && !names.includes('_default')) names.push('_default');
    return names.sort((a, b) => Number(b === '_default') - Number(a === '_default') || (a < b ? -1 : 1));
  };
  /** Refuses a new name that elsewhere would be the file of another: a home may move to a system where both are one. */
  const assertOneSpelling = (name: string): void => {
    const known = list();
    const other = known.includes(name) ? undefined : known.find((each) => foldedName(each) === foldedName(name));
    if (other !== undefined) throw taken(other);
  };
  return {
    folder,
    locate,
    read,
    list,
    assertOneSpelling,
    /** Its name as a person reads it; `isDouble`: an older file of the default taste is there too, and not served. */
    readDefault() {
      const isOther = isOlder('_default');
      const isDouble = !isOther && realPath(pathOf('_default')) !== null && realPath(olderPath) !== null;
      return { name: isOther ? OLDER_TASTE : '_default.md', file: read('_default'), isDouble };
    },
    create(name: string): void {
      assertOneSpelling(name);
      if (isOlder(name)) throw taken(name);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(pathOf(name), '', { flag: 'wx', mode: 0o600 });
      } catch (error) {
        throw lstatOf(pathOf(name)) ? taken(name) : ioError(`${name}.md can't be made`, error);
      }
    },
  };
}

const SMALL_BYTES = 64 * 1024;

// A small file is read whole; of a large one only its two ends, with the count of lines from one pass over it.
export function readNotes(
  path: string,
  scope: string | null,
  memo: FileMemo<number>,
): FileResult<{ notes: NotesText; valid: boolean }> {
  return withFile(path, scope, (file) => {
    const totalLines = file.size <= SMALL_BYTES ? 0 : lineCount(file, memo);
    if (totalLines <= NOTES_TRUNCATION_THRESHOLD) {
      const { text, valid } = decode(readRange(file.fd, 0, file.size));
      return { notes: wholeNotes(text), valid };
    }
    const head = linesFrom(file, NOTES_HEAD_LINES);
    const tail = lastLines(file, NOTES_TAIL_LINES);
    const text = [...head.lines, ...tail.lines].map((line) => `${line}\n`).join('');
    return { notes: { text, totalLines }, valid: head.valid && tail.valid };
  });
}

// Lines `offset` to `offset + limit`.
export function readNotesWindow(
  path: string,
  scope: string | null,
  memo: FileMemo<number>,
  window: { offset: number; limit: number },
) {
  return withFile(path, scope, (file) => {
    const totalLines = lineCount(file, memo);
    if (window.offset >= totalLines) return { lines: [], totalLines, valid: true };
    return { ...linesFrom(file, window.limit, scanLines(file, window.offset).end), totalLines };
  });
}

export function countLines(path: string, scope: string | null, memo: FileMemo<number>): FileResult<number> {
  return withFile(path, scope, (file) => lineCount(file, memo));
}

function linesFrom(file: OpenFile, count: number, from = 0): { lines: string[]; valid: boolean } {
  const { text, valid } = decode(readRange(file.fd, from, scanLines(file, count, from).end - from), from === 0);
  return { lines: splitLines(text), valid };
}

function lastLines(file: OpenFile, count: number): { lines: string[]; valid: boolean } {
  for (let length = SMALL_BYTES; ; length *= 2) {
    const size = Math.min(length, file.size);
    // Byte by byte, since it may begin in the middle of a letter.
    const lines = splitLines(readRange(file.fd, file.size - size, size).toString('latin1'));
    if (lines.length <= count && size < file.size) continue;
    const { text, valid } = decode(Buffer.from(lines.slice(-count).join('\n'), 'latin1'), false);
    return { lines: text.split('\n'), valid };
  }
}

export const SERVED_FOLDER = 'served';
const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
const MEGABYTE = 1_000_000;
/** New texts between two looks at the size of the whole. */
const BETWEEN_SWEEPS = 50;

/** Texts that agents were given, each once under its hash: in the home, never in a repository. */
export function servedStore(home: string, megabytes: number, now: () => Date) {
  const folder = join(home, SERVED_FOLDER);
  const pathOf = (hash: string) => join(folder, `${hash}.txt`);
  let added = 0;
  return {
    // A disk that refuses costs the person a look back, not the agent its context.
    keep(text: string, hash: string): void {
      const time = now();
      const touch = () => utimesSync(pathOf(hash), time, time);
      if (megabytes === 0 || orNull(touch) !== null) return;
      orNull(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (added % BETWEEN_SWEEPS === 0) sweep(folder, megabytes * MEGABYTE, time.getTime());
        added += 1;
        writeFileSync(pathOf(hash), text, { mode: 0o600, flag: 'wx' });
        touch();
      });
    },
    /** Null: never kept, swept, erased, or not what was served. */
    read(hash: string): string | null {
      if (!/^[0-9a-f]{64}$/.test(hash)) return null;
      const text = orNull(() => readPlainFile(pathOf(hash)).toString('utf8'));
      return text !== null && sha256(text) === hash ? text : null;
    },
  };
}

// The longest unserved go first, down to nine tenths, so that the next new text does not sweep again.
function sweep(folder: string, limit: number, now: number): void {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const all = paths.map((path) => ({ path, stat: statSync(path) })).sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs);
  let total = all.reduce((sum, { stat }) => sum + stat.size, 0);
  const goal = total > limit ? limit * 0.9 : limit;
  for (const { path, stat } of all) {
    if (total <= goal && now - stat.mtimeMs < RETENTION_DAYS * DAY_MS) break;
    unlinkSync(path);
    total -= stat.size;
  }
}

/** Copies of a text in contexts that were served, and in what agents wrote down. */
export function memoryCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  const served = [...filesBelow(join(settings.home, SERVED_FOLDER))];
  return [
    ...served.flatMap((path) => wholeFile('served context', path, sought)),
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) => [
      ...linesOf('log', join(folder, 'log.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl.aside'), sought, { scope }),
    ]),
  ];
}
