import { shownName } from '../../safety/hidden-characters.ts';
import { type Operator, type ROLES, SETTING_NAMES, SETTING_VALUES, type SettingName } from './shape.ts';
import type { ProblemList, SourceNode } from './source.ts';

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

type Values = Record<SettingName, string | null>;

// The table of the contract; null: does not apply.
const DEFAULTS: Readonly<Record<Operator | 'inner_task' | 'reduction_task', Values>> = {
  atomic: row('full', null, null, 'enabled'),
  sequential: row('full', 'true', 'notes_only', 'enabled'),
  reduce: row('full', null, null, 'enabled'),
  inner_task: row('full', null, null, 'disabled'),
  reduction_task: row('full', null, null, 'enabled'),
  call: row('full', null, null, 'enabled'),
  script: row('full', null, null, 'disabled'),
  director_evaluator_loop: row('full', 'true', 'notes_only', 'enabled'),
  approve: row('full', null, null, 'disabled'),
};

const ACCUMULATES: readonly Operator[] = ['sequential', 'director_evaluator_loop'];

function row(inherit: string, accumulate: string | null, format: string | null, fresh: string): Values {
  return {
    inherit_context: inherit,
    accumulate_data: accumulate,
    accumulation_format: format,
    fresh_context: fresh,
  };
}

/** Names that a later edition of the format uses. */
const ALIASES: Readonly<Record<string, string>> = { minimal: 'notes_only', full: 'full_output' };

export interface SettingsSite {
  operator: Operator;
  role: Role;
  file: string;
  /** The task's own place, for what is left out. */
  node: SourceNode;
  block: SourceNode | null;
  /** An accumulating sequence feeds this step whatever its own block says. */
  fedBySequence: boolean;
}

export function readSettings(site: SettingsSite, problems: ProblemList): Settings {
  const given = site.block ? readBlock(site, site.block, problems) : new Map<SettingName, Given>();
  // A step that waits for the person takes no block.
  if (!site.block && site.node.complete && site.operator !== 'approve') {
    problems.omission(
      site.node,
      `The ${site.operator} task has no <context_management>.`,
      'Write the block, or leave out --strict to take the defaults.',
      'silent',
    );
  }
  const settings = settle(site, given);
  if (site.block?.complete && seesNothing(site, settings)) {
    problems.warning(
      site.block,
      'This task gets no context at all: nothing inherited, nothing accumulated, nothing fresh.',
      'Enable one of the three, or keep it so if the prompt says everything.',
    );
  }
  return settings;
}

interface Given {
  value: string;
  origin: string;
}

function readBlock(site: SettingsSite, block: SourceNode, problems: ProblemList): Map<SettingName, Given> {
  const given = new Map<SettingName, Given>();
  const stands = new Set<string>();
  for (const child of block.children) {
    const name = SETTING_NAMES.find((candidate) => candidate === child.name);
    if (!name) continue;
    stands.add(name);
    const value = readValue(name, child, problems);
    if (value !== null && !given.has(name)) given.set(name, { value, origin: `${site.file}:${child.line}` });
  }
  if (block.complete) reportMissing(site, block, { given, stands }, problems);
  reportIdle(site, block, given, problems);
  return given;
}

function readValue(name: SettingName, node: SourceNode, problems: ProblemList): string | null {
  const value = node.text.trim();
  const values: readonly string[] = SETTING_VALUES[name];
  if (values.includes(value)) return value;
  const alias = name === 'accumulation_format' && Object.hasOwn(ALIASES, value) ? ALIASES[value] : undefined;
  if (alias) {
    problems.warning(node, `"${value}" is another name for "${alias}".`, `Write ${alias}.`);
    return alias;
  }
  // An empty one is reported as such where all elements are.
  if (value !== '' && node.complete) {
    problems.error(
      node,
      `"${shownName(value)}" is not a value of ${name}.`,
      `Write one of: ${values.join(', ')}; exactly like this, in lower case.`,
    );
  }
  return null;
}

function reportMissing(
  site: SettingsSite,
  block: SourceNode,
  read: { given: Map<SettingName, Given>; stands: Set<string> },
  problems: ProblemList,
): void {
  const { given, stands } = read;
  if (!stands.has('inherit_context')) {
    problems.error(block, 'inherit_context is missing in this block.', 'Add <inherit_context>full</inherit_context>.');
  }
  if (ACCUMULATES.includes(site.operator) && !stands.has('accumulate_data')) {
    const what = site.operator === 'sequential' ? 'sequential task' : 'loop';
    problems.error(
      block,
      `accumulate_data is missing in the block of a ${what}.`,
      'Add <accumulate_data>true</accumulate_data> and its format, or false.',
    );
  }
  if (given.get('accumulate_data')?.value === 'true' && !stands.has('accumulation_format')) {
    problems.error(
      block,
      'accumulate_data is true, but accumulation_format is missing.',
      'Add <accumulation_format>notes_only</accumulation_format> or full_output.',
    );
  }
  if (!stands.has('fresh_context')) {
    const filled = defaultFor(site, 'fresh_context');
    problems.omission(
      block,
      `fresh_context is left out; ${filled} is used.`,
      `Add <fresh_context>${filled}</fresh_context>.`,
      'warning',
    );
  }
}

function reportIdle(
  site: SettingsSite,
  block: SourceNode,
  given: Map<SettingName, Given>,
  problems: ProblemList,
): void {
  for (const child of block.children) {
    if (child.name !== 'accumulate_data' && child.name !== 'accumulation_format') continue;
    if (!ACCUMULATES.includes(site.operator)) {
      problems.warning(
        child,
        `${child.name} has no effect in a task of type ${site.operator}.`,
        'Only a sequence or a loop accumulates: take it out, or set it there.',
      );
    } else if (child.name === 'accumulation_format' && given.get('accumulate_data')?.value === 'false') {
      problems.warning(
        child,
        'accumulation_format has no effect while accumulate_data is false.',
        'Take it out, or set accumulate_data to true.',
      );
    }
  }
}

function settle(site: SettingsSite, given: Map<SettingName, Given>): Settings {
  const accumulates = ACCUMULATES.includes(site.operator);
  const value = (name: SettingName) => given.get(name)?.value ?? defaultFor(site, name);
  const accumulateData = accumulates && value('accumulate_data') === 'true';
  const inRole = site.role === 'inner_task' || site.role === 'reduction_task';
  const origin = (name: SettingName): string => {
    const applies = accumulates || (name !== 'accumulate_data' && name !== 'accumulation_format');
    if (!applies) return `does not apply to ${site.operator}`;
    const fromRole = inRole && (name === 'inherit_context' || name === 'fresh_context');
    return given.get(name)?.origin ?? `default of ${fromRole ? site.role : site.operator}`;
  };
  return {
    inheritContext: value('inherit_context') as Settings['inheritContext'],
    accumulateData,
    accumulationFormat: accumulateData
      ? ((value('accumulation_format') ?? 'notes_only') as 'notes_only' | 'full_output')
      : null,
    freshContext: value('fresh_context') as Settings['freshContext'],
    origins: {
      inherit_context: origin('inherit_context'),
      accumulate_data: origin('accumulate_data'),
      accumulation_format: origin('accumulation_format'),
      fresh_context: origin('fresh_context'),
    },
  };
}

// In a role of a reduce the role's row goes first; what it leaves open (accumulation) comes from the operator's row.
function defaultFor(site: SettingsSite, name: SettingName): string | null {
  const ofRole = site.role === 'inner_task' || site.role === 'reduction_task' ? DEFAULTS[site.role][name] : null;
  return ofRole ?? DEFAULTS[site.operator][name];
}

// An inner task has its input, a reduction the inner results, a step of an accumulating sequence what came before.
function seesNothing(site: SettingsSite, settings: Settings): boolean {
  if ((site.role !== 'task' && site.role !== 'step') || site.fedBySequence) return false;
  if (site.operator === 'script' || site.operator === 'approve') return false;
  return settings.inheritContext === 'none' && !settings.accumulateData && settings.freshContext === 'disabled';
}
