import { closest } from '../../closest.ts';
import { whyNotPath } from '../../project/pattern.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import { LIMIT_RANGES, type SomeLimits } from '../limits.ts';
import { onlyChild } from './check-element.ts';
import { type OutputFormat, PLAIN_TEXT, readSchema } from './output-format.ts';
import { headOf, placeholdersIn } from './placeholders.ts';
import type { ProblemList } from './problem.ts';
import { INPUT_NAME } from './shape.ts';
import type { SourceNode } from './source-tree.ts';
import type { InputSpec, RootContext } from './template.ts';

export function readInputs(node: SourceNode, steps: ReadonlySet<string>, problems: ProblemList): InputSpec[] {
  const inputs: InputSpec[] = [];
  for (const child of onlyChild(node, 'inputs')?.children ?? []) {
    if (child.name !== 'input') continue;
    const name = attribute(child, 'name')?.trim();
    if (!name) continue;
    if (!INPUT_NAME.test(name)) {
      const message = `"${shownName(name)}" can't be the name of an input.`;
      problems.error(child, message, 'Use letters, digits, _ and -, and start with a letter.');
    } else if (inputs.some((input) => input.name === name))
      problems.error(child, `The input "${name}" appears twice.`, 'Keep one of them.');
    else {
      const from = attribute(child, 'from')?.trim() || null;
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
  const [memory, load] = ['memory', 'load'].map((name) => attribute(child, name)?.trim() || null);
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
  const type = attribute(child, 'type')?.trim() === 'json' ? 'json' : 'text';
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
  if (reading.unchecked.length > 0) {
    const names = reading.unchecked.map(shownName).slice(0, 10).join(', ');
    problems.warning(schemaAttribute, `These parts of the schema are not checked: ${names}.`, 'Keep them for readers.');
  }
  return { type, schema: reading.schema };
}

export function reportUnknownNames(
  place: SourceNode,
  prompt: string,
  names: ReadonlySet<string>,
  problems: ProblemList,
): void {
  for (const name of placeholdersIn(prompt)) {
    if (names.has(headOf(name))) continue;
    const known = names.size > 0 ? `Known here: ${[...names].slice(0, 20).join(', ')}. ` : '';
    const hint = `${known}Declare it: <inputs><input name="${headOf(name)}"/></inputs>.`;
    problems.error(place, `{{${shownName(name)}}} names no input.`, hint);
  }
}

export function attribute(node: SourceNode, name: string): string | undefined {
  return node.attributes.find((candidate) => candidate.name === name)?.value;
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
  if (!steps.has(step)) {
    const near = closest(step, [...steps]);
    const known =
      steps.size > 0 ? `Steps before it: ${[...steps].slice(0, 20).join(', ')}.` : 'There is no step before it.';
    problems.error(
      place,
      `from="${shownName(from)}" names no earlier step.`,
      `${near ? `Did you mean ${near}? ` : ''}${known}`,
    );
  } else if (part !== undefined && !STEP_PARTS.includes(part)) {
    const near = closest(part, STEP_PARTS);
    const hint = `${near ? `Did you mean ${near}? ` : ''}Known: ${STEP_PARTS.join(', ')}.`;
    problems.error(place, `A step has no "${shownName(part)}".`, hint);
  }
}
