import { invalidInput, notFound } from '../../errors.ts';
import { readText } from '../../files/read-text.ts';
import { isRecord } from '../../json-record.ts';
import { cutTask } from '../../matching/query.ts';

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
  const tasks = lines.filter(({ line }) => line !== '').map(({ line, at }) => taskIn(parsed(line), `Line ${at}`));
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

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
