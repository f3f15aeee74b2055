import { invalidInput, notFound } from '../errors.ts';
import { findHiddenCharacter, foldedName, whyNotTasteName } from '../safety/hidden-characters.ts';

/** The six commands of the file-based memory tool, as models send them. */
export type MemoryCommand =
  | { command: 'view'; path: string; view_range?: readonly number[] | undefined }
  | { command: 'create'; path: string; file_text: string }
  | { command: 'str_replace'; path: string; old_str: string; new_str: string }
  | { command: 'insert'; path: string; insert_line: number; insert_text: string }
  | { command: 'delete'; path: string }
  | { command: 'rename'; old_path: string; new_path: string };

export interface MemoryFile {
  text: string;
  /** It holds what the person has not decided on yet. */
  pending: boolean;
  /** When it was decided on last. */
  at?: string | undefined;
}

/** Files by their path below the root, without a slash in front. */
export type MemoryFiles = ReadonlyMap<string, MemoryFile>;

export interface Change {
  path: string;
  /** Null: the file goes. */
  text: string | null;
}

export const ROOT = '/memories';
const MAX_PATH = 200;
const LINE_NUMBER_WIDTH = 6;
const SNIPPET_LINES = 2;
const WAITS = 'It waits for the person; this session sees it already.';

/** What a command says, and what it changes. */
export function runCommand(files: MemoryFiles, command: MemoryCommand): { text: string; changes: Change[] } {
  switch (command?.command) {
    case 'view':
      return { text: view(files, command.path, command.view_range), changes: [] };
    case 'create': {
      const path = filePath(command.path);
      if (isTaken(files, path))
        throw invalidInput(`File ${command.path} already exists.`, 'Change it with str_replace.');
      const text = textOf(command.file_text, 'file_text');
      return { text: `File created successfully at: ${command.path}. ${WAITS}`, changes: [{ path, text }] };
    }
    case 'str_replace':
      return replaceText(files, command);
    case 'insert': {
      const path = filePath(command.path);
      const lines = textAt(files, path, command.path).split('\n');
      const at = command.insert_line;
      if (!Number.isInteger(at) || at < 0 || at > lines.length)
        throw invalidInput(`insert_line must be a whole number from 0 to ${lines.length}.`, 'View the file first.');
      lines.splice(at, 0, textOf(command.insert_text, 'insert_text').replace(/\n$/, ''));
      const text = lines.join('\n');
      return { text: `The file ${command.path} has been edited. ${WAITS}`, changes: [{ path, text }] };
    }
    case 'delete': {
      const gone = filesAt(files, filePath(command.path), command.path);
      const changes = gone.map((path) => ({ path, text: null }));
      return { text: `Successfully deleted ${command.path}. ${WAITS}`, changes };
    }
    case 'rename': {
      const [from, to] = [filePath(command.old_path), filePath(command.new_path)];
      const moved = filesAt(files, from, command.old_path);
      if (to.startsWith(`${from}/`))
        throw invalidInput('A folder cannot be moved into itself.', 'Choose another new_path.');
      if (isTaken(files, to))
        throw invalidInput(`The destination ${command.new_path} already exists.`, 'Choose another.');
      const changes = moved.flatMap((path) => [
        { path, text: null },
        { path: filePath(`${ROOT}/${to}${path.slice(from.length)}`), text: files.get(path)?.text ?? '' },
      ]);
      return { text: `Successfully renamed ${command.old_path} to ${command.new_path}. ${WAITS}`, changes };
    }
    default:
      throw invalidInput(
        'command must be one of view, create, str_replace, insert, delete, rename.',
        'Send one of these.',
      );
  }
}

/** What makes the file at a path hold this text, whatever it held before; null: it goes. */
export function changesTo(files: MemoryFiles, path: string, text: string | null): Change[] {
  const inner = filePath(path);
  const before = files.get(inner)?.text ?? null;
  if (before === null && text !== null && isTaken(files, inner))
    throw invalidInput(`${path} is a folder, or lies below a file.`, 'Choose another name.');
  return text === before ? [] : [{ path: inner, text: text === null ? null : textOf(text, 'The text') }];
}

/** The path below the root; '' for the root itself. Names end up in a person's notes, so they are plain. */
function pathBelowRoot(path: unknown): string {
  if (typeof path !== 'string' || !(path === ROOT || path.startsWith(`${ROOT}/`)))
    throw invalidInput(`A path must begin with ${ROOT}/.`, `For example: ${ROOT}/notes.md`);
  const inner = path.slice(ROOT.length + 1).replace(/\/$/, '');
  const isPlain = (name: string) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.+@= -]*$/u.test(name) && !/[. ]$/.test(name);
  if (inner.length > MAX_PATH || (inner !== '' && !inner.split('/').every(isPlain)))
    throw invalidInput(
      'A path below /memories has plain names only: letters, digits, and . _ - + @ = inside.',
      `For example: ${ROOT}/progress.md`,
    );
  return inner;
}

function filePath(path: unknown): string {
  const inner = pathBelowRoot(path);
  if (inner === '')
    throw invalidInput(`${ROOT} itself cannot be changed.`, `Name a file, for example ${ROOT}/notes.md`);
  // A person would take it for another one: by its letters, or in place of the folder or file of that name.
  const [first = '', ...below] = inner.split('/');
  const alike = [first, ...below].map((name) => whyNotTasteName(name)).find((reason) => reason !== null);
  if (alike) throw invalidInput(`${path} has a name that ${alike}.`, 'Choose another name.');
  const own = ['notes.md', 'tastes', 'store'].find((name) => foldedName(name) === foldedName(first));
  if (own !== undefined && (first !== own || (own !== 'notes.md') !== below.length > 0))
    throw invalidInput(`${path} would be taken for ${ROOT}/${own}.`, 'Choose another name.');
  if (/^tastes\/.*\//.test(inner))
    throw invalidInput('Tastes have no folders.', `Name a file in ${ROOT}/tastes, for example ${ROOT}/tastes/style.md`);
  return inner;
}

function textOf(text: unknown, field: string): string {
  if (typeof text !== 'string') throw invalidInput(`${field} must be text.`, 'Send a string.');
  if (findHiddenCharacter(text))
    throw invalidInput(`${field} holds a character that a person could not see.`, 'Send it without.');
  return text;
}

function isTaken(files: MemoryFiles, path: string): boolean {
  return [...files.keys()].some((file) => `${file}/`.startsWith(`${path}/`) || path.startsWith(`${file}/`));
}

function missing(shown: string) {
  return notFound(`The path ${shown} does not exist.`, `See what there is: view ${ROOT}`);
}

function textAt(files: MemoryFiles, path: string, shown: string): string {
  const file = files.get(path);
  if (!file) throw missing(shown);
  return file.text;
}

/** The file at a path, or all files of a folder. */
function filesAt(files: MemoryFiles, path: string, shown: string): string[] {
  const inside = [...files.keys()].filter((file) => `${file}/`.startsWith(`${path}/`));
  if (inside.length === 0) throw missing(shown);
  return inside;
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${String(first + at).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join('\n');
}

function view(files: MemoryFiles, shown: string, range: readonly number[] | undefined): string {
  const path = pathBelowRoot(shown);
  const file = files.get(path);
  if (!file) return listing(files, path, shown);
  const lines = file.text.split('\n');
  const [from = 1, to = -1] = Array.isArray(range) ? range : [];
  if ((range && !Array.isArray(range)) || ![from, to].every(Number.isInteger))
    throw invalidInput('view_range is two whole numbers.', 'For example: [1, 40]; -1 is the last line.');
  const first = Math.max(1, from);
  const part = lines.slice(first - 1, to === -1 ? undefined : to);
  const waits = file.pending ? ' (pending: the person has not decided on all of it)' : '';
  return `Here's the content of ${shown} with line numbers${waits}:\n${numbered(part, first)}`;
}

// Two levels, folders with the sum of what is in them.
function listing(files: MemoryFiles, path: string, shown: string): string {
  const prefix = path === '' ? '' : `${path}/`;
  const inside = [...files].filter(([file]) => file.startsWith(prefix));
  if (inside.length === 0 && path !== '') throw missing(shown);
  const entries = new Map([['', { bytes: 0, pending: false }]]);
  for (const [file, { text, pending }] of inside) {
    const [folder = '', ...names] = file.slice(prefix.length).split(/(?<=\/)/);
    const second = names[0] === undefined ? [] : [`${folder}${names[0]}`];
    for (const name of ['', folder, ...second]) {
      const sum = entries.get(name) ?? { bytes: 0, pending: false };
      entries.set(name, { bytes: sum.bytes + Buffer.byteLength(text), pending: sum.pending || pending });
    }
  }
  const [all, ...rows] = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `Here're the files and directories up to 2 levels deep in ${shown}:`,
    `${size(all?.[1].bytes ?? 0)}\t${shown}`,
    ...rows.map(
      ([name, { bytes, pending }]) => `${size(bytes)}\t${ROOT}/${prefix}${name}${pending ? ' (pending)' : ''}`,
    ),
  ].join('\n');
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
}

function replaceText(files: MemoryFiles, command: Extract<MemoryCommand, { command: 'str_replace' }>) {
  const path = filePath(command.path);
  const text = textAt(files, path, command.path);
  const [before, ...after] = command.old_str === '' ? [] : text.split(command.old_str);
  if (before === undefined || after.length === 0)
    throw invalidInput(`old_str does not appear in ${command.path}.`, 'Copy it exactly as it is there.');
  if (after.length > 1)
    throw invalidInput(
      `old_str appears ${after.length} times in ${command.path}.`,
      'Take more lines so that it is unique.',
    );
  const changed = before + textOf(command.new_str, 'new_str') + after[0];
  const at = before.split('\n').length - 1;
  const from = Math.max(0, at - SNIPPET_LINES);
  const snippet = numbered(changed.split('\n').slice(from, at + SNIPPET_LINES + 1), from + 1);
  return { text: `The memory file has been edited. ${WAITS}\n${snippet}`, changes: [{ path, text: changed }] };
}
