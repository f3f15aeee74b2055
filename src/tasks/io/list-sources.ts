import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { realPath } from '../../files/paths.ts';
import { readText } from '../../files/read-file.ts';
import { reasonOf } from '../../files/system-error.ts';
import { whyPrivate } from '../../matching/text/paths.ts';
import { filesBelow, isIgnoredIn } from '../../project/io/project-listing.ts';
import type { Glob } from '../../project/pattern.ts';
import { shownName, whyNotPath } from '../../safety/hidden-characters.ts';
import type { ListSource } from '../inputs.ts';
import { badInput, failure } from '../results.ts';
import type { Fresh, Match } from '../steps.ts';
import { cleanText, redactedWarning } from '../text.ts';
import { linesIn } from './run-files.ts';

const MAX_LINE = 1024 * 1024;
const MAX_NESTING = 100;
const MAX_FILE_CHARS = 4 * 1024 * 1024;
// A larger file shows its progress without an end in sight: a pass over it would cost more than it tells.
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

export function jsonlSource(path: string, label: string): ListSource {
  const lines = function* (): Generator<{ text: string; line: number }> {
    const fd = openRegular(path, label);
    try {
      let line = 0;
      for (const { bytes } of linesIn(fd, MAX_LINE)) {
        line += 1;
        if (bytes.length > MAX_LINE)
          throw badInput(`Line ${line} of ${label} is longer than 1 MiB.`, 'Split the input.');
        const text = bytes.toString('utf8').replace(line === 1 ? /^\ufeff/ : '', '');
        if (text.trim() !== '') yield { text, line };
      }
    } finally {
      closeSync(fd);
    }
  };
  return {
    get count() {
      const isCountable = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= MAX_COUNTED_BYTES;
      return isCountable ? countOf(lines()) : null;
    },
    *open() {
      for (const { text, line } of lines())
        yield { key: `${label}:${line}`, value: parseLine(text, `Line ${line} of ${label}`) };
    },
  };
}

// What can't be read counts with how far it could.
export async function listHash(source: ListSource): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const { key, value } of source.open()) hash.update(JSON.stringify([key, value]));
  } catch (error) {
    hash.update(String(error));
  }
  return hash.digest('hex');
}

function countOf(items: Iterable<unknown>): number | null {
  try {
    let count = 0;
    for (const _ of items) count += 1;
    return count;
  } catch {
    return null;
  }
}

function openRegular(path: string, label: string): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw badInput(`${label} can't be read: ${reasonOf(error)}.`, 'Check the name of the file.');
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw badInput(`${label} is not a regular file.`, 'Give a file with one JSON value per line.');
}

function parseLine(text: string, where: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badInput(`${where} is not valid JSON.`, 'Each line must hold one whole JSON value.');
  }
  if (isDeeper(value, MAX_NESTING)) throw badInput(`${where} is nested too deeply.`, 'Make it flatter.');
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

// The files that match, read one at a time; their paths are their keys.
export function globSource(root: string, glob: Glob, isExcluded: (path: string) => boolean): ListSource {
  const files = function* (): Generator<string> {
    for (const path of filesBelow(root, glob)) if (whyPrivate(path) === null && !isExcluded(path)) yield path;
  };
  return {
    get count() {
      return countOf(files());
    },
    *open() {
      for (const path of files()) {
        const read = readWholeText(root, path);
        if (!('text' in read))
          throw badInput(`${shownName(path, 200)} ${read.reason}.`, 'Narrow the pattern to text files.');
        yield { key: path, value: read.text };
      }
    },
  };
}

function readWholeText(root: string, path: string): { text: string } | { reason: string } {
  const file = readText(join(root, path), root);
  if (file.status !== 'ok')
    return { reason: file.status === 'missing' ? 'is not there' : `can't be read: ${file.reason}` };
  const { valid, text } = file.value;
  return valid && text.length <= MAX_FILE_CHARS ? { text } : { reason: 'is not UTF-8 text of at most 4 MiB' };
}

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
    const notPath = whyNotPath(path);
    if (notPath) throw refuse(notPath);
    const full = join(root, path);
    // By what it leads to as well: a link has any name.
    const real = relative(root, realPath(full) ?? full).replaceAll(sep, '/');
    for (const name of [path, real]) {
      const why = whyPrivate(name) ?? (isExcluded(name) ? 'is left out of this project' : null);
      if (why ?? isIgnoredIn(root, name)) throw refuse(why ?? 'is ignored by git');
    }
    const read = readWholeText(root, path);
    if ('reason' in read) throw refuse(read.reason);
    const { text, kinds } = cleanText(read.text);
    if (kinds.length > 0) warnings.push(redactedWarning(path, kinds));
    pieces.push(`${path}\n${text}${text.endsWith('\n') ? '' : '\n'}`);
    matches.push([path, { lines: ['all'], words: [] }]);
  }
  return { text: pieces.join('\n'), matches, ...(warnings.length > 0 ? { warnings } : {}) };
}
