import { basename, join } from 'node:path';
import { dashed, projectNames } from '../../clients/io/client-locations.ts';
import { orNull } from '../../errors.ts';
import { entriesIn, isInside, lstatOf, realPath } from '../../files/paths.ts';
import { readPlainFile } from '../../files/read-file.ts';
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
// A longer line holds a picture or a file: nobody types one.
const LONGEST_LINE = 1024 * 1024;
// What is larger is not read: it would have to be in memory as a whole.
const MOST_BYTES = 512 * 1024 * 1024;

/** All that may hold turns of this project (`root`, in full), by the folders of the clients, the newest name last; links are not followed. */
export function listTranscripts(folders: Record<'root' | 'claude' | 'codex' | 'gemini', string>): Transcript[] {
  const { root, claude, codex, gemini } = folders;
  // Claude Code names a folder after the path it was started in, which may be below the project; each record says where it was made.
  const claudes = foldersIn(claude).filter((folder) => `${basename(folder)}-`.startsWith(`${dashed(root)}-`));
  const days = foldersIn(codex).flatMap(foldersIn).flatMap(foldersIn);
  const history = join(root, '.specstory/history');
  const found = [
    ...claudes.flatMap((folder) => files('Claude Code', 'claude', folder, /\.jsonl$/)),
    ...days.flatMap((folder) => files('Codex', 'codex', folder, /^rollout-.*\.jsonl$/)),
    ...projectNames(root).flatMap((name) =>
      files('Gemini CLI', 'gemini', join(gemini, name, 'chats'), /^session-.*\.jsonl$/),
    ),
    // A clone's link must not lead to another's histories.
    ...(realPath(history) === history ? files('SpecStory', 'specstory', history, /\.md$/) : []),
  ];
  return found.slice(0, MOST_FILES);
}

function files(client: string, form: Transcript['form'], folder: string, name: RegExp): Transcript[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    const stat = entry.isFile() && name.test(entry.name) ? lstatOf(path) : undefined;
    const isRepositorys = form === 'specstory';
    return stat ? [{ client, form, path, size: stat.size, changed: stat.mtimeMs, isRepositorys }] : [];
  });
}

export function foldersIn(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

/** Line by line, so that no text of the whole is made. */
export function turnsOf({ path, form, size }: Transcript, isHere: IsHere): Turn[] {
  const reader = READERS[form](isHere);
  const bytes = size > MOST_BYTES ? null : orNull(() => readPlainFile(path));
  if (bytes === null) return [];
  const turns: (Turn | null)[] = [];
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    const end = feed === -1 ? bytes.length : feed;
    if (end - from <= LONGEST_LINE) turns.push(reader.take(bytes.toString('utf8', from, end).replace(/\r$/, '')));
    from = end + 1;
  }
  return [...turns, reader.end()].filter((turn) => turn !== null);
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
