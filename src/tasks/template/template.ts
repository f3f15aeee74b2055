import type { Position } from '../../settings/tree-reader.ts';
import type { SomeLimits } from '../results.ts';
import type { OutputFormat } from './output-format.ts';
import type { Operator, ROLES, SettingName } from './shape.ts';

export type Role = 'task' | 'step' | (typeof ROLES)[number];

export interface Settings {
  readonly inheritContext: 'full' | 'none' | 'subset';
  /** False where accumulation does not apply. */
  readonly accumulateData: boolean;
  readonly accumulationFormat: 'notes_only' | 'full_output' | null;
  readonly freshContext: 'enabled' | 'disabled';
  /** Where each value came from: `default of atomic`, or `file:line`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

export interface InputSpec {
  readonly name: string;
  /** Null: the run must give one. */
  readonly fallback: string | null;
  /** An earlier step, and what of it. */
  readonly from: string | null;
}

interface TaskBase extends Position {
  /** Where it is in the template: `1`, `1.2`, `1.2.inner`. */
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly InputSpec[];
  readonly settings: Settings;
  readonly model: string | null;
  /** What the template lets it use at most, its own word or that of a task around it. */
  readonly limits: SomeLimits;
  /** Files of the project that it gets whole. */
  readonly filePaths: readonly string[];
  /** Of the outermost task. */
  readonly rootContext: RootContext | null;
}

/** What a run starts from. */
export interface RootContext {
  readonly memory: string | null;
  readonly load: string | null;
}

interface Kinds {
  atomic: { prompt: string; outputFormat: OutputFormat };
  sequential: { steps: readonly Task[] };
  reduce: {
    /** The input that holds the list; null: the one list that the run gives. */
    over: string | null;
    inner: Task;
    reduction: Task;
    concurrency: number;
    fanIn: number | null;
  };
  /** `target`: what the name led to when the template was loaded. */
  call: { template: string; target: Task };
  /** `prompt`: what the program gets on its input. */
  script: { command: readonly string[]; prompt: string; timeoutSeconds: number };
  director_evaluator_loop: {
    director: Task;
    script: Task | null;
    evaluator: Task;
    maxIterations: number;
    stop: { readonly field: string; readonly equals: string };
  };
  approve: object;
}
export type TaskOf<K extends Operator> = TaskBase & { readonly type: K } & Readonly<Kinds[K]>;

/** A loaded template: checked, filled with defaults, frozen through and through. */
export type Task = { [K in Operator]: TaskOf<K> }[Operator];

export const DEFAULT_CONCURRENCY = 4;
export const DEFAULT_ITERATIONS = 5;
export const DEFAULT_SCRIPT_SECONDS = 120;

type Parts = Partial<Kinds['sequential'] & Kinds['reduce'] & Kinds['call'] & Kinds['director_evaluator_loop']>;

export function childrenOf(task: Task): Task[] {
  const { steps = [], inner, reduction, target, director, script, evaluator } = task as Parts;
  return [...steps, inner, reduction, target, director, script, evaluator].filter((child) => child != null);
}

/** It, and all tasks below it. */
export function tasksIn(task: Task): Task[] {
  return [task, ...childrenOf(task).flatMap(tasksIn)];
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeep(part);
  }
  return value;
}

export interface SourceAttribute extends Position {
  name: string;
  value: string;
}

/** One element of a template, whatever it was written in. */
export interface SourceNode extends Position {
  name: string;
  attributes: SourceAttribute[];
  children: SourceNode[];
  text: string;
  /** A comment may be where a definition is still to be written. */
  hasComment: boolean;
  /** False when reading ended inside it: then nothing can be called missing. */
  complete: boolean;
}

export function onlyChild(node: SourceNode, name: string): SourceNode | null {
  return node.children.find((child) => child.name === name) ?? null;
}

/** Without the blanks around it. */
export function attribute(node: SourceNode, name: string): string | undefined {
  return node.attributes.find((candidate) => candidate.name === name)?.value.trim();
}

// Sizes that no honest template reaches.
export const TEMPLATE_LIMITS = { chars: 1_048_576, depth: 64, elements: 20_000, attributes: 32 } as const;

export type { Position };

export interface Problem extends Position {
  file: string;
  message: string;
  /** What to do, in one sentence. */
  hint: string;
  severity: 'error' | 'warning';
}

export type ProblemList = ReturnType<typeof problemList>;

// A hostile file could bring a problem per character; past this many the list only says that there are more.
const MAX_PROBLEMS = 1_000;
const MORE_PROBLEMS = {
  message: 'There are more problems than can be listed.',
  hint: 'Fix the first ones, then check again.',
};

export function problemList(
  file: string,
  { strict = false, lenient = false }: { strict?: boolean; lenient?: boolean } = {},
) {
  const found: Problem[] = [];
  let errors = 0;
  const add = (severity: Problem['severity'], place: Position, message: string, hint: string): void => {
    if (severity === 'error') errors += 1;
    if (found.length > MAX_PROBLEMS) return;
    const { line, column } = place;
    if (found.length < MAX_PROBLEMS) found.push({ file, line, column, message, hint, severity });
    else found.push({ ...MORE_PROBLEMS, file, line, column, severity });
  };
  return {
    error: (place: Position, message: string, hint: string) => add('error', place, message, hint),
    warning: (place: Position, message: string, hint: string) => add('warning', place, message, hint),
    /** Something unknown: an error, unless the check is lenient. */
    unknown: (place: Position, message: string, hint: string) =>
      lenient ? add('warning', place, `${message} It is ignored.`, hint) : add('error', place, message, hint),
    /** Something was left out and has been filled: an error when the check is strict. */
    omission: (place: Position, message: string, hint: string, otherwise: 'warning' | 'silent') => {
      if (strict || otherwise === 'warning') add(strict ? 'error' : 'warning', place, message, hint);
    },
    /** By line and column. */
    all: () => [...found].sort((a, b) => a.line - b.line || a.column - b.column),
    hasErrors: () => errors > 0,
  };
}

export type PositionOf = (offset: number) => Position;

// Lines end at \n, \r\n or \r; columns count as editors do, in UTF-16 units from 1.
export function positionFinder(text: string): PositionOf {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

const PLACEHOLDER = /\{\{[ \t]{0,8}([A-Za-z_][A-Za-z0-9_.-]{0,127})[ \t]{0,8}\}\}/g;

export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string))];
}

// One pass: what a value brings is never expanded again.
export function fillPlaceholders(text: string, textFor: (name: string) => string): string {
  return text.includes('{{') ? text.replace(PLACEHOLDER, (_, name: string) => textFor(name)) : text;
}

/** `item.title` asks the input `item` for its field. */
export function headOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}
