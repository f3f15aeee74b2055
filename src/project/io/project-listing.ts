import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodePoints, sortedByCodePoint } from '../../code-points.ts';
import { codeOf, reasonOf } from '../../errors.ts';
import { gitFolderOf } from '../../files/folders.ts';
import { entriesIn, isInside, lstatOf, realPath } from '../../files/paths.ts';
import { readText } from '../../files/read-file.ts';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../ignore-rules.ts';
import {
  type Glob,
  hasWildcard,
  lastStep,
  type Positions,
  pathExcluder,
  splitPattern,
  startOf,
  stepInto,
  stepsOf,
} from '../pattern.ts';
import { git } from './git.ts';

const ALWAYS_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);
const EVERY_FILE: Glob = { matches: () => true, mayHold: () => true };
// Names only: git compares no contents, so no filter of the repository's own settings can run.
const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'];

// Every file that git tracks or would track, by code point; without git all that no .gitignore file names.
export async function listProject(root: string): Promise<string[]> {
  const listed = gitFolderOf(root) === null ? null : await git(root, LIST);
  if (listed === null) return [...filesBelow(root)];
  const names = listed.toString('utf8').split('\0');
  names.pop();
  // What is in conflict is listed once for each side.
  return sortedByCodePoint(new Set(names));
}

/** Whether a .gitignore file of the project names a path, or a folder on its way. */
export function isIgnoredIn(root: string, path: string): boolean {
  const names = path.split('/');
  let rules: readonly IgnoreRule[] = [];
  return names.some((_, at) => {
    const folder = names
      .slice(0, at)
      .map((name) => `${name}/`)
      .join('');
    rules = rulesBelow(root, folder, rules);
    return isIgnored(names.slice(0, at + 1).join('/'), at < names.length - 1, rules);
  });
}

/** The rules of the folders above, and those of this one: its name ends with a `/`. */
function rulesBelow(root: string, folder: string, above: readonly IgnoreRule[]): readonly IgnoreRule[] {
  const own = readText(join(root, folder, '.gitignore'), root);
  return own.status === 'ok' ? [...above, ...parseIgnoreFile(own.value.text, folder)] : above;
}

// Paths in code point order, one folder at a time, without links and what .gitignore files name; folders only where the
// pattern may go on.
export function* filesBelow(
  root: string,
  glob: Glob = EVERY_FILE,
  folder = '',
  above: readonly IgnoreRule[] = [],
): Generator<string> {
  const rules = rulesBelow(root, folder, above);
  const entries = entriesIn(join(root, folder))
    .filter(({ name }) => !ALWAYS_OUT.has(name))
    .map((entry) => ({ entry, name: folder + entry.name, order: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => compareCodePoints(a.order, b.order));
  for (const { entry, name } of entries) {
    if (isIgnored(name, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) {
      if (glob.mayHold(name)) yield* filesBelow(root, glob, `${name}/`, rules);
    } else if (entry.isFile() && glob.matches(name)) yield name;
  }
}

// Files of a project that match a pattern. Only folders that can still lead to a match are listed, and no link to a
// folder is followed. Links, pipes and devices count as files here, so that whoever reads them can refuse them with a warning.
export function patternWalk(root: string, warn: (warning: string) => void) {
  // Many patterns look into the same folder.
  const listed = new Map<string, readonly Dirent[]>();
  const entriesOf = (folder: string): readonly Dirent[] => {
    const entries = listed.get(folder) ?? listFolder(root, folder, warn);
    listed.set(folder, entries);
    return entries;
  };

  const rules = new Map<string, readonly IgnoreRule[]>();
  const rulesIn = (folder: string): readonly IgnoreRule[] => {
    const above = folder === '' ? [] : rulesIn(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))));
    const found = rules.get(folder) ?? rulesBelow(root, folder === '' ? '' : `${folder}/`, above);
    rules.set(folder, found);
    return found;
  };

  // With `heedIgnored`, what the project's own .gitignore files name is not there: neither git nor the person's settings
  // are asked, so that every machine sees the same.
  return (pattern: string, exclude: readonly string[], { heedIgnored = false } = {}): string[] => {
    const { base, rest } = splitPattern(pattern);
    const place = lstatOf(join(root, base)) === undefined ? null : realPath(join(root, base));
    if (place === null) return [];
    if (!isInside(root, place)) {
      warn(`${base} is not searched: its link leads out of the project.`);
      return [];
    }
    const isExcluded = pathExcluder(exclude);
    if (base !== '' && isExcluded(base)) return [];
    if (!hasWildcard(rest)) {
      const stat = lstatOf(join(root, pattern));
      return stat !== undefined && !stat.isDirectory() && !isExcluded(pattern) ? [pattern] : [];
    }
    const steps = stepsOf(rest);
    const found: string[] = [];
    const open: { path: string; positions: Positions }[] = [{ path: base, positions: startOf(steps) }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const prefix = folder.path === '' ? '' : `${folder.path}/`;
      // What can end here, asked once a folder and not once a name.
      const fits = lastStep(steps, folder.positions);
      const ignoring = heedIgnored ? rulesIn(folder.path) : [];
      const isOut = (path: string, isFolder: boolean) =>
        isExcluded(path) || (ignoring.length > 0 && isIgnored(path, isFolder, ignoring));
      for (const entry of entriesOf(folder.path)) {
        const { name } = entry;
        const path = prefix + name;
        if (entry.isDirectory()) {
          const positions = name === '.git' ? [] : stepInto(steps, folder.positions, name);
          if (positions.length > 0 && !isOut(path, true)) open.push({ path, positions });
        } else if (fits?.(name) && !isOut(path, false)) found.push(path);
      }
    }
    return found;
  };
}

function listFolder(root: string, folder: string, warn: (warning: string) => void): readonly Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
      warn(`${folder || 'the project folder'} can't be listed: ${reasonOf(error)}.`);
    return [];
  }
}
