import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Glob } from '../glob.ts';
import { type IgnoreRule, isIgnored } from '../ignore-rules.ts';
import { rulesBelow } from './project-listing.ts';

// What no one means by "the project's files".
const LEFT_OUT = ['node_modules', '.git'];

// Paths in code point order, one folder at a time, without links and what .gitignore files name.
export function* projectFiles(
  root: string,
  glob: Glob,
  below = '',
  above: readonly IgnoreRule[] = [],
): Generator<string> {
  const rules = rulesBelow(root, below, above);
  const entries = entriesIn(join(root, below))
    .map((entry) => ({ entry, path: `${below}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { entry, path } of entries) {
    const name = below + entry.name;
    if (LEFT_OUT.includes(entry.name) || isIgnored(name, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) {
      if (glob.mayHold(name)) yield* projectFiles(root, glob, path, rules);
    } else if (entry.isFile() && glob.matches(name)) yield name;
  }
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
