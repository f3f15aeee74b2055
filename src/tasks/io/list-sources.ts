import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { orNull, reasonOf } from '../../errors.ts';
import { realPath } from '../../files/paths.ts';
import { type FileResult, openPlain, readText } from '../../files/read-file.ts';
import { isTooDeep } from '../../json.ts';
import { whyPrivate } from '../../matching/text/paths.ts';
import { openProject } from '../../project/io/open-project.ts';
import { filesBelow } from '../../project/io/project-listing.ts';
import type { Glob } from '../../project/pattern.ts';
import { shownName, whyNotPath } from '../../safety/hidden-characters.ts';
import type { ListSource } from '../inputs.ts';
import { badInput, failure } from '../results.ts';
import type { Fresh, Match } from '../steps.ts';
import { cleanText, redactedWarning } from '../text.ts';
import { linesIn } from './run-files.ts';

const MAX_LINE = 1024 * 1024;
const MAX_FILE_CHARS = 4 * 1024 * 1024;

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
      return countOf(lines());
    },
    *open() {
      for (const { text, line } of lines())
        yield { key: `${label}:${line}`, value: parseLine(text, `Line ${line} of ${label}`) };
    },
  };
}

function countOf(items: Iterable<unknown>): number | null {
  return orNull(() => {
    let count = 0;
    for (const _ of items) count += 1;
    return count;
  });
}

function openRegular(path: string, label: string): number {
  try {
    return openPlain(path);
  } catch (error) {
    throw badInput(`${label} can't be read: ${reasonOf(error)}.`, 'Give a file with one JSON value per line.');
  }
}

function parseLine(text: string, where: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badInput(`${where} is not valid JSON.`, 'Each line must hold one whole JSON value.');
  }
  if (isTooDeep(value)) throw badInput(`${where} is nested too deeply.`, 'Make it flatter.');
  return value;
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
        const { text, fault } = wholeText(readText(join(root, path), root));
        if (fault) throw badInput(`${shownName(path, 200)} ${fault}.`, 'Narrow the pattern to text files.');
        yield { key: path, value: text };
      }
    },
  };
}

/** `fault`: why it can't be taken whole. */
function wholeText(file: FileResult<{ text: string; valid: boolean; whole?: boolean }>): {
  text: string;
  fault?: string;
} {
  if (file.status === 'missing') return { text: '', fault: 'is not there' };
  if (file.status !== 'ok') return { text: '', fault: `can't be read: ${file.reason}` };
  const { text, valid, whole = true } = file.value;
  return valid && whole && text.length <= MAX_FILE_CHARS
    ? { text }
    : { text: '', fault: 'is not UTF-8 text of at most 4 MiB' };
}

// Files that a template names, whole and in its order. One that is not there ends the task: it was asked for by name. `own`: folders
// of the product itself.
export function readProjectFiles(project: string, paths: readonly string[], own: readonly string[] = []): Fresh {
  const files = openProject(realPath(project) ?? project, { exclude: [], own, heedIgnored: true });
  const pieces: string[] = [];
  const matches: Match[] = [];
  const warnings: string[] = [];
  for (const path of paths) {
    const notPath = whyNotPath(path);
    const { text: whole, fault } = notPath ? { text: '', fault: notPath } : wholeText(files.read(path, MAX_FILE_CHARS));
    if (fault) {
      const message = `The file ${shownName(path, 200)} ${fault}.`;
      throw failure('context_retrieval_failure', message, 'Check <file_paths> of the template.');
    }
    const { text, kinds } = cleanText(whole);
    if (kinds.length > 0) warnings.push(redactedWarning(path, kinds));
    pieces.push(`${path}\n${text}${text.endsWith('\n') ? '' : '\n'}`);
    matches.push([path, { lines: ['all'], words: [] }]);
  }
  return { text: pieces.join('\n'), matches, ...(warnings.length > 0 ? { warnings } : {}) };
}
