import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { staysInside } from '../../files/path-scope.ts';
import type { Glob } from '../glob.ts';

// What no one means by "the project's files"; a pattern that names the folder itself still reaches it.
const LEFT_OUT = ['node_modules'];

// Paths in code point order, one folder at a time; links to folders are not followed, links out are not there.
export function* projectFiles(root: string, glob: Glob, below = ''): Generator<string> {
  const entries = listFolder(join(root, below))
    .filter((entry) => entry.name !== '.git')
    .map((entry) => ({ entry, order: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const { entry } of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!LEFT_OUT.includes(entry.name) && glob.mayHold(path)) yield* projectFiles(root, glob, path);
    } else if (glob.matches(path) && isUsable(entry, join(root, path), root)) yield path;
  }
}

function isUsable(entry: Dirent, path: string, root: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && staysInside(root, path));
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
