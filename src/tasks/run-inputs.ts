import { invalidInput, notFound } from '../errors.ts';
import { realPath, staysInside } from '../files/path-scope.ts';
import { resolve } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { parseGlob } from '../project/glob.ts';
import type { GivenInput, RunSpec } from './engine.ts';
import type { InputValue } from './inputs.ts';
import { globSource, jsonlSource } from './io/list-sources.ts';

// What stands on a command line, as data that can be kept with the run.
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
    inputs[name] = { value };
  }
  for (const given of lists) {
    const [name, list] = split(given, 'inputs');
    inputs[name] = { list };
  }
  return inputs;
}

// Lists are read while they are used, from the project that the run was started in.
export function inputValues({ inputs, project }: Pick<RunSpec, 'inputs' | 'project'>): Record<string, InputValue> {
  const values: Record<string, InputValue> = Object.create(null);
  for (const [name, given] of Object.entries(inputs)) {
    if ('value' in given) values[name] = given.value;
    else if ('list' in given) values[name] = listSource(project, given.list);
  }
  return values;
}

function isJsonl(list: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(list) && !/[*?]/.test(list);
}

function listSource(project: string, list: string): InputValue {
  return isJsonl(list) ? jsonlSource(resolve(project, list), list) : globSource(project, parseGlob(list));
}

// A name that leads nowhere is a slip of the pen: better said before the run begins than as its first failure.
export function assertListsThere({ inputs, project }: Pick<RunSpec, 'inputs' | 'project'>): void {
  for (const [name, given] of Object.entries(inputs))
    if ('list' in given && isJsonl(given.list) && realPath(resolve(project, given.list)) === null)
      throw notFound(
        `The list "${name.slice(0, 60)}" is not there: ${given.list.slice(0, 200)}.`,
        'Check the name of the file.',
      );
}

// For a caller who is not the person: its lists come from the project alone. A pattern never leaves it anyway.
export function assertInside({ inputs, project }: Pick<RunSpec, 'inputs' | 'project'>): void {
  for (const [name, given] of Object.entries(inputs))
    if ('list' in given && isJsonl(given.list) && !staysInside(project, resolve(project, given.list)))
      throw invalidInput(`The list "${name.slice(0, 60)}" is outside of the project.`, 'Name files of the project.');
}

export function readContextFile(cwd: string, label: string): string {
  const file = readText(resolve(cwd, label), null);
  if (file.status === 'ok') return file.value.text;
  throw invalidInput(`The context file ${label} can't be read.`, 'Check its name.');
}
