import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { mayChangeUnseen } from './clock-tick.ts';
import { ALWAYS_OUT } from './project-walk.ts';

/** Everything below a folder with its times, inode and size, told by one text: the same text is the same state. */
export interface FolderListing {
  sha256: string;
  /** False: something changed so shortly before that it may change again unseen. */
  isSettled(): boolean;
}

const MOST_FINDERS = 4;
// More arguments than a system takes.
const MOST_FOLDERS = 1_000;
const MOST_OUT = 200;
// When it changed comes first: that alone is ever read again.
const RECORD = '%C@ %T@ %i %s %y %p\\0';

// By the system's own `find`, one on each processor: it looks at a hundred thousand files while JavaScript looks at ten
// thousand. Null where it does not know `-printf`, or could not look everywhere.
export async function listFolder(root: string, { out }: { out: readonly string[] }): Promise<FolderListing | null> {
  const started = Date.now();
  const groups = groupsIn(root);
  if (groups === null || out.length > MOST_OUT) return null;
  const leaving = [
    ...[...ALWAYS_OUT].flatMap((name) => ['-o', '-name', name]),
    ...out.flatMap((path) => ['-o', '-path', escaped(`./${path}`)]),
  ].slice(1);
  const deep = ['(', ...leaving, ')', '-prune', '-o', '-printf', RECORD];
  const found = await Promise.all([
    find(root, ['.', '-maxdepth', '1', '-printf', RECORD]),
    ...groups.map((folders) => find(root, [...folders, ...deep])),
  ]);
  if (found.includes(null)) return null;
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const text of found) hash.update(text as Buffer);
  return { sha256: hash.digest('hex'), isSettled: () => found.every((text) => isSettled(text as Buffer, started)) };
}

// The folders at the top in as many groups as there are processors; null where there are too many to name.
function groupsIn(root: string): string[][] | null {
  try {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !ALWAYS_OUT.has(entry.name))
      .map(({ name }) => `./${name}`)
      .sort();
    if (folders.length > MOST_FOLDERS) return null;
    const count = Math.min(MOST_FINDERS, availableParallelism(), folders.length);
    return Array.from({ length: count }, (_, n) => folders.filter((_, at) => at % count === n));
  } catch {
    return null;
  }
}

// Signs that mean more than themselves in a pattern of `find`.
function escaped(path: string): string {
  return path.replace(/[*?[\]\\]/g, '\\$&');
}

// What it printed; null unless it ended well.
function find(root: string, args: readonly string[]): Promise<Buffer | null> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const child = spawn('find', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : null));
  });
}

function isSettled(text: Buffer, started: number): boolean {
  for (let at = 0; at < text.length; at = text.indexOf(0, at) + 1) {
    const seconds = Number(text.toString('latin1', at, text.indexOf(32, at)));
    if (mayChangeUnseen(seconds * 1_000, started)) return false;
  }
  return true;
}
