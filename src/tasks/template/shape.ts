import { LIMIT_RANGES } from '../limits.ts';

// The one source of what a template may hold: the parser, schema/task.xsd and schema/task.schema.json all follow it.
export const OPERATORS = ['atomic', 'sequential', 'reduce'] as const;
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
  /** Children of which there may be many; all others stand once. */
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
};
const TASK_CHILDREN = [
  'description',
  'prompt',
  'inputs',
  'output_format',
  'limits',
  'context_management',
  'steps',
  'inner_task',
  'reduction_task',
] as const;
const TYPE: AttributeShape = { about: 'operator of the task', choices: OPERATORS };

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
    children: TASK_CHILDREN,
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
    attributes: { name: { about: 'its name', required: true } },
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
  steps: { about: 'the steps, in order', attributes: {}, children: ['task'], many: true, mayBeEmpty: true },
  inherit_context: setting('inherit_context', 'how much of the parent context is taken over'),
  accumulate_data: setting('accumulate_data', 'whether outputs of earlier steps reach later ones'),
  accumulation_format: setting('accumulation_format', 'summaries only, or whole outputs'),
  fresh_context: setting('fresh_context', 'whether related files are looked up'),
};

/** Which children belong to one operator alone. */
export const ONLY_FOR: Readonly<Record<string, Operator>> = {
  prompt: 'atomic',
  output_format: 'atomic',
  steps: 'sequential',
  inner_task: 'reduce',
  reduction_task: 'reduce',
};

export const INPUT_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
