import { LIMIT_RANGES } from '../results.ts';

// The one source of what a template may hold: the parser, schema/task.xsd and schema/task.schema.json all follow it.
export const OPERATORS = [
  'atomic',
  'sequential',
  'reduce',
  'call',
  'script',
  'director_evaluator_loop',
  'approve',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const SETTING_VALUES = {
  inherit_context: ['full', 'none', 'subset'],
  accumulate_data: ['true', 'false'],
  accumulation_format: ['notes_only', 'full_output'],
  fresh_context: ['enabled', 'disabled'],
} as const;
export type SettingName = keyof typeof SETTING_VALUES;
export const SETTING_NAMES = Object.keys(SETTING_VALUES) as SettingName[];

export interface AttributeShape {
  about: string;
  required?: true;
  choices?: readonly string[];
  /** A whole number from, to. */
  range?: readonly [number, number];
  /** Only on a task of this operator. */
  only?: Operator;
}

export interface ElementShape {
  about: string;
  attributes: Readonly<Record<string, AttributeShape>>;
  children: readonly string[];
  /** Children of which there may be many; all others appear once. */
  many?: true;
  /** Its text is its meaning. */
  text?: 'free' | readonly string[];
  mayBeEmpty?: true;
}

const TASK_ATTRIBUTES: Readonly<Record<string, AttributeShape>> = {
  name: { about: 'short name for progress and records' },
  model: { about: 'name of a configured model' },
  over: { about: 'the input that holds the list', only: 'reduce' },
  concurrency: { about: 'inputs at work at the same time', range: [1, 256], only: 'reduce' },
  fan_in: { about: 'combine so many results at a time, in a tree', range: [2, 1000], only: 'reduce' },
  template: {
    about: 'the template that is called: a file of the project, or a name in tasks/ of .bearings or the home',
    only: 'call',
  },
  timeout_seconds: { about: 'how long the program may take', range: [1, 3600], only: 'script' },
  fail_on_error: {
    about: 'whether another exit code than 0 ends the task',
    choices: ['true', 'false'],
    only: 'script',
  },
  max_iterations: { about: 'rounds at most', range: [1, 100], only: 'director_evaluator_loop' },
};
const TASK_CHILDREN = [
  'description',
  'prompt',
  'inputs',
  'file_paths',
  'output_format',
  'limits',
  'context_management',
  'steps',
  'inner_task',
  'reduction_task',
  'command',
  'director',
  'script',
  'evaluator',
  'stop_condition',
] as const;
const TYPE: AttributeShape = { about: 'operator of the task', choices: OPERATORS };

function part(name: string, about: string): ElementShape {
  const type = name === 'script' ? { ...TYPE, choices: ['script'] } : TYPE;
  return { about, attributes: { type, ...TASK_ATTRIBUTES }, children: [...TASK_CHILDREN, 'task'] };
}

function pick(...names: string[]): Readonly<Record<string, AttributeShape>> {
  return Object.fromEntries(
    names.map((name) => {
      const { only: _, ...shape } = TASK_ATTRIBUTES[name] as AttributeShape;
      return [name, name === 'template' ? { ...shape, required: true } : shape];
    }),
  );
}

const setting = (name: SettingName, about: string): ElementShape => ({
  about,
  attributes: {},
  children: [],
  text: SETTING_VALUES[name],
});

export const ELEMENTS: Readonly<Record<string, ElementShape>> = {
  task: {
    about: 'a task',
    attributes: { type: { ...TYPE, required: true }, ...TASK_ATTRIBUTES },
    children: [...TASK_CHILDREN, 'root_context'],
  },
  root_context: {
    about: 'what a run of this template starts from; only in its outermost task',
    attributes: {
      memory: { about: 'a workspace by its id, or here for the one of the project' },
      load: { about: 'a task in words: what the loader gives for it is added' },
    },
    children: [],
    mayBeEmpty: true,
  },
  inner_task: {
    about: 'what is done with each input; atomic unless it says otherwise',
    attributes: { type: TYPE, ...TASK_ATTRIBUTES },
    children: [...TASK_CHILDREN, 'task'],
  },
  reduction_task: {
    about: 'what combines the results; atomic unless it says otherwise',
    attributes: { type: TYPE, ...TASK_ATTRIBUTES },
    children: [...TASK_CHILDREN, 'task'],
  },
  director: part('director', 'what makes a proposal in each round; atomic unless it says otherwise'),
  script: part('script', 'a program that tries the proposal: a task of type script'),
  evaluator: part('evaluator', 'what judges the round, as JSON; atomic unless it says otherwise'),
  call: {
    about: 'a step that is another template, with its inputs as parameters',
    attributes: pick('name', 'model', 'template'),
    children: ['description', 'inputs', 'limits', 'context_management'],
  },
  approve: {
    about: 'a step that waits for the person: accept, edit or decline what came before it',
    attributes: pick('name'),
    children: ['description', 'inputs'],
  },
  command: {
    about: 'the program and its arguments; no shell reads them',
    attributes: {},
    children: ['arg'],
    many: true,
  },
  arg: {
    about: 'one word of the command line, as it is',
    attributes: {},
    children: [],
    text: 'free',
    mayBeEmpty: true,
  },
  file_paths: {
    about: 'files of the project that the task gets whole',
    attributes: {},
    children: ['path'],
    many: true,
  },
  path: { about: 'a file, relative to the project', attributes: {}, children: [], text: 'free' },
  stop_condition: {
    about: "the loop ends when this field of the evaluator's answer has this value (success, true)",
    attributes: {
      field: { about: 'a field of the answer, with dots into objects' },
      equals: { about: 'its value, as text' },
    },
    children: [],
    mayBeEmpty: true,
  },
  description: { about: 'what the task is about, in a sentence', attributes: {}, children: [], text: 'free' },
  prompt: {
    about: 'what the model is asked; {{name}} stands for an input',
    attributes: {},
    children: [],
    text: 'free',
  },
  inputs: { about: 'the inputs of the task', attributes: {}, children: ['input'], many: true },
  input: {
    about: 'an input; its text is the value used when none is given',
    attributes: {
      name: { about: 'its name', required: true },
      from: { about: 'an earlier step and what of it: find, find.summary, find.parsed.title' },
    },
    children: [],
    text: 'free',
    mayBeEmpty: true,
  },
  output_format: {
    about: 'what the answer must be',
    attributes: {
      type: { about: 'text or json', required: true, choices: ['text', 'json'] },
      schema: { about: 'a type such as object or string[], or a JSON schema' },
    },
    children: [],
    mayBeEmpty: true,
  },
  limits: {
    about: 'what a step here may use at most; for all tasks inside of it, too',
    attributes: {
      turns: { about: 'questions to the model', range: LIMIT_RANGES.turns },
      context: { about: 'tokens of a question with its context', range: LIMIT_RANGES.context },
      output: { about: 'tokens of an answer', range: LIMIT_RANGES.output },
    },
    children: [],
    mayBeEmpty: true,
  },
  context_management: {
    about: 'what of the surrounding context reaches the task',
    attributes: {},
    children: SETTING_NAMES,
  },
  steps: {
    about: 'the steps, in order',
    attributes: {},
    children: ['task', 'call', 'approve'],
    many: true,
    mayBeEmpty: true,
  },
  inherit_context: setting('inherit_context', 'how much of the parent context is taken over'),
  accumulate_data: setting('accumulate_data', 'whether outputs of earlier steps reach later ones'),
  accumulation_format: setting('accumulation_format', 'summaries only, or whole outputs'),
  fresh_context: setting('fresh_context', 'whether related files are looked up'),
};

/** Which children belong to some operators alone. */
export const ONLY_FOR: Readonly<Record<string, readonly Operator[]>> = {
  prompt: ['atomic', 'script'],
  output_format: ['atomic'],
  steps: ['sequential'],
  inner_task: ['reduce'],
  reduction_task: ['reduce'],
  command: ['script'],
  director: ['director_evaluator_loop'],
  script: ['director_evaluator_loop'],
  evaluator: ['director_evaluator_loop'],
  stop_condition: ['director_evaluator_loop'],
};

/** Elements that are tasks themselves, or hold one. */
export const ROLES = ['inner_task', 'reduction_task', 'director', 'script', 'evaluator'] as const;

export const INPUT_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
