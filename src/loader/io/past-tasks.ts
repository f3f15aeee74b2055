import { statSync } from 'node:fs';
import { join } from 'node:path';
import { invalidInput, notFound } from '../../errors.ts';
import { gitFolderOf } from '../../files/folders.ts';
import { readText } from '../../files/read-file.ts';
import { programVariables, runToEnd } from '../../files/run-program.ts';
import { isRecord, parseJson } from '../../json.ts';
import { cutTask } from '../../matching/query.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

/** What was asked for, such as an issue's text, and the commit that did it. */
export interface PastTask {
  commit: string;
  task: string;
  /** The change, where no commit did it: `commit` is then the state before. */
  patch?: string;
}

const EXAMPLE = '{"commit": "1a2b3c4", "task": "Cookies with a dot are lost"}';

/** A file with one on each line. */
export function readPastTasks(path: string): PastTask[] {
  const file = readText(path, null);
  if (file.status === 'missing')
    throw notFound('There is no such file of tasks.', `It has one on each line: ${EXAMPLE}`);
  if (file.status !== 'ok')
    throw invalidInput(`The file of tasks can't be read: ${file.reason}.`, 'Name a plain file.');
  const lines = file.value.text.split('\n').map((line, at) => ({ line: line.trim(), at: at + 1 }));
  const tasks = lines.filter(({ line }) => line !== '').map(({ line, at }) => taskIn(parseJson(line), `Line ${at}`));
  if (tasks.length === 0) throw invalidInput('The file of tasks is empty.', `Write one on each line: ${EXAMPLE}`);
  return tasks;
}

// As our own, or as a row of SWE-bench: an issue, the commit before its patch, and the patch.
export function taskIn(value: unknown, where: string): PastTask {
  if (isRecord(value) && isText(value.base_commit) && isText(value.problem_statement) && isText(value.patch))
    return { commit: value.base_commit, task: cutTask(value.problem_statement), patch: value.patch };
  if (!isRecord(value) || !isText(value.commit) || !isText(value.task))
    throw invalidInput(`${where} of the tasks has no commit or no task.`, `For example: ${EXAMPLE}`);
  return { commit: value.commit, task: cutTask(value.task) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
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
