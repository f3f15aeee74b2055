import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../matching/ignore-rules.ts';
import { readText } from './read-text.ts';

export const ALWAYS_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** What an own walk found. */
interface Walk {
  /** Names, each ended by NUL. */
  records: Buffer;
  /** Folders that an ignore file leaves out. */
  out: string[];
}

export function namesFromWalk(root: string): Walk {
  const names: string[] = [];
  const out: string[] = [];
  const walk = (folder: string, above: readonly IgnoreRule[]): void => {
    const own = readText(join(root, folder, '.gitignore'), root);
    const rules = own.status === 'ok' ? [...above, ...parseIgnoreFile(own.value.text, folder)] : above;
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder + entry.name;
      if (ALWAYS_OUT.has(entry.name)) continue;
      if (isIgnored(path, entry.isDirectory(), rules)) {
        if (entry.isDirectory()) out.push(path);
      } else if (entry.isDirectory()) walk(`${path}/`, rules);
      else if (entry.isFile()) names.push(path);
    }
  };
  walk('', []);
  return { records: Buffer.from(names.map((name) => `${name}\0`).join('')), out };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
