import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../matching/ignore-rules.ts';
import { git } from './git.ts';
import { readText } from './read-text.ts';
import { sha256Of } from './sha256.ts';

/**
 * All files of a project at one instant. `tracked`: records as git prints them, where the content of an unchanged file is
 * known by its object id. `walked`: plain names. In both every record is ended by NUL.
 */
export interface ProjectScan {
  kind: 'tracked' | 'walked';
  records: Buffer;
  /** For each file that only its stat can tell: size, modified, changed, inode; all 0 for what is no plain file. */
  stats: Float64Array;
}

const NUMBERS = 4;
const ALWAYS_OUT = new Set(['.git', '.hg', '.svn', 'node_modules']);
const UNCHANGED = 'H'.charCodeAt(0);
const PLAIN_FILE = /^100\d{3} ([0-9a-f]+) \d\t/;
// A file changed this shortly before the scan may change again within the same tick of its clock.
const RACY_MS = 20;

// Git looks at a hundred thousand files faster than we can. But comparing contents may run a filter that the
// repository's own settings name: with such settings git only lists names, and every file is looked at here.
export async function scanProject(root: string): Promise<ProjectScan> {
  if (isPlainRepository(root)) {
    const records = await git(root, ['ls-files', '-z', '-v', '-s', '-c', '-o', '-m', '--exclude-standard', '--', '.']);
    if (records) return { kind: 'tracked', records, stats: statsOf(root, looseIn(records)) };
  }
  const listed = await git(root, ['ls-files', '-z', '-c', '-o', '--exclude-standard', '--', '.']);
  const records = listed ?? namesFromWalk(root);
  return { kind: 'walked', records, stats: statsOf(root, namesIn(records)) };
}

export function digestOf({ kind, records, stats }: ProjectScan): string {
  return sha256Of([kind, records, Buffer.from(stats.buffer, stats.byteOffset, stats.byteLength)]);
}

// Each plain file with what tells its content from another.
export function identitiesIn({ kind, records, stats }: ProjectScan, whole?: ProjectScan): Map<string, string> {
  const identities = new Map<string, string>();
  const loose = kind === 'tracked' ? looseIn(whole?.records ?? records) : namesIn(records);
  if (kind === 'tracked') {
    for (const record of namesIn(records)) {
      const known = PLAIN_FILE.exec(record.slice(2));
      if (record.startsWith('H ') && known) identities.set(record.slice(2 + known[0].length), known[1] as string);
    }
  }
  for (const [i, name] of loose.entries()) {
    const numbers = stats.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    if (numbers[3] === 0) identities.delete(name);
    else identities.set(name, numbers.join(' '));
  }
  return identities;
}

export interface Difference {
  changed: string[];
  gone: string[];
}

// From one scan to the next as a rule a handful of records differ: only the stretch around them is taken apart.
export function difference(kept: ProjectScan, scan: ProjectScan): Difference {
  const [before, now] =
    kept.kind === 'tracked' && scan.kind === 'tracked'
      ? stretches(kept, scan).map((records, i) =>
          identitiesIn({ ...(i === 0 ? kept : scan), records }, [kept, scan][i]),
        )
      : [identitiesIn(kept), identitiesIn(scan)];
  const [old, current] = [before as Map<string, string>, now as Map<string, string>];
  return {
    changed: [...current].filter(([name, identity]) => old.get(name) !== identity).map(([name]) => name),
    gone: [...old.keys()].filter((name) => !current.has(name)),
  };
}

// Both without the records they start and end with alike.
function stretches(a: ProjectScan, b: ProjectScan): Buffer[] {
  const [x, y] = [a.records, b.records];
  const shorter = Math.min(x.length, y.length);
  let start = 0;
  while (start + STEP <= shorter && x.compare(y, start, start + STEP, start, start + STEP) === 0) start += STEP;
  while (start < shorter && x[start] === y[start]) start += 1;
  // Two records more: a changed file is told by two, and only the second of them may differ.
  for (let back = 0; back < 3 && start > 0; back += 1) start = start < 2 ? 0 : x.lastIndexOf(0, start - 2) + 1;
  let end = 0;
  const most = shorter - start;
  while (end + STEP <= most && sameEnd(x, y, end + STEP)) end += STEP;
  while (end < most && x[x.length - 1 - end] === y[y.length - 1 - end]) end += 1;
  // The end they share starts with a whole record in both.
  const startsRecord = (records: Buffer): boolean => end === records.length || records[records.length - end - 1] === 0;
  if (end > 0 && !(startsRecord(x) && startsRecord(y))) end = x.length - (x.indexOf(0, x.length - end) + 1);
  return [x.subarray(start, x.length - end), y.subarray(start, y.length - end)];
}

const STEP = 4096;

function sameEnd(x: Buffer, y: Buffer, length: number): boolean {
  return x
    .subarray(x.length - length, x.length - length + STEP)
    .equals(y.subarray(y.length - length, y.length - length + STEP));
}

// What may still change within its clock's tick is kept with a time that never comes again.
export function settled(scan: ProjectScan, started: number): ProjectScan {
  const stats = scan.stats.slice();
  for (let i = 2; i < stats.length; i += NUMBERS) if ((stats[i] as number) > started - RACY_MS) stats[i] = -1;
  return { ...scan, stats };
}

function isPlainRepository(root: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    const config = join(folder, '.git', 'config');
    if (existsSync(config)) return !/filter|include|worktreeconfig/i.test(readFileSync(config, 'latin1'));
    if (folder === dirname(folder) || existsSync(join(folder, '.git'))) return false;
  }
}

// Untracked, changed and specially marked files.
function looseIn(records: Buffer): string[] {
  const loose = new Set<string>();
  for (let at = 0; at < records.length; ) {
    const end = records.indexOf(0, at);
    if (records[at] !== UNCHANGED) {
      const record = records.toString('utf8', at + 2, end);
      loose.add(record.replace(/^\d{6} [0-9a-f]+ \d\t/, ''));
    }
    at = end + 1;
  }
  return [...loose];
}

function statsOf(root: string, names: readonly string[]): Float64Array {
  const stats = new Float64Array(names.length * NUMBERS);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (let i = 0; i < names.length; i += 1) {
    const stat = lstatSync(prefix + names[i], { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    stats[i * NUMBERS] = stat.size;
    stats[i * NUMBERS + 1] = stat.mtimeMs;
    stats[i * NUMBERS + 2] = stat.ctimeMs;
    stats[i * NUMBERS + 3] = stat.ino;
  }
  return stats;
}

function namesIn(records: Buffer): string[] {
  const names = records.toString('utf8').split('\0');
  names.pop();
  return names;
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
