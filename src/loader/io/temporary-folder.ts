import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { orNull } from '../../errors.ts';
import { gitFolderOf } from '../../files/folders.ts';
import { lstatOf } from '../../files/paths.ts';
import { readExact, readPlainFile } from '../../files/read-file.ts';
import { programVariables, runToEnd } from '../../files/run-program.ts';
import type { AppContext } from '../../settings/app-context.ts';

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

// Git writes some 100 bytes for each file: a repository of more than about 5,000 is not measured within two seconds.
const MOST_INDEX_BYTES = 512 * 1024;

/**
 * `bearings eval` of the newest commit that can be measured, as JSON; null where that is not there by the signal. It is a
 * process of its own, which is ended then whatever it does, and whose files go with it.
 */
export function evaluateLastCommit(app: AppContext, root: string, signal: AbortSignal): Promise<string | null> {
  const index = join(gitFolderOf(root)?.own ?? root, 'index');
  const bytes = statSync(index, { throwIfNoEntry: false })?.size ?? 0;
  const main = process.argv[1];
  if (bytes === 0 || bytes > MOST_INDEX_BYTES || main === undefined) return Promise.resolve(null);
  return inTemporaryFolder(async (folder) => {
    const { cut, startFault, code, output } = await runToEnd(
      {
        command: [process.execPath, main, ...'eval --commits 1 --no-baselines --json --home'.split(' '), app.home],
        cwd: root,
        variables: { ...programVariables([], app.variables, root), TMPDIR: folder, TEMP: folder, TMP: folder },
      },
      { signal },
    );
    return cut === null && startFault === null && code === 0 ? output.toString('utf8') : null;
  });
}
