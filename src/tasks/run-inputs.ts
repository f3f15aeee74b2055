import { closest } from '../closest.ts';
import { invalidInput, notFound } from '../errors.ts';
import { realPath, relative, resolve, sep, staysInside } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import { renderMarkdown } from '../loader/bundle/render-markdown.ts';
import { bundleLoader } from '../loader/load.ts';
import { whyPrivate } from '../matching/text/paths.ts';
import { contextText } from '../memory/context-text.ts';
import { isIgnoredIn, listProject } from '../project/io/project-listing.ts';
import { parseGlob, pathExcluder, splitPattern } from '../project/pattern.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { GivenInput, RunSpec, StartRunOptions } from './engine.ts';
import { type InputValue, isList, type ListSource, missingInput, strayInput } from './inputs.ts';
import { globSource, jsonlSource } from './io/list-sources.ts';
import { type RootContext, tasksIn } from './template/template.ts';
import { cleanData, cleanText } from './text.ts';

type Given = Pick<RunSpec, 'inputs' | 'project' | 'exclude'>;

// What is on a command line or in a program, as data that can be kept with the run.
export function givenInputs({ input: values = [], inputs: lists = [] }: StartRunOptions): Record<string, GivenInput> {
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
  if (!Array.isArray(lists)) {
    for (const [name, value] of Object.entries(lists)) inputs[name] = { value: plainInput(name, value) };
    return inputs;
  }
  for (const given of lists) {
    const [name, list] = split(given, 'inputs');
    inputs[name] = { list };
  }
  return inputs;
}

// It is stored with the run, so that the run can go on after a crash.
function plainInput(name: string, value: unknown): InputValue {
  const isSource = typeof value === 'object' && value !== null && (Symbol.iterator in value || 'open' in value);
  const isPlain = value !== undefined && typeof value !== 'function' && (!isSource || Array.isArray(value));
  if (isPlain) return cleanData(value) as InputValue;
  throw invalidInput(
    `The input "${name.slice(0, 60)}" is not plain data.`,
    'Give a text, a number, a list or an object.',
  );
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

const isJsonl = (list: string): boolean => /\.(?:jsonl|ndjson)$/i.test(list) && !/[*?]/.test(list);

const listSource = (project: string, list: string, exclude: readonly string[]): ListSource =>
  isJsonl(list)
    ? jsonlSource(resolve(project, list), list)
    : globSource(project, parseGlob(list), pathExcluder(exclude));

// A name that leads nowhere is a slip of the pen: better said before the run begins than as its first failure. `inside`: for a
// caller who is not the person, whose lists come from the project alone. A pattern never leaves it anyway.
export async function assertLists(spec: Given & Pick<RunSpec, 'task'>, inside = false): Promise<void> {
  const { inputs, project, exclude = [] } = spec;
  assertKinds(spec);
  const root = realPath(project) ?? project;
  const isExcluded = pathExcluder(exclude);
  for (const [name, given] of Object.entries(inputs)) {
    if (!('list' in given)) continue;
    const [said, list] = [name.slice(0, 60), given.list.slice(0, 200)];
    if (!isJsonl(given.list)) {
      // What can't be read is not this question: it fails as an input.
      if (listSource(project, given.list, exclude).count !== 0) continue;
      const hint = await nearestFolder(project, given.list);
      throw notFound(`No file of the project matches the list "${said}": ${list}.`, hint);
    }
    const file = resolve(project, given.list);
    const real = realPath(file);
    // With every link followed: a link has any name.
    const path = relative(root, real ?? file).replaceAll(sep, '/');
    const isForeign = !staysInside(project, file) || isExcluded(path) || isIgnoredIn(root, path);
    if (real === null && !(inside && isForeign))
      throw notFound(`The list "${said}" is not there: ${list}.`, 'Check the name of the file.');
    if ((inside && isForeign) || whyPrivate(path) !== null)
      throw invalidInput(
        `The list "${said}" is not one of the project's files.`,
        'Name a file that git does not ignore.',
      );
  }
}

// Only where the name means the same everywhere; else the reduce tells it when its turn comes.
function assertKinds(spec: Given & Pick<RunSpec, 'task'>): void {
  const [tasks, values] = [tasksIn(spec.task), inputValues(spec)];
  const fault = strayInput(spec.task, values) ?? missingInput(spec.task, values);
  if (fault) throw invalidInput(fault.message, fault.error.hint);
  const isBound = (name: string): boolean =>
    ['item', 'key', 'index'].includes(name) ||
    tasks.some((at) => at.type === 'call' || at.inputs.some((input) => input.name === name && input.from !== null));
  for (const { over } of tasks.filter((at) => at.type === 'reduce'))
    if (over !== null && values[over] !== undefined && !isList(values[over]) && !isBound(over))
      throw invalidInput(`The input "${over}" is not a list.`, `Give it: --inputs ${over}=FILE.jsonl`);
}

async function nearestFolder(project: string, list: string): Promise<string> {
  const { base } = splitPattern(list.replace(/^\.\//, ''));
  const folders = (await listProject(project)).flatMap((path) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
  );
  const near = closest(base, [...new Set(folders)]);
  return near === null || near === base ? 'Check the pattern, in quotes.' : `Is ${near}/ meant?`;
}

export function readContextFile(cwd: string, label: string): string {
  const file = readText(resolve(cwd, label), null);
  if (file.status === 'ok') return file.value.text;
  throw invalidInput(`The context file ${label} can't be read.`, 'Check its name.');
}

/** The workspace that the project is in. */
const HERE = 'here';

// Read once, when a run begins: every step of it, on whatever machine, starts from the same. `file`: what the person gave as one.
export async function rootContextText(
  app: AppContext,
  { file, asked, project }: { file: string; asked: RootContext; project: string },
): Promise<string> {
  const parts = [file];
  if (asked.memory !== null) {
    const target = asked.memory === HERE ? { root: project } : { id: asked.memory, root: project };
    const settings = await app.settings();
    const { id } = settings.workspace(target);
    const { context, unconfirmed } = await contextUseCases(app).readFramed(target);
    parts.push(contextText(context, id, settings.number('max_chars'), unconfirmed));
  }
  if (asked.load !== null) {
    const { bundle } = await bundleLoader(app)({ task: asked.load, dir: project });
    parts.push(renderMarkdown(bundle));
  }
  return cleanText(parts.filter((part) => part !== '').join('\n\n')).text;
}
