import { shownName } from '../../safety/hidden-characters.ts';
import type { SomeLimits } from '../results.ts';
import { checkElement, typeOf } from './check-element.ts';
import { readSettings } from './context-settings.ts';
import {
  assertJudges,
  assertParameters,
  firstLine,
  readFilePaths,
  readInputs,
  readLimits,
  readLoop,
  readOutputFormat,
  readRootContext,
  readScript,
  reportUnknownNames,
  wholeNumber,
} from './read-task-parts.ts';
import { ELEMENTS, INPUT_NAME, OPERATORS, type Operator, ROLES } from './shape.ts';
import {
  attribute,
  DEFAULT_CONCURRENCY,
  headOf,
  type InputSpec,
  onlyChild,
  type ProblemList,
  placeholdersIn,
  type Role,
  type SourceNode,
  type Task,
  tasksIn,
} from './template.ts';

/** What tells of a template, and leads on to those that it calls. */
export interface Building {
  file: string;
  problems: ProblemList;
  /** The template that a call names, built for its place; null: it was reported why not. */
  called(name: string, node: SourceNode, at: CallSite): Task | null;
}

export interface CallSite {
  id: string;
  role: Role;
  /** What the tasks around it let its steps use. */
  limits: SomeLimits;
  /** The model that they name, for what names none itself. */
  model: string | null;
  fedBySequence: boolean;
  /** The block of a call, or around a `<task>` inside `<inner_task>`: it goes before the task's own. */
  outerBlock: SourceNode | null;
}

interface Site extends CallSite, Building {
  /** Names that a prompt here may use. */
  names: ReadonlySet<string>;
  /** Names of earlier steps that an input may come from. */
  steps: ReadonlySet<string>;
  /** What an unwritten definition falls back to. */
  description: string;
}

const OUTERMOST: Omit<Site, keyof Building> = {
  ...{ role: 'task', id: '1', limits: {}, model: null, fedBySequence: false, outerBlock: null },
  ...{ names: new Set(), steps: new Set(), description: '' },
};

export function buildTemplate(root: SourceNode, building: Building, called: CallSite | null = null): Task | null {
  if (root.name === 'task') return buildTask(root, { ...OUTERMOST, ...called, ...building });
  const message = `The template starts with <${shownName(root.name)}>.`;
  building.problems.error(root, message, `Start with <task type="${OPERATORS.join('|')}">.`);
  return null;
}

function buildTask(node: SourceNode, site: Site): Task {
  const { problems, role, fedBySequence } = site;
  checkElement(node, problems);
  const inside = isRole(role) ? onlyChild(node, 'task') : null;
  if (inside) return buildWrapped(node, inside, site);

  const type = readType(node);
  const block = site.outerBlock ?? onlyChild(node, 'context_management');
  const settings = readSettings({ operator: type, role, file: site.file, node, block, fedBySequence }, problems);
  reportMisplaced(node, type, problems);
  const description = readDescription(node, type, site);
  const inputs = readInputs(node, site.steps, problems);
  const names = new Set([...site.names, ...inputs.map(({ name }) => name)]);
  const base = {
    ...{ id: site.id, line: node.line, column: node.column, role },
    name: attribute(node, 'name') || firstLine(description),
    description,
    inputs,
    settings,
    model: attribute(node, 'model') || site.model,
    limits: { ...site.limits, ...readLimits(node) },
    filePaths: readFilePaths(node, names, problems),
    rootContext: readRootContext(node, site.id === '1', problems),
  };
  const { limits, model } = base;
  // Where a task is missing that was reported: so that the rest can be checked.
  const stub: Task = { type: 'approve', ...base };
  const around = { names, description, limits, model, fedBySequence: settings.accumulateData, outerBlock: null };
  const below: Site = { ...site, ...around };
  switch (type) {
    case 'atomic': {
      const promptNode = onlyChild(node, 'prompt');
      const prompt = promptNode?.text.trim() || description;
      const promptSite = promptNode ?? onlyChild(node, 'description') ?? node;
      reportUnknownNames(promptSite, prompt, names, problems);
      return { type, ...base, prompt, outputFormat: readOutputFormat(node, problems) };
    }
    case 'sequential':
      return { type, ...base, steps: buildSteps(node, below) };
    case 'script': {
      const script = readScript(node, problems);
      reportUnknownNames(onlyChild(node, 'prompt') ?? node, script.prompt, names, problems);
      return { type, ...base, ...script };
    }
    case 'approve':
      reportUnknownNames(onlyChild(node, 'description') ?? node, description, names, problems);
      return { type, ...base };
    case 'director_evaluator_loop':
      return { type, ...base, ...buildLoop(node, below, stub) };
    case 'call': {
      const template = attribute(node, 'template') ?? '';
      const at = { id: `${site.id}.call`, role, limits, model, fedBySequence, outerBlock: block };
      const target = template === '' ? null : site.called(template, node, at);
      if (target) assertParameters(node, { given: inputs, target, template }, problems);
      for (const { fallback } of inputs)
        if (fallback !== null) reportUnknownNames(node, fallback, site.names, problems);
      return { type, ...base, template, target: target ?? stub };
    }
    case 'reduce':
      return { type, ...base, ...buildReduce(node, { ...below, fedBySequence: false }, stub, inputs) };
  }
}

// <inner_task><context_management/><task>…</task></inner_task>: the task inside plays the role, with the block around it.
function buildWrapped(node: SourceNode, inside: SourceNode, site: Site): Task {
  const { problems } = site;
  const block = onlyChild(node, 'context_management');
  const own = onlyChild(inside, 'context_management');
  if (block && own) {
    const message = `The context of this ${site.role} is set twice.`;
    problems.error(own, message, `Keep the block in <${site.role}> or the one in its <task>.`);
  }
  for (const child of node.children) {
    if (child === inside || child.name === 'context_management' || child.name === 'description') continue;
    const message = `<${shownName(child.name)}> has no effect beside <task>.`;
    problems.warning(child, message, 'Move it into <task>.');
  }
  const description = onlyChild(node, 'description')?.text.trim() || site.description;
  return buildTask(inside, { ...site, outerBlock: block, description });
}

function readType(node: SourceNode): Operator {
  const type = OPERATORS.find((operator) => operator === typeOf(node));
  if (type && (attribute(node, 'type') !== undefined || node.name !== 'task')) return type;
  // The shape has already reported a wrong or missing value; go on with what the children speak for.
  const owners = node.children.map(({ name }) => ELEMENTS[name]?.only?.[0]);
  return owners.find((operator) => operator && operator !== 'atomic') ?? 'atomic';
}

function reportMisplaced(node: SourceNode, type: Operator, problems: ProblemList): void {
  // Of what is not closed nobody knows what belongs to it.
  for (const child of node.complete ? node.children : []) {
    const owners = ELEMENTS[child.name]?.only;
    const [owner] = owners ?? [];
    if (!owner || owners?.includes(type)) continue;
    const message = `<${child.name}> does not belong in a task of type ${type}.`;
    if (owner === 'atomic')
      problems.warning(child, `${message} It has no effect.`, 'Move it to the task that asks a model.');
    else problems.error(child, message, `Set type="${owner}" on the task, or take it out.`);
  }
}

function readDescription(node: SourceNode, type: Operator, site: Site): string {
  const { problems } = site;
  const child = onlyChild(node, 'description');
  if (child) return child.text.trim();
  if (type === 'call') return `Call ${attribute(node, 'template') ?? ''}`;
  const hint = 'Add <description>what it is about</description>.';
  const isDraft = isRole(site.role) && node.children.every(({ name }) => name === 'context_management');
  const severity = node.hasComment ? 'silent' : 'warning';
  if (isDraft && node.complete) problems.omission(node, `This ${site.role} is still to be written.`, hint, severity);
  else if (node.complete) problems.error(node, `<${node.name}> has no description.`, hint);
  return site.description;
}

function buildSteps(node: SourceNode, below: Site): Task[] {
  const { problems } = below;
  const steps = onlyChild(node, 'steps');
  if (!steps) {
    if (node.complete) problems.error(node, 'A sequential task has no <steps>.', 'Add <steps> with a <task> for each.');
    return [];
  }
  checkElement(steps, problems);
  const tasks = steps.children.filter(({ name }) => name === 'task' || name === 'call' || name === 'approve');
  const known = new Set(below.steps);
  const hint = 'Add a <task> for each step.';
  if (steps.complete && steps.children.length === 0)
    problems.omission(steps, 'The steps are still to be written.', hint, steps.hasComment ? 'silent' : 'warning');
  else if (steps.complete && tasks.length === 0) problems.error(steps, 'There is no <task> in <steps>.', hint);
  return tasks.map((step, index) => {
    const site: Site = { ...below, role: 'step', steps: new Set(known), id: `${below.id}.${index + 1}` };
    const task = buildTask(step, site);
    // An input may name this step by its number, or by its name where that is one word.
    const name = attribute(step, 'name') ?? '';
    known.add(String(index + 1)).add(INPUT_NAME.test(name) ? name : String(index + 1));
    return task;
  });
}

function isRole(role: Role): boolean {
  return ROLES.some((name) => name === role);
}

/** A task of a loop or a reduce; `names`: those that it may use beyond the ones around it. */
function buildPart(node: SourceNode, part: (typeof ROLES)[number], below: Site, names: readonly string[]): Task | null {
  const child = onlyChild(node, part);
  const id = `${below.id}.${part.replace('_task', '')}`;
  if (child) return buildTask(child, { ...below, role: part, id, names: new Set([...below.names, ...names]) });
  const message = `A ${part.endsWith('_task') ? 'reduce task' : 'loop'} has no <${part}>.`;
  if (node.complete && part !== 'script') below.problems.error(node, message, `Add <${part}> with a <description>.`);
  return null;
}

function buildLoop(node: SourceNode, around: Site, stub: Task) {
  // In the first round there is no earlier one: then an input from it has its default.
  const steps = new Set([...around.steps, 'director', 'script', 'evaluator']);
  const below = { ...around, steps, fedBySequence: true };
  const director = buildPart(node, 'director', below, ['round']) ?? stub;
  const script = buildPart(node, 'script', below, ['round', 'results']);
  const evaluator = buildPart(node, 'evaluator', below, ['round', 'results']) ?? stub;
  assertJudges(node, evaluator, around.problems);
  return { director, script, evaluator, ...readLoop(node) };
}

function buildReduce(node: SourceNode, below: Site, stub: Task, inputs: readonly InputSpec[]) {
  const over = readOver(node, below, inputs);
  const names = ['item', 'key', 'index', ...(over ? [over] : [])];
  return {
    over,
    inner: withItem(buildPart(node, 'inner_task', below, names) ?? stub, names),
    reduction: buildPart(node, 'reduction_task', below, ['results']) ?? stub,
    concurrency: wholeNumber(attribute(node, 'concurrency')) ?? DEFAULT_CONCURRENCY,
    fanIn: wholeNumber(attribute(node, 'fan_in')),
  };
}

const inputNames = ({ inputs }: Task): string[] => inputs.map(({ name }) => name);

// An inner task that names its input nowhere gets it after its prompt, as a reduction gets its results.
function withItem(inner: Task, names: readonly string[]): Task {
  const read = [placeholdersIn(JSON.stringify(inner)).map(headOf), tasksIn(inner).flatMap(inputNames)].flat();
  const isRead = read.some((name) => names.includes(name));
  const isAsked = inner.type === 'atomic' || inner.type === 'script';
  return isRead || !isAsked ? inner : { ...inner, prompt: `${inner.prompt}\n\n{{item}}`.trimStart() };
}

function readOver(node: SourceNode, { names, problems }: Site, [first, second]: readonly InputSpec[]): string | null {
  const given = node.attributes.find(({ name }) => name === 'over');
  const name = given?.value.trim() ?? first?.name ?? null;
  if (given && name !== null && !names.has(name)) {
    problems.error(given, `over="${shownName(name)}" names no input.`, 'Declare it in <inputs>.');
  } else if (!given && first && second) {
    const hint = `Say which one: over="${first.name}".`;
    problems.error(node, 'This reduce has several inputs and does not say which one is the list.', hint);
  }
  return name;
}
