import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../matching/ignore-rules.ts';
import { readText } from './read-text.ts';

const ALWAYS_OUT = new Set(['.git', '.hg', '.svn', 'node_modules']);

export function namesFromWalk(root: string): Buffer {
  const names: string[] = [];
  const walk = (folder: string, above: readonly IgnoreRule[]): void => {
    const own = readText(join(root, folder, '.gitignore'), root);
    const rules = own.status === 'ok' ? [...above, ...parseIgnoreFile(own.value.text, folder)] : above;
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder + entry.name;
      if (ALWAYS_OUT.has(entry.name) || isIgnored(path, entry.isDirectory(), rules)) continue;
      if (entry.isDirectory()) walk(`${path}/`, rules);
      else if (entry.isFile()) names.push(path);
    }
  };
  walk('', []);
  return Buffer.from(names.map((name) => `${name}\0`).join(''));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
