import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodePoints, sortedByCodePoint } from '../../code-point-order.ts';
import { gitFolderOf } from '../../files/git-folder.ts';
import { readText } from '../../files/read-text.ts';
import type { Glob } from '../glob.ts';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../ignore-rules.ts';
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
export function rulesBelow(root: string, folder: string, above: readonly IgnoreRule[]): readonly IgnoreRule[] {
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
  const entries = entriesOf(join(root, folder))
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

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
