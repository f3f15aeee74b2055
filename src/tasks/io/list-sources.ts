import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { realPath } from '../../files/path-scope.ts';
import { readText } from '../../files/read-text.ts';
import { reasonOf } from '../../files/system-error.ts';
import { whyPrivate } from '../../matching/text/paths.ts';
import type { Glob } from '../../project/glob.ts';
import { projectFiles } from '../../project/io/project-files.ts';
import { isIgnoredIn } from '../../project/io/project-listing.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import { whyNotPath } from '../../safety/names.ts';
import type { ListSource } from '../inputs.ts';
import { failure } from '../results.ts';
import type { Fresh, Match } from '../steps.ts';
import { cleanText, redactedWarning } from '../text.ts';

// Small, so that its lines are gone before the collector takes them for long-lived ones.
const CHUNK = 16 * 1024;
const MAX_LINE = 1024 * 1024;
const MAX_NESTING = 100;
const MAX_FILE_CHARS = 4 * 1024 * 1024;

// One line after the other: whatever the size of the file, one chunk and one line are in memory.
export function jsonlSource(path: string, label: string): ListSource {
  return {
    get count() {
      return countOf(() => (isCountable(path) ? readLines(path, label) : null));
    },
    open() {
      const lines = readLines(path, label);
      return {
        next() {
          for (;;) {
            const { done, value } = lines.next();
            if (done) return null;
            if (value.text.trim() !== '') return { key: `${label}:${value.line}`, value: parseLine(value, label) };
          }
        },
        close: () => void lines.return(undefined),
      };
    },
  };
}

// A larger file shows its progress without an end in sight: a pass over it would cost more than it tells.
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

function isCountable(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= MAX_COUNTED_BYTES;
}

function countOf(items: () => Iterable<string | Line> | null): number | null {
  try {
    const counted = items();
    if (counted === null) return null;
    let count = 0;
    for (const item of counted) if (typeof item === 'string' || item.text.trim() !== '') count += 1;
    return count;
  } catch {
    return null;
  }
}

interface Line {
  text: string;
  line: number;
}

function* readLines(path: string, label: string): Generator<Line> {
  const fd = openRegular(path, label);
  try {
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(CHUNK);
    let rest = '';
    let line = 0;
    for (;;) {
      const count = readSync(fd, buffer, 0, CHUNK, null);
      const chunk = count === 0 ? decoder.end() : decoder.write(buffer.subarray(0, count));
      const parts = (rest + (line === 0 && rest === '' ? chunk.replace(/^\ufeff/, '') : chunk)).split('\n');
      rest = parts.pop() ?? '';
      for (const text of parts) {
        line += 1;
        yield { text, line };
      }
      if (rest.length > MAX_LINE) throw bad(`Line ${line + 1} of ${label} is longer than 1 MiB.`, 'Split the input.');
      if (count === 0) break;
    }
    if (rest !== '') yield { text: rest, line: line + 1 };
  } finally {
    closeSync(fd);
  }
}

function openRegular(path: string, label: string): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw bad(`${label} can't be read: ${reasonOf(error)}.`, 'Check the name of the file.');
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw bad(`${label} is not a regular file.`, 'Give a file with one JSON value per line.');
}

function parseLine({ text, line }: Line, label: string): unknown {
  if (text.length > MAX_LINE) throw bad(`Line ${line} of ${label} is longer than 1 MiB.`, 'Split the input.');
  if (nesting(text) > MAX_NESTING) throw bad(`Line ${line} of ${label} is nested too deeply.`, 'Make it flatter.');
  try {
    return JSON.parse(text);
  } catch {
    throw bad(`Line ${line} of ${label} is not valid JSON.`, 'Each line must hold one whole JSON value.');
  }
}

function nesting(text: string): number {
  let [depth, deepest] = [0, 0];
  let inText = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inText) {
      if (code === 92) i += 1;
      else if (code === 34) inText = false;
    } else if (code === 34) inText = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return deepest;
}

// The files that match, read one at a time; their paths are their keys.
export function globSource(root: string, glob: Glob, isExcluded: (path: string) => boolean): ListSource {
  const files = function* (): Generator<string> {
    for (const path of projectFiles(root, glob)) if (whyPrivate(path) === null && !isExcluded(path)) yield path;
  };
  return {
    get count() {
      return countOf(files);
    },
    open() {
      const paths = files();
      return {
        next() {
          const { done, value: path } = paths.next();
          return done ? null : { key: path, value: readWhole(root, path) };
        },
        close: () => void paths.return(undefined),
      };
    },
  };
}

const MOST_FOLDERS = 2_000;

/** Folders of a project, for who looks for the one that was meant. */
export function foldersOf(root: string): string[] {
  const found: string[] = [];
  for (let at = 0, open = ['']; open.length > 0 && found.length < MOST_FOLDERS && at < 4; at += 1) {
    open = open.flatMap((folder) => foldersIn(root, folder));
    found.push(...open);
  }
  return found.slice(0, MOST_FOLDERS);
}

function foldersIn(root: string, folder: string): string[] {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name));
    return names.map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
  } catch {
    return [];
  }
}

function readWhole(root: string, path: string): string {
  const file = readText(join(root, path), root);
  const shown = shownName(path, 200);
  if (file.status !== 'ok')
    throw bad(`${shown} can't be read${file.status === 'missing' ? '' : `: ${file.reason}`}.`, 'Narrow the pattern.');
  if (!file.value.valid) throw bad(`${shown} is not UTF-8 text.`, 'Narrow the pattern to text files.');
  if (file.value.text.length > MAX_FILE_CHARS) throw bad(`${shown} is larger than 4 MiB.`, 'Narrow the pattern.');
  return file.value.text;
}

function bad(message: string, hint: string): Error {
  return failure('input_validation_failure', message, hint);
}

const MAX_CHARS = 4 * 1024 * 1024;

// Files that a template names, whole and in its order. One that is not there ends the task: it was asked for by name.
export function readProjectFiles(
  project: string,
  paths: readonly string[],
  isExcluded: (path: string) => boolean = () => false,
): Fresh {
  const root = realPath(project) ?? project;
  const pieces: string[] = [];
  const matches: Match[] = [];
  const warnings: string[] = [];
  for (const path of paths) {
    const shown = shownName(path, 200);
    const refuse = (why: string) =>
      failure('context_retrieval_failure', `The file ${shown} ${why}.`, 'Check <file_paths> of the template.');
    const reason = whyNotPath(path);
    if (reason) throw refuse(reason);
    const full = join(root, path);
    // By what it leads to as well: a link has any name.
    const real = relative(root, realPath(full) ?? full).replaceAll(sep, '/');
    for (const name of [path, real]) {
      const why = whyPrivate(name) ?? (isExcluded(name) ? 'is left out of this project' : null);
      if (why ?? isIgnoredIn(root, name)) throw refuse(why ?? 'is ignored by git');
    }
    const file = readText(full, root);
    if (file.status === 'missing') throw refuse('is not there');
    if (file.status !== 'ok') throw refuse(`can't be read: ${file.reason}`);
    if (!file.value.valid || file.value.text.length > MAX_CHARS) throw refuse('is not UTF-8 text of at most 4 MiB');
    const { text, kinds } = cleanText(file.value.text);
    if (kinds.length > 0) warnings.push(redactedWarning(path, kinds));
    pieces.push(`${path}\n${text}${text.endsWith('\n') ? '' : '\n'}`);
    matches.push([path, { lines: ['all'], words: [] }]);
  }
  return { text: pieces.join('\n'), matches, ...(warnings.length > 0 ? { warnings } : {}) };
}
