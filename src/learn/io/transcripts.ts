import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dashed, projectNames } from '../../clients/io/client-locations.ts';
import { entriesIn, isInside, lstatOf, realPath } from '../../files/paths.ts';
import { gitRoot } from '../../settings/io/workspace-folders.ts';
import { type IsHere, READERS, type Turn } from '../person-turns.ts';

/** A transcript that a client keeps, or a history that lies in the project. */
export interface Transcript {
  client: string;
  form: keyof typeof READERS;
  path: string;
  size: number;
  changed: number;
  /** It lies in the project: the repository's words, whoever is named in them. */
  isRepositorys: boolean;
}

const MOST_FILES = 20_000;
const CHUNK = 1024 * 1024;
// A longer line holds a picture or a file: nobody types one.
const LONGEST_LINE = 1024 * 1024;

/** All that may hold turns of this project (`root`, in full), by the folders of the clients, the newest name last; links are not followed. */
export function listTranscripts(folders: Record<'root' | 'claude' | 'codex' | 'gemini', string>): Transcript[] {
  const { root, claude, codex, gemini } = folders;
  // Claude Code names a folder after the path it was started in, which may be below the project; each record says where it was made.
  const claudes = foldersIn(claude).filter((folder) => `${basename(folder)}-`.startsWith(`${dashed(root)}-`));
  const found = [
    ...claudes.flatMap((folder) => files('Claude Code', 'claude', folder, /\.jsonl$/)),
    ...foldersIn(codex)
      .flatMap(foldersIn)
      .flatMap(foldersIn)
      .flatMap((folder) => files('Codex', 'codex', folder, /^rollout-.*\.jsonl$/)),
    ...projectNames(root).flatMap((name) =>
      files('Gemini CLI', 'gemini', join(gemini, name, 'chats'), /^session-.*\.jsonl$/),
    ),
    ...files('SpecStory', 'specstory', join(root, '.specstory/history'), /\.md$/, true),
  ];
  return found.slice(0, MOST_FILES);
}

function files(
  client: string,
  form: Transcript['form'],
  folder: string,
  name: RegExp,
  isRepositorys = false,
): Transcript[] {
  // Of a folder that is a link only the project's own matters: a clone's link must not lead to another's histories.
  if (isRepositorys && realPath(folder) !== folder) return [];
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    const stat = entry.isFile() && name.test(entry.name) ? lstatOf(path) : undefined;
    return stat ? [{ client, form, path, size: stat.size, changed: stat.mtimeMs, isRepositorys }] : [];
  });
}

export function foldersIn(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

function opened(path: string): number | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch {
    // Gone since it was listed, or not ours to read.
  }
  return null;
}

/** The turns of one transcript, piece by piece: as much is in memory as one piece, whatever the size. */
export function* turnsOf(
  { path, form }: Transcript,
  root: string,
  onRead: (bytes: number) => void,
): Generator<Turn | null> {
  const reader = READERS[form](projectTest(root));
  const fd = opened(path);
  if (fd === null) return;
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer[] = [];
    let pending = 0;
    for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
      onRead(count);
      let from = 0;
      for (let end = buffer.indexOf(10); end !== -1 && end < count; end = buffer.indexOf(10, from)) {
        const piece = buffer.subarray(from, end);
        if (pending + piece.length <= LONGEST_LINE) yield reader.take(lineOf(rest, piece));
        [rest, pending, from] = [[], 0, end + 1];
      }
      pending += count - from;
      // What is longer than any line is dropped at once, up to its end.
      rest = pending <= LONGEST_LINE ? [...rest, Buffer.from(buffer.subarray(from, count))] : [];
      // So that whoever reads can stop here.
      yield null;
    }
    if (pending > 0 && pending <= LONGEST_LINE) yield reader.take(lineOf(rest, Buffer.alloc(0)));
    yield reader.end();
  } finally {
    closeSync(fd);
  }
}

/** Whether a folder is the project's; each is asked of the disk once. */
export function projectTest(root: string): IsHere {
  const known = new Map<string, boolean>();
  return (folder) => {
    const isHere = known.get(folder) ?? isOf(root, realPath(folder) ?? folder);
    known.set(folder, isHere);
    return isHere;
  };
}

// A repository inside of this one is another project; so is all that merely lies below a folder without git.
function isOf(root: string, folder: string): boolean {
  return folder === root || (isInside(root, folder) && gitRoot(folder) === root);
}

function lineOf(rest: readonly Buffer[], piece: Buffer): string {
  const text = rest.length === 0 ? piece.toString('utf8') : Buffer.concat([...rest, piece]).toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
