import { randomUUID } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { lstatOf } from '../../files/paths.ts';
import { appendLine, atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseRecord } from '../../json.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 500;
const MAX_DEPTH = 3;
/** Begins what we write into a client's memory. */
export const MIRROR = '# Confirmed by the person (kept by Bearings; what is written here is proposed to them)\n\n';
type Mirrors = ReadonlyMap<string, ReadonlySet<string>>;

export const guardFile = (home: string): string => join(home, 'guard.json');
const asideFolder = (home: string, client: string): string => join(home, 'guarded', client);

/** The clients whose memory is behind the gate. */
export function readGuards(home: string): string[] {
  const { clients } = parseRecord(textOf(guardFile(home)) ?? '') ?? {};
  return isRecord(clients) ? Object.keys(clients).filter((client) => clients[client] === true) : [];
}

/** Where a client keeps its memory of a project: `*` is one of the names that it has for it. */
export function memoryFolders(folder: string, names: readonly string[]): string[] {
  const [before = '', after] = folder.split('*');
  return after === undefined ? [folder] : names.map((name) => `${before}${name}${after}`);
}

/** What lies below them, without what we wrote; the text is null where it is no plain text of a size that anybody reads. */
export function memoryFilesIn(folders: readonly string[], mirrors: Mirrors) {
  return folders
    .flatMap((each) => {
      const paths = below(each, MAX_DEPTH);
      if (paths.length <= MAX_FILES) return paths;
      // More than anybody decides on: its lists, then the folder as a whole.
      return [...paths.filter((path) => basename(path) === 'MEMORY.md').slice(0, MAX_FILES), each];
    })
    .map((path) => ({ path, text: textOf(path) }))
    .filter(({ path, text }) => text === null || !mirrors.get(path)?.has(sha256(text)));
}

function below(folder: string, depth: number): string[] {
  // A link in place of the folder leads the client to text that nobody sees here: the link goes.
  const stat = lstatOf(folder);
  if (stat?.isSymbolicLink()) return [folder];
  if (depth === 0 || !stat?.isDirectory()) return [];
  // One that can't be read goes as it is.
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === null) return [folder];
  return entries.flatMap((entry) => {
    // A history that the client keeps of it (Codex) is no text that it reads back.
    if (entry.name === '.git') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path, depth - 1) : [path];
  });
}

export function textOf(path: string): string | null {
  const stat = lstatOf(path);
  return stat?.isFile() && stat.size <= MAX_BYTES ? orNull(() => readFileSync(path, 'utf8')) : null;
}

/** Into the home, with a record of where it was; the record comes first, so that a kill between loses nothing. */
export function moveAside(home: string, client: string, path: string, at: Date, isOffered = true): string {
  const folder = asideFolder(home, client);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = at.toISOString().replace(/[^0-9T]/g, '');
  // No clock and no other session makes the same name again: nothing that was moved is written over.
  const to = join(folder, `${stamp}-${randomUUID().slice(0, 8)}-${basename(path)}`);
  appendLine(join(folder, 'moved.jsonl'), JSON.stringify({ from: path, to, ...(!isOffered && { left: true }) }), {
    mode: 0o600,
    scope: folder,
  });
  move(path, to);
  return to;
}

/** What was moved and is not, or not whole, before the person. */
export function leftAside(home: string, client: string): string[] {
  const lines = linesOf(join(asideFolder(home, client), 'moved.jsonl')).filter(({ left }) => left === true);
  return lines.map(({ to }) => String(to)).filter((path) => lstatOf(path));
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another session was faster.
    if (codeOf(error) === 'ENOENT') return;
    if (codeOf(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}

/** Every file where it was; the oldest wins, since it is what the client had before. Mirrors of ours go first. */
export function putBack(home: string, client: string, at: Date): void {
  const folder = asideFolder(home, client);
  for (const [path, hashes] of mirrorsOf(home, client)) {
    const text = textOf(path);
    if (text !== null && hashes.has(sha256(text))) rmSync(path);
    // What somebody wrote into it is kept, and not in the place of the client's own.
    else if (text?.startsWith(MIRROR)) moveAside(home, client, path, at);
  }
  const records = linesOf(join(folder, 'moved.jsonl')).filter(
    (line): line is { from: string; to: string } & Record<string, unknown> => {
      return typeof line.from === 'string' && typeof line.to === 'string' && dirname(line.to) === folder;
    },
  );
  for (const { from, to } of records) restore(to, from);
}

function restore(to: string, from: string): void {
  const [kept, now] = [to, from].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (kept?.isDirectory() && now?.isDirectory())
    for (const name of readdirSync(to)) restore(join(to, name), join(from, name));
  else if (kept && !now) {
    mkdirSync(dirname(from), { recursive: true });
    move(to, from);
  }
}

/** Files that we wrote into a client's memory, and the hashes of all that we wrote: one may have come before a kill. */
export function mirrorsOf(home: string, client: string): Map<string, Set<string>> {
  const mirrors = new Map<string, Set<string>>();
  // A list that was moved aside, and a kill before its mirror was there.
  for (const { from } of linesOf(join(asideFolder(home, client), 'moved.jsonl')))
    if (typeof from === 'string' && basename(from) === 'MEMORY.md') mirrors.set(from, new Set());
  for (const { path, hash } of linesOf(join(asideFolder(home, client), 'mirrors.jsonl')))
    if (typeof path === 'string') mirrors.set(path, (mirrors.get(path) ?? new Set()).add(String(hash)));
  return mirrors;
}

export function writeMirror(home: string, client: string, path: string, text: string): void {
  const folder = asideFolder(home, client);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const line = JSON.stringify({ path, hash: sha256(text) });
  appendLine(join(folder, 'mirrors.jsonl'), line, { mode: 0o600, scope: folder });
  // Written here and moved there: a kill leaves no draft among the client's files, and no link of theirs is followed.
  const draft = join(folder, `mirror-${randomUUID()}`);
  atomicWrite(draft, text, 0o600);
  mkdirSync(dirname(path), { recursive: true });
  move(draft, path);
}

function linesOf(path: string): Record<string, unknown>[] {
  return (textOf(path) ?? '').split('\n').map((line) => parseRecord(line) ?? {});
}
