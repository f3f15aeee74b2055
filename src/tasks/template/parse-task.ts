import { BearingsError, invalidInput } from '../../errors.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { SomeLimits } from '../results.ts';
import { type Building, buildTemplate } from './build-template.ts';
import { readJson } from './read-json.ts';
import { type FindTemplate, MAX_CALLS, wholeNumber } from './read-task-parts.ts';
import { isXml, readXml } from './read-xml.ts';
import { type Operator, ROLES } from './shape.ts';
import {
  attribute,
  DEFAULT_ITERATIONS,
  freezeDeep,
  type Problem,
  type ProblemList,
  positionFinder,
  problemList,
  type SourceNode,
  type Task,
  TEMPLATE_LIMITS,
} from './template.ts';

export interface ParseOptions {
  /** How the template is called in problems. */
  file?: string;
  /** Every omission is an error. */
  strict?: boolean;
  /** What is unknown is ignored with a warning. */
  lenient?: boolean;
  /** `code`: names may be written as a program writes them, `innerTask` for `inner_task`. */
  names?: 'code';
  /** Where a call finds its template. */
  templates?: FindTemplate | undefined;
}

export type ParsedTask = ReturnType<typeof parseTask>;

// XML or JSON, told apart by the first character. Never throws for what the text holds: all problems come at once.
export function parseTask(source: string | Uint8Array, options: ParseOptions = {}) {
  const file = options.file ?? 'template';
  const problems = problemList(file, options);
  const { root, isJson } = readSource(source, problems, options.names);
  const { stepsIn, buildingFor } = callsTo(options.templates ?? noTemplates);
  const steps = root ? stepsIn(root, [file]) : 0;
  if (root && steps > MAX_STEPS)
    problems.error(
      root,
      `With its calls and rounds the template has ${steps} steps; at most ${MAX_STEPS} are run.`,
      'Call fewer templates, or lower max_iterations.',
    );
  const task = root && steps <= MAX_STEPS ? buildTemplate(root, buildingFor(file, problems, [file])) : null;
  const all = problems.all();
  return {
    /** Null when there is an error. */
    task: problems.hasErrors() ? null : freezeDeep(task),
    problems: isJson ? all.map(inJsonWords) : all,
  };
}

function readSource(source: string | Uint8Array, problems: ProblemList, names?: 'code') {
  const refused = { root: null, isJson: false };
  if (source.length > TEMPLATE_LIMITS.chars) {
    const hint = 'Split it, or give large texts as inputs of the run.';
    problems.error({ line: 1, column: 1 }, 'The template is larger than 1 MiB.', hint);
    return refused;
  }
  const { text, badAt } = decode(source);
  if (badAt !== -1) {
    problems.error(positionFinder(text)(badAt), 'The template is not UTF-8 text.', 'Save it as UTF-8.');
    return refused;
  }
  const isJson = !isXml(text);
  return { root: isJson ? readJson(text, problems, names === 'code') : readXml(text, problems), isJson };
}

const noTemplates: FindTemplate = () => ({ problem: 'templates are only found where there is a project' });

/** What a template can come to with all it calls: beyond this it is a mistake, or an attack. */
const MAX_STEPS = 10_000;
const STEPS: ReadonlySet<string> = new Set(['task', 'call', 'approve', 'script', ...ROLES]);

// The templates that others call. `chain`: files of those at work, outermost first; none may call itself.
function callsTo(find: FindTemplate) {
  const counted = new Map<string, number>();
  /** Why a file can't be called: one such call is enough, the others are not built again. */
  const refused = new Map<string, Problem>();
  // Each name is looked up and each file read once, however often it is called.
  const known = new Map<string, ReturnType<typeof read>>();
  const read = (name: string) => {
    const found = find(name);
    if ('problem' in found) return found;
    const problems = problemList(found.file, { lenient: true });
    return { file: found.file, root: readSource(found.source, problems, found.names).root, problems: problems.all() };
  };
  const template = (name: string): ReturnType<typeof read> => {
    const found = known.get(name) ?? read(name);
    known.set(name, found);
    return found;
  };

  // Counted on the texts, each template once for each depth: to build them all is the very work that has to be bounded. One
  // that calls itself, or goes too deep, is told where it is built.
  const stepsIn = (node: SourceNode, chain: readonly string[]): number => {
    const below = node.children.reduce((sum, child) => sum + stepsIn(child, chain), 0);
    const isStep = STEPS.has(node.name) && (node.name === 'task' || !node.children.some(({ name }) => name === 'task'));
    const rounds = wholeNumber(attribute(node, 'max_iterations')) ?? DEFAULT_ITERATIONS;
    const isLoop = attribute(node, 'type') === 'director_evaluator_loop';
    const own = (isStep ? 1 : 0) + below * (isLoop ? rounds : 1);
    const name = attribute(node, 'template');
    const called = name ? template(name) : null;
    if (!called || 'problem' in called || !called.root || chain.includes(called.file) || chain.length > MAX_CALLS)
      return own;
    const key = `${chain.length} ${called.file}`;
    const steps = counted.get(key) ?? stepsIn(called.root, [...chain, called.file]);
    counted.set(key, steps);
    return own + steps;
  };

  const buildingFor = (file: string, problems: ProblemList, chain: readonly string[]): Building => ({
    file,
    problems,
    called(name, node, at) {
      const refuse = (message: string, hint: string): null => {
        problems.error(node, message, hint);
        return null;
      };
      const shown = `"${shownName(name)}"`;
      const found = template(name);
      if ('problem' in found)
        return refuse(`The template ${shown} can't be called: ${found.problem}.`, 'Name a file of the project.');
      const files = [...chain, found.file];
      if (chain.includes(found.file))
        return refuse(`${shown} calls itself.`, `The chain: ${files.map((part) => shownName(part)).join(' → ')}.`);
      if (chain.length > MAX_CALLS)
        return refuse(`Calls go deeper than ${MAX_CALLS} templates.`, 'Put some of them into one template.');
      const inner = problemList(found.file, { lenient: true });
      const root = refused.has(found.file) ? null : found.root;
      const task = root ? buildTemplate(root, buildingFor(found.file, inner, files), at) : null;
      const all = [...found.problems, ...inner.all()];
      const first = refused.get(found.file) ?? all.find(({ severity }) => severity === 'error');
      if (!first) return task;
      refused.set(found.file, first);
      return refuse(`${shown} can't be used: line ${first.line}: ${first.message}`, first.hint);
    },
  });
  return { stepsIn, buildingFor };
}

// Both forms have the same rules, and who wrote JSON looks for keys, not for elements.
function inJsonWords(problem: Problem): Problem {
  const asKeys = (text: string): string =>
    text
      .replace(/<(\w+) (\w+)="([^"]*)">/g, '"$1": {"$2": "$3"}')
      .replace(/<(\w+)>([^<>]*)<\/\1>/g, '"$1": "$2"')
      .replace(/<(\w+)>/g, '"$1"');
  return { ...problem, message: asKeys(problem.message), hint: asKeys(problem.hint) };
}

type Camel<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Spoken<S> = S extends `${string}_${string}` ? S : never;
/** In the names that a program has for them: `innerTask` for `inner_task`. */
type InCode<T> = { [K in keyof T as Camel<K> & string]: T[K] };
/** Each key in the one or the other form. */
type Either<T> = Omit<T, Spoken<keyof T>> & {
  [K in keyof T as K extends Spoken<K> ? K | (Camel<K> & string) : never]?: T[K];
};

interface ContextManagement {
  inherit_context: 'full' | 'none' | 'subset';
  accumulate_data?: boolean;
  accumulation_format?: 'notes_only' | 'full_output';
  fresh_context?: 'enabled' | 'disabled';
}

interface DefinitionBase {
  name?: string;
  inputs?: readonly { name: string; default?: string | number | boolean; from?: string }[];
  file_paths?: readonly string[];
  context_management?: ContextManagement | InCode<ContextManagement>;
  limits?: SomeLimits;
  root_context?: { memory?: string; load?: string };
  model?: string;
}

/** What a task of each type holds beyond that. */
interface Definitions {
  atomic: { description: string; prompt?: string; output_format?: { type: 'text' | 'json'; schema?: string | object } };
  sequential: { description: string; steps: readonly TaskDefinition[] };
  reduce: {
    description: string;
    inner_task: PartDefinition;
    reduction_task: PartDefinition;
    over?: string;
    concurrency?: number;
    fan_in?: number;
  };
  call: {
    description?: string;
    /** A file or a name, or a task from `defineTask`. */
    template: string | Task;
  };
  script: {
    description: string;
    /** The program and its arguments. */
    command: readonly string[];
    prompt?: string;
    timeout_seconds?: number;
  };
  director_evaluator_loop: {
    description: string;
    director: PartDefinition;
    script?: Definition<'script'> | Omit<Definition<'script'>, 'type'>;
    evaluator: PartDefinition;
    max_iterations?: number;
    stop_condition?: { field?: string; equals?: string | boolean | number };
  };
  approve: { description: string };
}
type Definition<K extends Operator> = Either<{ type: K } & DefinitionBase & Definitions[K]>;
type PartDefinition = TaskDefinition | Omit<Definition<'atomic'>, 'type'>;

/** The JSON form of a template, as a type. */
export type TaskDefinition = { [K in Operator]: Definition<K> }[Operator];

/** What `defineTask` made a task of, so that another one can call it. */
interface Defined {
  text: string;
  /** Tasks that it calls, by their names. */
  called: ReadonlyMap<string, string>;
}
const DEFINED = new WeakMap<object, Defined>();

// Read as its JSON text: so it follows the very same rules, and later changes of the object change nothing.
export function defineTask(definition: TaskDefinition, options: Pick<ParseOptions, 'templates'> = {}): Task {
  const defined = asJson(definition);
  const templates: FindTemplate = (name) => {
    const source = defined.called.get(name);
    return source === undefined ? (options.templates ?? noTemplates)(name) : { file: name, source, names: 'code' };
  };
  const { task, problems } = parseTask(defined.text, { file: 'defineTask', names: 'code', templates });
  if (task) {
    DEFINED.set(task, defined);
    return task;
  }
  const errors = problems.filter(({ severity }) => severity === 'error');
  // A misspelt name leaves something out, too: it says more than what is missing.
  const first = errors.find(({ hint }) => hint?.startsWith('Did you mean')) ?? errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw invalidInput(`The task can't be used: ${first?.message ?? ''}${more}`, first?.hint, { problems });
}

function asJson(definition: TaskDefinition): Defined {
  const called = new Map<string, string>();
  const add = (name: string, text: string): string => {
    if ((called.get(name) ?? text) !== text)
      throw invalidInput(
        `Two tasks that are called have the same name "${shownName(name)}".`,
        'Give each its own name.',
      );
    called.set(name, text);
    return name;
  };
  try {
    const text = JSON.stringify(
      definition,
      (key, value: unknown) => {
        const task = key === 'template' && typeof value === 'object' && value ? DEFINED.get(value) : undefined;
        if (!task) return value;
        for (const [name, source] of task.called) add(name, source);
        return add((value as Task).name, task.text);
      },
      2,
    );
    return { text: text ?? '', called };
  } catch (error) {
    if (error instanceof BearingsError) throw error;
    throw invalidInput(
      'The task is not a plain object: it holds itself or a value that is not valid JSON.',
      'Use plain values.',
      { cause: String(error instanceof Error ? error.name : 'error') },
    );
  }
}

/** `badAt`: half a surrogate pair, or the sign of a byte that had to be replaced. */
function decode(source: string | Uint8Array): { text: string; badAt: number } {
  const text = (typeof source === 'string' ? source : new TextDecoder().decode(source)).replace(/^\ufeff/, '');
  return { text, badAt: text.search(/\p{Cs}|\ufffd/u) };
}
