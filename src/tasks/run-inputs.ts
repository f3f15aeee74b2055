import { closest } from '../closest.ts';
import { invalidInput, notFound } from '../errors.ts';
import { realPath, staysInside } from '../files/path-scope.ts';
import { resolve } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { parseGlob } from '../project/glob.ts';
import { pathExcluder, splitPattern } from '../project/pattern.ts';
import { cleanText } from './clean-text.ts';
import type { GivenInput, RunSpec } from './engine.ts';
import type { InputValue, ListSource } from './inputs.ts';
import { foldersOf, globSource, jsonlSource } from './io/list-sources.ts';

type Given = Pick<RunSpec, 'inputs' | 'project' | 'exclude'>;

// What is on a command line, as data that can be kept with the run.
export function givenInputs(values: readonly string[], lists: readonly string[]): Record<string, GivenInput> {
  const inputs: Record<string, GivenInput> = Object.create(null);
  const split = (given: string, option: string): [string, string] => {
    const at = given.indexOf('=');
    if (at <= 0)
      throw invalidInput(
        `--${option} takes NAME=VALUE, not "${given.slice(0, 60)}".`,
        `For example: --${option} topic=reefs`,
      );
    const name = given.slice(0, at);
    if (name in inputs) throw invalidInput(`The input "${name}" is given twice.`, 'Keep one of them.');
    return [name, given.slice(at + 1)];
  };
  for (const given of values) {
    const [name, value] = split(given, 'input');
    inputs[name] = { value: cleanText(value).text };
  }
  for (const given of lists) {
    const [name, list] = split(given, 'inputs');
    inputs[name] = { list };
  }
  return inputs;
}

// Lists are read while they are used, from the project that the run was started in.
export function inputValues({ inputs, project, exclude = [] }: Given): Record<string, InputValue> {
  const values: Record<string, InputValue> = Object.create(null);
  for (const [name, given] of Object.entries(inputs)) {
    if ('value' in given) values[name] = given.value;
    else if ('list' in given) values[name] = listSource(project, given.list, exclude);
  }
  return values;
}

function isJsonl(list: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(list) && !/[*?]/.test(list);
}

function listSource(project: string, list: string, exclude: readonly string[]): ListSource {
  if (isJsonl(list)) return jsonlSource(resolve(project, list), list);
  return globSource(project, parseGlob(list), pathExcluder(exclude));
}

// A name that leads nowhere is a slip of the pen: better said before the run begins than as its first failure.
export async function assertListsThere({ inputs, project, exclude = [] }: Given): Promise<void> {
  for (const [name, given] of Object.entries(inputs)) {
    if (!('list' in given)) continue;
    const [said, list] = [name.slice(0, 60), given.list.slice(0, 200)];
    if (isJsonl(given.list)) {
      if (realPath(resolve(project, given.list)) === null)
        throw notFound(`The list "${said}" is not there: ${list}.`, 'Check the name of the file.');
    } else if (await isEmpty(listSource(project, given.list, exclude)))
      throw notFound(`No file of the project matches the list "${said}": ${list}.`, nearestFolder(project, given.list));
  }
}

// An input that can't be read is not this question: it fails as an input.
async function isEmpty(source: ListSource): Promise<boolean> {
  const reader = source.open();
  try {
    return (await reader.next()) === null;
  } catch {
    return false;
  } finally {
    reader.close();
  }
}

function nearestFolder(project: string, list: string): string {
  const { base } = splitPattern(list.replace(/^\.\//, ''));
  const near = closest(base, foldersOf(project));
  return near === null || near === base ? 'Check the pattern, in quotes.' : `Is ${near}/ meant?`;
}

// For a caller who is not the person: its lists come from the project alone. A pattern never leaves it anyway.
export function assertInside({ inputs, project }: Given): void {
  for (const [name, given] of Object.entries(inputs))
    if ('list' in given && isJsonl(given.list) && !staysInside(project, resolve(project, given.list)))
      throw invalidInput(`The list "${name.slice(0, 60)}" is outside of the project.`, 'Name files of the project.');
}

export function readContextFile(cwd: string, label: string): string {
  const file = readText(resolve(cwd, label), null);
  if (file.status === 'ok') return file.value.text;
  throw invalidInput(`The context file ${label} can't be read.`, 'Check its name.');
}
