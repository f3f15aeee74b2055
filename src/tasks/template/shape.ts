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
  /** Belongs to tasks of these operators alone. */
  only?: readonly Operator[];
  /** Its text is its meaning. */
  text?: 'free' | readonly string[];
  mayBeEmpty?: true;
}

const TASK_ATTRIBUTES = {
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
  max_iterations: { about: 'rounds at most', range: [1, 100], only: 'director_evaluator_loop' },
} satisfies Readonly<Record<string, AttributeShape>>;
const { name, model, template } = TASK_ATTRIBUTES;
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

function element(about: string, more: Partial<ElementShape>): ElementShape {
  return { about, attributes: {}, children: [], ...more };
}

function part(about: string, only: Operator, type: AttributeShape = TYPE): ElementShape {
  const attributes = { type, ...TASK_ATTRIBUTES };
  return element(about, { attributes, children: [...TASK_CHILDREN, 'task'], only: [only] });
}

const FREE = { text: 'free' } as const;
const LOOP = 'director_evaluator_loop';

export const ELEMENTS: Readonly<Record<string, ElementShape>> = {
  task: element('a task', {
    attributes: { type: { ...TYPE, required: true }, ...TASK_ATTRIBUTES },
    children: [...TASK_CHILDREN, 'root_context'],
  }),
  root_context: element('what a run of this template starts from; only in its outermost task', {
    attributes: {
      memory: { about: 'a workspace by its id, or here for the one of the project' },
      load: { about: 'a task in words: what the loader gives for it is added' },
    },
    mayBeEmpty: true,
  }),
  inner_task: part('what is done with each input; atomic unless it says otherwise', 'reduce'),
  reduction_task: part('what combines the results; atomic unless it says otherwise', 'reduce'),
  director: part('what makes a proposal in each round; atomic unless it says otherwise', LOOP),
  script: part('a program that tries the proposal: a task of type script', LOOP, { ...TYPE, choices: ['script'] }),
  evaluator: part('what judges the round, as JSON; atomic unless it says otherwise', LOOP),
  call: element('a step that is another template, with its inputs as parameters', {
    attributes: { name, model, template: { about: template.about, required: true } },
    children: ['description', 'inputs', 'limits', 'context_management'],
  }),
  approve: element('a step that waits for the person: accept, edit or decline what came before it', {
    attributes: { name },
    children: ['description', 'inputs'],
  }),
  command: element('the program and its arguments; no shell reads them', {
    children: ['arg'],
    many: true,
    only: ['script'],
  }),
  arg: element('one word of the command line, as it is', { ...FREE, mayBeEmpty: true }),
  file_paths: element('files of the project that the task gets whole', { children: ['path'], many: true }),
  path: element('a file, relative to the project', FREE),
  stop_condition: element("the loop ends when this field of the evaluator's answer has this value (success, true)", {
    attributes: {
      field: { about: 'a field of the answer, with dots into objects' },
      equals: { about: 'its value, as text' },
    },
    mayBeEmpty: true,
    only: [LOOP],
  }),
  description: element('what the task is about, in a sentence', FREE),
  prompt: element('what the model is asked; {{name}} stands for an input', { ...FREE, only: ['atomic', 'script'] }),
  inputs: element('the inputs of the task', { children: ['input'], many: true }),
  input: element('an input; its text is the value used when none is given', {
    attributes: {
      name: { about: 'its name', required: true },
      from: { about: 'an earlier step and what of it: find, find.summary, find.parsed.title' },
    },
    ...FREE,
    mayBeEmpty: true,
  }),
  output_format: element('what the answer must be', {
    attributes: {
      type: { about: 'text or json', required: true, choices: ['text', 'json'] },
      schema: { about: 'a type such as object or string[], or a JSON schema' },
    },
    mayBeEmpty: true,
    only: ['atomic'],
  }),
  limits: element('what a step here may use at most; for all tasks inside of it, too', {
    attributes: {
      turns: { about: 'questions to the model', range: LIMIT_RANGES.turns },
      context: { about: 'tokens of a question with its context', range: LIMIT_RANGES.context },
      output: { about: 'tokens of an answer', range: LIMIT_RANGES.output },
    },
    mayBeEmpty: true,
  }),
  context_management: element('what of the surrounding context reaches the task', { children: SETTING_NAMES }),
  steps: element('the steps, in order', {
    ...{ children: ['task', 'call', 'approve'], many: true, mayBeEmpty: true, only: ['sequential'] },
  }),
  inherit_context: element('how much of the parent context is taken over', { text: SETTING_VALUES.inherit_context }),
  accumulate_data: element('whether outputs of earlier steps reach later ones', {
    text: SETTING_VALUES.accumulate_data,
  }),
  accumulation_format: element('summaries only, or whole outputs', { text: SETTING_VALUES.accumulation_format }),
  fresh_context: element('whether related files are looked up', { text: SETTING_VALUES.fresh_context }),
};

/** Elements that are tasks themselves, or hold one. */
export const ROLES = ['inner_task', 'reduction_task', 'director', 'script', 'evaluator'] as const;

export const INPUT_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
