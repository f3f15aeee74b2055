import { shownName } from '../../safety/hidden-characters.ts';
import { type Operator, SETTING_NAMES, SETTING_VALUES, type SettingName } from './shape.ts';
import { onlyChild, type ProblemList, type Role, type Settings, type SourceNode } from './template.ts';

// The table of the contract: what holds for all, and by operator or role what differs from it.
const USUAL = {
  inherit_context: 'full',
  accumulate_data: 'false',
  accumulation_format: 'notes_only',
  fresh_context: 'enabled',
};
const ACCUMULATING = { accumulate_data: 'true' };
const DEFAULTS: Readonly<Record<string, Partial<Record<SettingName, string>>>> = {
  sequential: ACCUMULATING,
  director_evaluator_loop: ACCUMULATING,
  script: { fresh_context: 'disabled' },
  approve: { fresh_context: 'disabled' },
  inner_task: { fresh_context: 'disabled' },
};

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

const accumulates = ({ operator }: SettingsSite): boolean => DEFAULTS[operator] === ACCUMULATING;
const isOfContext = (name: SettingName): name is 'inherit_context' | 'fresh_context' =>
  name === 'inherit_context' || name === 'fresh_context';

// In a role of a reduce the role's row goes first; accumulation comes from the operator's.
function rowFor({ role, operator }: SettingsSite, name: SettingName): string {
  return isOfContext(name) && (role === 'inner_task' || role === 'reduction_task') ? role : operator;
}

function defaultFor(site: SettingsSite, name: SettingName): string {
  return DEFAULTS[rowFor(site, name)]?.[name] ?? USUAL[name];
}

export function readSettings(site: SettingsSite, problems: ProblemList): Settings {
  const { block, node, operator, role, file } = site;
  const given = new Map<SettingName, { value: string; line: number }>();
  for (const child of block?.children ?? []) {
    const name = SETTING_NAMES.find((candidate) => candidate === child.name);
    const value = name ? readValue(name, child, problems) : null;
    if (name && value !== null && !given.has(name)) given.set(name, { value, line: child.line });
  }
  if (block) reportBlock(site, block, given.get('accumulate_data')?.value, problems);
  // A step that waits for the person takes no block.
  else if (node.complete && operator !== 'approve') {
    const hint = 'Write the block, or leave out --strict to take the defaults.';
    problems.omission(node, `The ${operator} task has no <context_management>.`, hint, 'silent');
  }
  const value = (name: SettingName) => given.get(name)?.value ?? defaultFor(site, name);
  const accumulateData = accumulates(site) && value('accumulate_data') === 'true';
  const origin = (name: SettingName): string => {
    if (!accumulates(site) && !isOfContext(name)) return `does not apply to ${operator}`;
    const own = given.get(name);
    return own ? `${file}:${own.line}` : `default of ${rowFor(site, name)}`;
  };
  const settings = {
    inheritContext: value('inherit_context') as Settings['inheritContext'],
    accumulateData,
    accumulationFormat: accumulateData ? (value('accumulation_format') as Settings['accumulationFormat']) : null,
    freshContext: value('fresh_context') as Settings['freshContext'],
    origins: Object.fromEntries(SETTING_NAMES.map((name) => [name, origin(name)])) as Settings['origins'],
  };
  const { inheritContext, freshContext } = settings;
  const isFed = (role !== 'task' && role !== 'step') || site.fedBySequence || ['script', 'approve'].includes(operator);
  // An inner task has its input, a reduction the inner results, a step of an accumulating sequence what came before.
  if (block?.complete && !isFed && inheritContext === 'none' && !accumulateData && freshContext === 'disabled')
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
    problems.error(node, `"${shownName(value)}" is not a value of ${name}.`, `Write one of: ${values.join(', ')}.`);
  return alias ?? null;
}

// What a block leaves out, and what in it does nothing.
function reportBlock(site: SettingsSite, block: SourceNode, accumulated: string | undefined, problems: ProblemList) {
  const isNeeded = { accumulate_data: accumulates(site), accumulation_format: accumulated === 'true' };
  for (const name of SETTING_NAMES) {
    if (!block.complete || onlyChild(block, name) || !(isOfContext(name) || isNeeded[name])) continue;
    const value = defaultFor(site, name);
    const hint = `Add <${name}>${value}</${name}>.`;
    if (name === 'fresh_context')
      problems.omission(block, `fresh_context is left out; ${value} is used.`, hint, 'warning');
    else problems.error(block, `${name} is missing in this block.`, hint);
  }
  for (const child of block.children) {
    const isFormat = child.name === 'accumulation_format';
    if (!accumulates(site) && (isFormat || child.name === 'accumulate_data'))
      problems.warning(child, `${child.name} has no effect in a task of type ${site.operator}.`, 'Take it out.');
    else if (isFormat && accumulated === 'false') {
      const message = 'accumulation_format has no effect while accumulate_data is false.';
      problems.warning(child, message, 'Take it out, or set accumulate_data to true.');
    }
  }
}
