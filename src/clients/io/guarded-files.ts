import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { codeOf } from '../../files/system-error.ts';
import { appendLine, atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseRecord } from '../../json.ts';

/** A file in a client's memory; its text is null where it is no plain text of a size that anybody reads. */
interface MemoryFileFound {
  path: string;
  text: string | null;
}

interface Moved {
  from: string;
  to: string;
}

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 500;
const MAX_DEPTH = 3;

export const guardFile = (home: string): string => join(home, 'guard.json');
const asideFolder = (home: string, client: string): string => join(home, 'guarded', client);

/** The clients whose memory is behind the gate. */
export function readGuards(home: string): string[] {
  const { clients } = parseRecord(textOf(guardFile(home)) ?? '') ?? {};
  return isRecord(clients) ? Object.keys(clients).filter((client) => clients[client] === true) : [];
}

/** Below `folder`, whose `*` is one of the names a client has for the project; without those that we wrote. */
export function memoryFilesIn(
  folder: string,
  names: readonly string[],
  mirrors: ReadonlyMap<string, string>,
): MemoryFileFound[] {
  const [before = '', after] = folder.split('*');
  const folders = after === undefined ? [folder] : [...new Set(names)].map((name) => `${before}${name}${after}`);
  return folders
    .flatMap((each) => below(each, MAX_DEPTH))
    .slice(0, MAX_FILES)
    .map((path) => ({ path, text: textOf(path) }))
    .filter(({ path, text }) => text === null || mirrors.get(path) !== sha256(text));
}

function below(folder: string, depth: number): string[] {
  // A link in place of the folder leads the client to text that nobody sees here: the link goes.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return [folder];
  if (depth === 0 || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return (
    readdirSync(folder, { withFileTypes: true })
      // A history that the client keeps of it (Codex) is no text that it reads back.
      .filter(({ name }) => name !== '.git')
      .flatMap((entry) =>
        entry.isDirectory() ? below(join(folder, entry.name), depth - 1) : [join(folder, entry.name)],
      )
  );
}

function textOf(path: string): string | null {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Into the home, with a record of where it was; the record comes first, so that a kill between loses nothing. */
export function moveAside(home: string, client: string, path: string, at: Date): void {
  const folder = asideFolder(home, client);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = at.toISOString().replace(/[^0-9T]/g, '');
  const to = join(folder, `${stamp}-${sha256(path).slice(0, 8)}-${basename(path)}`);
  appendLine(join(folder, 'moved.jsonl'), JSON.stringify({ from: path, to }), { mode: 0o600, scope: folder });
  move(path, to);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

/** Every file where it was; the oldest wins, since it is what the client had before. Mirrors of ours go first. */
export function putBack(home: string, client: string): number {
  const folder = asideFolder(home, client);
  for (const [path, hash] of mirrorsOf(home, client)) {
    const text = textOf(path);
    if (text !== null && sha256(text) === hash) rmSync(path);
  }
  const records = linesOf(join(folder, 'moved.jsonl')).filter((line): line is Moved & Record<string, unknown> => {
    return typeof line.from === 'string' && typeof line.to === 'string' && dirname(line.to) === folder;
  });
  let count = 0;
  for (const { from, to } of records) {
    if (lstatSync(from, { throwIfNoEntry: false }) || !lstatSync(to, { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(from), { recursive: true });
    move(to, from);
    count += 1;
  }
  return count;
}

/** Files that we wrote into a client's memory, and their hashes. */
export function mirrorsOf(home: string, client: string): Map<string, string> {
  const lines = linesOf(join(asideFolder(home, client), 'mirrors.jsonl'));
  return new Map(lines.map(({ path, hash }) => [String(path), String(hash)]));
}

export function writeMirror(home: string, client: string, path: string, text: string): void {
  const folder = asideFolder(home, client);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const line = JSON.stringify({ path, hash: sha256(text) });
  appendLine(join(folder, 'mirrors.jsonl'), line, { mode: 0o600, scope: folder });
  atomicWrite(path, text);
}

function linesOf(path: string): Record<string, unknown>[] {
  return (textOf(path) ?? '').split('\n').map((line) => parseRecord(line) ?? {});
}
