import { shownName } from '../../safety/hidden-characters.ts';
import { type Operator, SETTING_NAMES, SETTING_VALUES, type SettingName } from './shape.ts';
import { onlyChild, type ProblemList, type Role, type Settings, type SourceNode } from './template.ts';

// The table of the contract, where it differs from full, nothing accumulated, enabled.
const ACCUMULATING = { accumulate_data: 'true', accumulation_format: 'notes_only' } as const;
const DEFAULTS: Readonly<Record<string, Partial<Record<SettingName, string>>>> = {
  sequential: ACCUMULATING,
  director_evaluator_loop: ACCUMULATING,
  script: { fresh_context: 'disabled' },
  approve: { fresh_context: 'disabled' },
  inner_task: { fresh_context: 'disabled' },
};

const ACCUMULATES: readonly Operator[] = ['sequential', 'director_evaluator_loop'];

/** Names that a later edition of the format uses. */
const ALIASES: Readonly<Record<string, string>> = { minimal: 'notes_only', full: 'full_output' };

interface SettingsSite {
  operator: Operator;
  role: Role;
  file: string;
  /** The task's own place, for what is left out. */
  node: SourceNode;
  block: SourceNode | null;
  /** An accumulating sequence feeds this step whatever its own block says. */
  fedBySequence: boolean;
}

type Given = ReadonlyMap<SettingName, { value: string; line: number }>;

export function readSettings(site: SettingsSite, problems: ProblemList): Settings {
  const { block, node, operator } = site;
  const given = new Map<SettingName, { value: string; line: number }>();
  for (const child of block?.children ?? []) {
    const name = SETTING_NAMES.find((candidate) => candidate === child.name);
    const value = name ? readValue(name, child, problems) : null;
    if (name && value !== null && !given.has(name)) given.set(name, { value, line: child.line });
  }
  const settings = withDefaults(site, given);
  if (block) reportBlock(site, block, given, problems);
  // A step that waits for the person takes no block.
  else if (node.complete && operator !== 'approve') {
    const hint = 'Write the block, or leave out --strict to take the defaults.';
    problems.omission(node, `The ${operator} task has no <context_management>.`, hint, 'silent');
  }
  if (block?.complete && seesNothing(site, settings))
    problems.warning(
      block,
      'This task gets no context at all: nothing inherited, nothing accumulated, nothing fresh.',
      'Enable one of the three, or keep it so if the prompt says everything.',
    );
  return settings;
}

function readValue(name: SettingName, node: SourceNode, problems: ProblemList): string | null {
  const value = node.text.trim();
  const values: readonly string[] = SETTING_VALUES[name];
  if (values.includes(value)) return value;
  const alias = name === 'accumulation_format' && Object.hasOwn(ALIASES, value) ? ALIASES[value] : undefined;
  if (alias) problems.warning(node, `"${value}" is another name for "${alias}".`, `Write ${alias}.`);
  // An empty one is reported as such where all elements are.
  else if (value !== '' && node.complete)
    problems.error(
      node,
      `"${shownName(value)}" is not a value of ${name}.`,
      `Write one of: ${values.join(', ')}; exactly like this, in lower case.`,
    );
  return alias ?? null;
}

// What a block leaves out, and what in it does nothing.
function reportBlock(site: SettingsSite, block: SourceNode, given: Given, problems: ProblemList): void {
  const { operator } = site;
  const accumulates = ACCUMULATES.includes(operator);
  const accumulated = given.get('accumulate_data')?.value;
  const lacks = (name: SettingName): boolean => block.complete && !onlyChild(block, name);
  const kind = operator === 'sequential' ? 'sequential task' : 'loop';
  if (lacks('inherit_context'))
    problems.error(block, 'inherit_context is missing in this block.', 'Add <inherit_context>full</inherit_context>.');
  if (accumulates && lacks('accumulate_data')) {
    const hint = 'Add <accumulate_data>true</accumulate_data> and its format, or false.';
    problems.error(block, `accumulate_data is missing in the block of a ${kind}.`, hint);
  }
  if (accumulated === 'true' && lacks('accumulation_format')) {
    const hint = 'Add <accumulation_format>notes_only</accumulation_format> or full_output.';
    problems.error(block, 'accumulate_data is true, but accumulation_format is missing.', hint);
  }
  const fresh = defaultFor(site, 'fresh_context');
  const hint = `Add <fresh_context>${fresh}</fresh_context>.`;
  if (lacks('fresh_context')) problems.omission(block, `fresh_context is left out; ${fresh} is used.`, hint, 'warning');
  for (const child of block.children) {
    const isFormat = child.name === 'accumulation_format';
    const outside = 'Only a sequence or a loop accumulates: take it out, or set it there.';
    if (!accumulates && (isFormat || child.name === 'accumulate_data'))
      problems.warning(child, `${child.name} has no effect in a task of type ${operator}.`, outside);
    else if (isFormat && accumulated === 'false') {
      const message = 'accumulation_format has no effect while accumulate_data is false.';
      problems.warning(child, message, 'Take it out, or set accumulate_data to true.');
    }
  }
}

function withDefaults(site: SettingsSite, given: Given): Settings {
  const { operator, role, file } = site;
  const accumulates = ACCUMULATES.includes(operator);
  const value = (name: SettingName) => given.get(name)?.value ?? defaultFor(site, name);
  const accumulateData = accumulates && value('accumulate_data') === 'true';
  const origin = (name: SettingName): string => {
    const isOfContext = name === 'inherit_context' || name === 'fresh_context';
    if (!accumulates && !isOfContext) return `does not apply to ${operator}`;
    const own = given.get(name);
    return own ? `${file}:${own.line}` : `default of ${hasOwnRow(role) && isOfContext ? role : operator}`;
  };
  return {
    inheritContext: value('inherit_context') as Settings['inheritContext'],
    accumulateData,
    accumulationFormat: accumulateData ? (value('accumulation_format') as Settings['accumulationFormat']) : null,
    freshContext: value('fresh_context') as Settings['freshContext'],
    origins: Object.fromEntries(SETTING_NAMES.map((name) => [name, origin(name)])) as Settings['origins'],
  };
}

// In a role of a reduce the role's row goes first; accumulation comes from the operator's.
function defaultFor({ role, operator }: SettingsSite, name: SettingName): string {
  const isOfContext = name === 'inherit_context' || name === 'fresh_context';
  const usual = name === 'inherit_context' ? 'full' : name === 'fresh_context' ? 'enabled' : 'notes_only';
  return DEFAULTS[hasOwnRow(role) && isOfContext ? role : operator]?.[name] ?? usual;
}

function hasOwnRow(role: Role): boolean {
  return role === 'inner_task' || role === 'reduction_task';
}

// An inner task has its input, a reduction the inner results, a step of an accumulating sequence what came before.
function seesNothing(site: SettingsSite, settings: Settings): boolean {
  if ((site.role !== 'task' && site.role !== 'step') || site.fedBySequence) return false;
  if (site.operator === 'script' || site.operator === 'approve') return false;
  return settings.inheritContext === 'none' && !settings.accumulateData && settings.freshContext === 'disabled';
}
