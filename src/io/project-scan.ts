import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../matching/ignore-rules.ts';
import { git } from './git.ts';
import { readText } from './read-text.ts';

/** All files of a project at one instant: names, each ended by NUL, and four numbers for each. */
export interface ProjectScan {
  names: Buffer;
  /** Size, modified, changed, inode; all 0 for what is no plain file. */
  stats: Float64Array;
}

export const NUMBERS = 4;
const ALWAYS_OUT = new Set(['.git', '.hg', '.svn', 'node_modules']);

// Names come from git where it knows the folder, else from a walk that honours .gitignore files the same way.
export async function scanProject(root: string): Promise<ProjectScan> {
  const names = (await namesFromGit(root)) ?? namesFromWalk(root);
  const list = namesIn(names);
  const stats = new Float64Array(list.length * NUMBERS);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (let i = 0; i < list.length; i += 1) {
    const stat = lstatSync(prefix + list[i], { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    stats[i * NUMBERS] = stat.size;
    stats[i * NUMBERS + 1] = stat.mtimeMs;
    stats[i * NUMBERS + 2] = stat.ctimeMs;
    stats[i * NUMBERS + 3] = stat.ino;
  }
  return { names, stats };
}

export function namesIn(names: Buffer): string[] {
  const list = names.toString('utf8').split('\0');
  list.pop();
  return list;
}

async function namesFromGit(root: string): Promise<Buffer | null> {
  return git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.']);
}

function namesFromWalk(root: string): Buffer {
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
