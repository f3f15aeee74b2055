import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gitSays } from './git.ts';

/** The folders of a work tree in which git looks for files, and the ignore files that it reads there. */
export interface SeenFolders {
  /** All that are not ignored, from the root, which is ''. */
  folders: string[];
  /** The ignored ones right below them. */
  ignored: string[];
  /** Ignore files in these folders and in those above the root, from the root. */
  ignoring: string[];
}

/** What was seen before under the same rules, and the folders that have their times still. */
interface Before extends SeenFolders {
  unchanged: ReadonlySet<string>;
}

// Beyond that, looking at each takes as long as git.
const MOST_FOLDERS = 10_000;
const [REPOSITORY, IGNORE_FILE] = ['.git', '.gitignore'];

// Folder by folder, level by level: git says which are ignored, and those are not entered. Null where there are too many,
// where another repository begins, where an ignore file is a link, or where one is new beside those known.
export async function seenFolders(root: string, before: Before | null): Promise<SeenFolders | null> {
  const known = before && { folders: byParent(before.folders), ignored: byParent(before.ignored) };
  const seen: SeenFolders = { folders: [], ignored: [], ignoring: before?.ignoring ?? ignoreFilesAbove(root) };
  try {
    for (let level = ['']; level.length > 0; ) {
      seen.folders.push(...level);
      const next: string[] = [];
      const asked: string[] = [];
      for (const folder of level) {
        const [folders, ignored] = [known?.folders.get(folder) ?? [], known?.ignored.get(folder) ?? []];
        if (before?.unchanged.has(folder)) {
          next.push(...folders);
          seen.ignored.push(...ignored);
          continue;
        }
        const entries = readdirSync(join(root, folder), { withFileTypes: true });
        const ignoring = entries.find(({ name }) => name === IGNORE_FILE);
        if (folder !== '' && entries.some(({ name }) => name === REPOSITORY)) return null;
        if (ignoring && !takesIgnoreFile(seen, before, { folder, ignoring })) return null;
        const [entered, left] = [new Set(folders), new Set(ignored)];
        for (const path of entries.filter(isFolder).map(({ name }) => joined(folder, name))) {
          if (entered.has(path)) next.push(path);
          else if (left.has(path)) seen.ignored.push(path);
          else asked.push(path);
        }
      }
      if (seen.folders.length + next.length + asked.length > MOST_FOLDERS) return null;
      const ignored = await ignoredOf(root, asked);
      if (ignored === null) return null;
      seen.ignored.push(...ignored);
      level = [...next, ...asked.filter((path) => !ignored.has(path))];
    }
  } catch {
    // A folder that is gone, or may not be read.
    return null;
  }
  return seen.ignoring.some((name) => isLink(join(root, name))) ? null : seen;
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== REPOSITORY;
}

function takesIgnoreFile(
  seen: SeenFolders,
  before: Before | null,
  { folder, ignoring }: { folder: string; ignoring: Dirent },
): boolean {
  const path = joined(folder, ignoring.name);
  if (ignoring.isDirectory()) return true;
  if (before) return before.ignoring.includes(path);
  seen.ignoring.push(path);
  return true;
}

// A pattern of a folder above counts as well, up to the top of the work tree, wherever that is.
function ignoreFilesAbove(root: string): string[] {
  const files: string[] = [];
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder))
    files.push(relative(root, join(dirname(folder), IGNORE_FILE)));
  return files;
}

async function ignoredOf(root: string, folders: readonly string[]): Promise<ReadonlySet<string> | null> {
  if (folders.length === 0) return new Set();
  // With the dot before it no name means more than itself.
  const said = await gitSays(root, ['check-ignore', '-z', '--stdin'], {
    input: folders.map((path) => `./${path}\0`).join(''),
  });
  // 1: none of them.
  if (said?.code !== 0 && said?.code !== 1) return null;
  const paths = said.printed.toString('utf8').split('\0').slice(0, -1);
  return new Set(paths.map((path) => path.slice(2)));
}

function byParent(names: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    if (name === '') continue;
    const parent = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    const group = groups.get(parent);
    if (group) group.push(name);
    else groups.set(parent, [name]);
  }
  return groups;
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
