import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { orNull } from '../../errors.ts';
import { lstatOf } from '../../files/paths.ts';
import { readExact, readPlainFile } from '../../files/read-file.ts';

const LARGEST_BYTES = 1024 * 1024;

/** A folder that is gone when the work is done, also where the process is ended. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** The text of a file; null for what is large, binary or not there. */
export function readForBaseline(path: string): string | null {
  const bytes = orNull(() => readPlainFile(path));
  return !bytes || bytes.length > LARGEST_BYTES || bytes.subarray(0, 8000).includes(0) ? null : bytes.toString('utf8');
}

// From one project into a tree that others wrote: a link of theirs on the way is replaced, never followed.
export function copyInto(tree: string, path: string, from: { project: string; path: string }): void {
  const read = readExact(join(from.project, from.path), from.project);
  if (read.status !== 'ok') return;
  const names = path.split('/');
  for (const at of names.keys()) {
    const way = join(tree, ...names.slice(0, at + 1));
    if (at === names.length - 1 || !lstatOf(way)?.isDirectory()) rmSync(way, { recursive: true, force: true });
  }
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), read.value.text, { mode: 0o600 });
}
