import { badInput, type TaskFailure, type TaskResult } from './results.ts';
import { type Task, tasksIn } from './template/template.ts';

export interface ListItem {
  /** What names the input towards a person: a path, a line, a position. */
  key: string;
  value: unknown;
}

/** A list that is read while it is used, never held as a whole. */
export interface ListSource {
  /** For progress; null where it is not known. Asked for only when someone watches. */
  readonly count: number | null;
  open(): Iterable<ListItem> | AsyncIterable<ListItem>;
}

export type InputValue = string | number | boolean | null | object | ListSource;
export type Inputs = Readonly<Record<string, InputValue>>;

/** Names in force at one place of the template, innermost first. */
export interface Scope {
  readonly values: Inputs;
  readonly outer: Scope | null;
  /** Another name for `item`: inside a reduce the name of the list means the one input at hand. */
  readonly itemName?: string | null;
  /** Finished steps by name and number, for inputs that come from one. */
  readonly steps?: ReadonlyMap<string, TaskResult>;
}

export function lookUp(scope: Scope | null, name: string): InputValue | undefined {
  for (let at = scope; at !== null; at = at.outer) {
    if (Object.hasOwn(at.values, name)) return at.values[name];
    if (at.itemName === name) return at.values.item;
  }
  return undefined;
}

// A task adds the defaults of its inputs where nothing is given; what has neither ends it.
export function scopeFor(task: Task, outer: Scope | null): Scope | null {
  if (task.inputs.length === 0) return outer;
  const values: Record<string, InputValue> = {};
  for (const { name, fallback, from } of task.inputs) {
    const found = from === null ? lookUp(outer, name) : (stepValue(outer, from) ?? undefined);
    if (found === undefined && fallback === null) throw missing(task, name, from);
    if (from !== null || found === undefined) values[name] = found ?? fallback;
  }
  return Object.keys(values).length === 0 ? outer : { values, outer };
}

/** A value that no task asks for is a slip of the pen; a list without a name is taken by a reduce that declares none. */
export function strayInput(task: Task, values: Readonly<Record<string, unknown>>): TaskFailure | null {
  const tasks = tasksIn(task);
  const declared = new Set(tasks.flatMap((at) => at.inputs.map(({ name }) => name)));
  const takesAny = tasks.some((at) => at.type === 'reduce' && at.over === null);
  const isStray = (name: string) => !declared.has(name) && !(takesAny && typeof values[name] === 'object');
  const stray = Object.keys(values).find(isStray);
  if (stray === undefined) return null;
  const known = declared.size > 0 ? `Known: ${[...declared].join(', ')}.` : 'It declares none.';
  return badInput(`The task has no input "${stray.slice(0, 60)}".`, known);
}

/** What a task asks for itself, is not given and has no default. */
export function missingInput(task: Task, values: Readonly<Record<string, unknown>>): TaskFailure | null {
  const isMissing = ({ name, fallback, from }: Task['inputs'][number]) =>
    from === null && fallback === null && !Object.hasOwn(values, name);
  const input = task.inputs.find(isMissing);
  return input ? missing(task, input.name, null) : null;
}

function missing(task: Task, name: string, from: string | null): TaskFailure {
  const message = `The input "${name}" is missing`;
  if (from !== null) return badInput(`${message}: there is no ${from}.`, 'Give it a default.');
  const isListed = tasksIn(task).some((at) => at.type === 'reduce' && at.over === name);
  return badInput(`${message}.`, `Give it: ${isListed ? `--inputs ${name}=FILE.jsonl` : `--input ${name}=VALUE`}`);
}

/** What `find.parsed.title` says of a finished step; undefined where there is none, or no such part. */
export function stepValue(scope: Scope | null, from: string): InputValue | undefined {
  const [step = '', part = 'content', ...fields] = from.split('.');
  let result: TaskResult | undefined;
  for (let at = scope; at !== null && !result; at = at.outer) result = at.steps?.get(step);
  if (!result) return undefined;
  if (part === 'content') return result.content;
  if (part === 'summary') return result.notes.summary;
  return valueAt(result.parsedContent, part === 'parsed' ? fields : [part, ...fields]) as InputValue | undefined;
}

export function textOf(scope: Scope | null, name: string): string {
  const [head = name, ...fields] = name.includes('.') ? name.split('.') : [name];
  const value = valueAt(lookUp(scope, head), fields);
  if (value === undefined) throw badInput(`{{${name}}} has no value.`, 'Give the input, or fix the name.');
  if (isListSource(value)) throw badInput(`{{${name}}} is a list.`, 'Only a reduce can go through a list.');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** By own names only; undefined where one is not there. */
export function valueAt(value: unknown, fields: readonly string[]): unknown {
  let at = value;
  for (const field of fields) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, field)) return undefined;
    at = (at as Record<string, unknown>)[field];
  }
  return at;
}

// Arrays and sources that are read while they are used; a text is not a list.
export function listOf(value: InputValue | undefined, name: string): ListSource {
  if (Array.isArray(value))
    return { count: value.length, open: () => value.map((item, index) => ({ key: String(index), value: item })) };
  if (isListSource(value)) return value;
  const message = value === undefined ? `The list "${name}" is missing.` : `The input "${name}" is not a list.`;
  throw badInput(message, `Give it: --inputs ${name}=FILE.jsonl`);
}

export function isList(value: InputValue): boolean {
  return Array.isArray(value) || isListSource(value);
}

function isListSource(value: unknown): value is ListSource {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function';
}
