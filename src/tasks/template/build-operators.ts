import { closest } from '../../closest.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import { onlyChild } from './check-element.ts';
import { placeholdersIn } from './placeholders.ts';
import type { ProblemList } from './problem.ts';
import { attribute, wholeNumber } from './read-task-parts.ts';
import type { SourceNode } from './source-tree.ts';
import { DEFAULT_ITERATIONS, DEFAULT_SCRIPT_SECONDS, type InputSpec, type Task } from './template.ts';

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
    if (placeholdersIn(arg.text).length > 0)
      problems.error(
        arg,
        `{{${shownName(placeholdersIn(arg.text)[0] ?? '')}}} is not allowed in a command line.`,
        'Give it to the program on its input: <prompt>{{…}}</prompt>.',
      );
    command.push(arg.text.trim());
  }
  if (!child && node.complete)
    problems.error(node, 'A script has no <command>.', 'Add <command><arg>npm</arg><arg>test</arg></command>.');
  else if (child && command[0] === '')
    problems.error(child, 'The command names no program.', 'Write it in the first <arg>.');
  return {
    command,
    prompt: onlyChild(node, 'prompt')?.text.trim() ?? '',
    timeoutSeconds: wholeNumber(attribute(node, 'timeout_seconds')) ?? DEFAULT_SCRIPT_SECONDS,
    failOnError: attribute(node, 'fail_on_error')?.trim() === 'true',
  };
}

const FIELD = /^[A-Za-z_][\w-]{0,63}(?:\.[A-Za-z_][\w-]{0,63}){0,7}$/;

export function readLoop(node: SourceNode, problems: ProblemList) {
  const stop = onlyChild(node, 'stop_condition');
  const field = (stop && attribute(stop, 'field')?.trim()) || 'success';
  if (stop && !FIELD.test(field))
    problems.error(
      stop,
      `"${shownName(field)}" is not a field of an answer.`,
      'Write for example field="success" or field="verdict.ok".',
    );
  return {
    maxIterations: wholeNumber(attribute(node, 'max_iterations')) ?? DEFAULT_ITERATIONS,
    stop: { field, equals: (stop && attribute(stop, 'equals')?.trim()) || 'true' },
  };
}

// The evaluator's answer decides, so it has a form.
export function assertJudges(node: SourceNode, evaluator: Task, problems: ProblemList): void {
  if (evaluator.type !== 'atomic' || evaluator.outputFormat.type === 'json') return;
  const place = onlyChild(node, 'evaluator') ?? node;
  problems.error(
    place,
    'The evaluator must answer in JSON: its answer decides whether the loop ends.',
    'Add <output_format type="json" schema="object"/>.',
  );
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
    const near = closest(name, known);
    const hint = `${near ? `Did you mean ${near}? ` : ''}${known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes none.'}`;
    problems.error(inputNode(node, name), `"${shownName(template)}" has no input "${shownName(name)}".`, hint);
  }
  for (const { name, fallback, from } of target.inputs) {
    if (fallback !== null || from !== null || given.some((input) => input.name === name)) continue;
    const hint = `Give it: <inputs><input name="${name}">…</input></inputs>.`;
    problems.error(node, `"${shownName(template)}" needs the input "${name}".`, hint);
  }
}

function inputNode(node: SourceNode, name: string): SourceNode {
  const inputs = onlyChild(node, 'inputs')?.children ?? [];
  return inputs.find((input) => attribute(input, 'name')?.trim() === name) ?? node;
}
