import { shownName, whyNotPath } from '../../safety/hidden-characters.ts';
import { LIMIT_RANGES, type SomeLimits } from '../results.ts';
import { meant } from './check-element.ts';
import { type OutputFormat, PLAIN_TEXT, readSchema } from './output-format.ts';
import { INPUT_NAME } from './shape.ts';
import {
  attribute,
  DEFAULT_ITERATIONS,
  DEFAULT_SCRIPT_SECONDS,
  headOf,
  type InputSpec,
  onlyChild,
  type ProblemList,
  placeholdersIn,
  type RootContext,
  type SourceNode,
  type Task,
} from './template.ts';

export function readInputs(node: SourceNode, steps: ReadonlySet<string>, problems: ProblemList): InputSpec[] {
  const inputs: InputSpec[] = [];
  for (const child of onlyChild(node, 'inputs')?.children ?? []) {
    if (child.name !== 'input') continue;
    const name = attribute(child, 'name');
    if (!name) continue;
    if (!INPUT_NAME.test(name)) {
      const message = `"${shownName(name)}" can't be the name of an input.`;
      problems.error(child, message, 'Use letters, digits, _ and -, and start with a letter.');
    } else if (inputs.some((input) => input.name === name))
      problems.error(child, `The input "${name}" appears twice.`, 'Keep one of them.');
    else {
      const from = attribute(child, 'from') || null;
      if (from !== null) reportUnknownStep(child, from, steps, problems);
      inputs.push({ name, fallback: child.text.trim() === '' ? null : child.text.trim(), from });
    }
  }
  return inputs;
}

export function readFilePaths(node: SourceNode, names: ReadonlySet<string>, problems: ProblemList): string[] {
  const paths: string[] = [];
  for (const child of onlyChild(node, 'file_paths')?.children ?? []) {
    const path = child.text.trim();
    if (child.name !== 'path' || path === '') continue;
    const reason = whyNotPath(path.replace(/\{\{[^}]*\}\}/g, 'x'));
    if (reason)
      problems.error(child, `The path "${shownName(path)}" ${reason}.`, 'Name a file relative to the project.');
    reportUnknownNames(child, path, names, problems);
    paths.push(path);
  }
  return paths;
}

export function readRootContext(node: SourceNode, isRoot: boolean, problems: ProblemList): RootContext | null {
  const child = onlyChild(node, 'root_context');
  if (!child) return null;
  const [memory, load] = ['memory', 'load'].map((name) => attribute(child, name) || null);
  if (!isRoot)
    problems.error(child, 'Only the outermost task has a <root_context>.', 'Move it there, or use <file_paths> here.');
  else if (!memory && !load)
    problems.error(child, '<root_context> names nothing.', 'Write memory="here", load="a task in words", or both.');
  return { memory: memory ?? null, load: load ?? null };
}

export function readLimits(node: SourceNode): SomeLimits {
  const child = onlyChild(node, 'limits');
  const given = child?.attributes.map(({ name, value }): [string, number | null] => [name, wholeNumber(value)]) ?? [];
  return Object.fromEntries(given.filter(([name, value]) => Object.hasOwn(LIMIT_RANGES, name) && value !== null));
}

export function readOutputFormat(node: SourceNode, problems: ProblemList): OutputFormat {
  const child = onlyChild(node, 'output_format');
  if (!child) return PLAIN_TEXT;
  const type = attribute(child, 'type') === 'json' ? 'json' : 'text';
  const schemaAttribute = child.attributes.find(({ name }) => name === 'schema');
  if (!schemaAttribute) return { type, schema: null };
  if (type === 'text') {
    problems.warning(schemaAttribute, 'A schema has no effect on plain text.', 'Set type="json", or take it out.');
    return PLAIN_TEXT;
  }
  const reading = readSchema(schemaAttribute.value);
  if ('fault' in reading) {
    const message = `The schema can't be used: ${shownName(reading.fault)}.`;
    problems.error(schemaAttribute, message, 'Write a type such as object or string[], or a JSON schema.');
    return { type, schema: null };
  }
  return { type, schema: reading.schema };
}

export function reportUnknownNames(
  place: SourceNode,
  text: string,
  names: ReadonlySet<string>,
  problems: ProblemList,
): void {
  for (const name of placeholdersIn(text)) {
    if (names.has(headOf(name))) continue;
    const known = names.size > 0 ? `Known here: ${[...names].slice(0, 20).join(', ')}. ` : '';
    problems.error(place, `{{${shownName(name)}}} names no input.`, `${known}Declare it in <inputs>.`);
  }
}

export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

export function firstLine(text: string): string {
  return shownName((text.split('\n')[0] ?? '').trim());
}

const STEP_PARTS = ['content', 'summary', 'parsed', 'exit_code', 'error_text'];

// Whether a step may be named so by `from`.
function reportUnknownStep(place: SourceNode, from: string, steps: ReadonlySet<string>, problems: ProblemList): void {
  const [step = '', part] = from.split('.');
  const names = [...steps];
  if (!steps.has(step)) {
    const known = names.length > 0 ? `Steps before it: ${names.slice(0, 20).join(', ')}.` : 'There is none before it.';
    problems.error(place, `from="${shownName(from)}" names no earlier step.`, `${meant(step, names)}${known}`);
  } else if (part !== undefined && !STEP_PARTS.includes(part)) {
    const hint = `${meant(part, STEP_PARTS)}Known: ${STEP_PARTS.join(', ')}.`;
    problems.error(place, `A step has no "${shownName(part)}".`, hint);
  }
}

/** What a name of a template leads to. */
export type FoundTemplate = { file: string; source: string | Uint8Array; names?: 'code' };
export type FindTemplate = (name: string) => FoundTemplate | { problem: string };

export const MAX_CALLS = 8;

// The words of a command line are taken as they are: nothing is filled in, so that the person knows what would run.
export function readScript(node: SourceNode, problems: ProblemList) {
  const command: string[] = [];
  const child = onlyChild(node, 'command');
  for (const arg of child?.children ?? []) {
    if (arg.name !== 'arg') continue;
    const [name] = placeholdersIn(arg.text);
    const hint = 'Give it to the program on its input: <prompt>{{…}}</prompt>.';
    if (name !== undefined) problems.error(arg, `{{${shownName(name)}}} is not allowed in a command line.`, hint);
    command.push(arg.text.trim());
  }
  if (!child && node.complete)
    problems.error(node, 'A script has no <command>.', 'Add <command>: the program, then its arguments.');
  else if (child && command[0] === '')
    problems.error(child, 'The command names no program.', 'Write it in the first <arg>.');
  return {
    command,
    prompt: onlyChild(node, 'prompt')?.text.trim() ?? '',
    timeoutSeconds: wholeNumber(attribute(node, 'timeout_seconds')) ?? DEFAULT_SCRIPT_SECONDS,
  };
}

export function readLoop(node: SourceNode) {
  const stop = onlyChild(node, 'stop_condition');
  const [field, equals] = ['field', 'equals'].map((name) => stop && attribute(stop, name));
  return {
    maxIterations: wholeNumber(attribute(node, 'max_iterations')) ?? DEFAULT_ITERATIONS,
    stop: { field: field || 'success', equals: equals || 'true' },
  };
}

// The evaluator's answer decides, so it has a form.
export function assertJudges(node: SourceNode, evaluator: Task, problems: ProblemList): void {
  if (evaluator.type !== 'atomic' || evaluator.outputFormat.type === 'json') return;
  const message = 'The evaluator must answer in JSON: its answer decides whether the loop ends.';
  problems.error(onlyChild(node, 'evaluator') ?? node, message, 'Add <output_format type="json">.');
}

// What a call gives must be what the template takes.
export function assertParameters(
  node: SourceNode,
  { given, target, template }: { given: readonly InputSpec[]; target: Task; template: string },
  problems: ProblemList,
): void {
  const known = target.inputs.map(({ name }) => name);
  for (const { name } of given) {
    if (known.includes(name)) continue;
    const hint = `${meant(name, known)}${known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes none.'}`;
    const inputs = onlyChild(node, 'inputs')?.children ?? [];
    const place = inputs.find((input) => attribute(input, 'name') === name) ?? node;
    problems.error(place, `"${shownName(template)}" has no input "${shownName(name)}".`, hint);
  }
  for (const { name, fallback, from } of target.inputs) {
    if (fallback !== null || from !== null || given.some((input) => input.name === name)) continue;
    problems.error(node, `"${shownName(template)}" needs the input "${name}".`, 'Give it in <inputs>.');
  }
}
