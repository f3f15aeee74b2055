import { orNull } from '../../errors.ts';
import { cutWarnings } from '../../matching/query.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { Evaluating, Surroundings } from '../engine.ts';
import { type Scope, scopeFor, textOf } from '../inputs.ts';
import type { CallAnswer, Frame, Headings, Match, MatchingInput, StepCall } from '../steps.ts';
import { fillPlaceholders, type Task } from '../template/template.ts';
import { cleanText, redactedWarning } from '../text.ts';

export function joinForPrompt(frame: Frame, prompt: string, headings: Headings): string {
  const parts = (['inherited', 'accumulated', 'fresh', 'results'] as const).filter((part) => frame[part] !== '');
  const context = parts.map((part) => `# ${headings[part]}\n\n${frame[part]}\n\n`).join('');
  return context === '' ? prompt : `${context}# ${headings.task}\n\n${prompt}`;
}

interface Filling {
  scope: Scope | null;
  /** What `{{results}}` stands for; empty: an input of that name, if there is one. */
  results?: string;
  /** Stays as it is: a list has no text. */
  list?: string | null;
  /** Told of what was redacted. */
  warnings?: string[];
}

// A description or a prompt with its inputs, which may bring what no model should see.
export function fillText(text: string, { scope, results = '', list = null, warnings }: Filling): string {
  return fillPlaceholders(text, (name) => {
    if (name === list) return name;
    if (name === 'results' && results !== '') return results;
    const { text: clean, kinds } = cleanText(textOf(scope, name));
    if (kinds.length > 0) warnings?.push(redactedWarning(`The input "${name}"`, kinds));
    return clean;
  });
}

/** How later steps know this one: by its name with the inputs filled in, where they have a value. */
export function stepTitle(step: Task, scope: Scope | null): string {
  const filled = orNull(() => fillText(step.name, { scope: scopeFor(step, scope) }));
  return filled === null ? step.name : shownName(filled.split('\n')[0] ?? '');
}

// full: the parent unchanged. none: nothing. subset: what the memory system gives for it, fresh or not. `results`: default those
// around it.
export async function assembleFrame(
  task: Task,
  around: Surroundings,
  { run, seen }: Evaluating,
  results = around.results,
): Promise<{ frame: Frame; scope: Scope | null }> {
  const scope = scopeFor(task, around.scope);
  const { inheritContext, freshContext } = task.settings;
  const { parent, accumulated } = around;
  const list = task.type === 'reduce' ? task.over : null;
  const taskText = fillText(task.description, { scope, results: around.results, list });
  const input: MatchingInput = Object.freeze({
    taskText,
    ...(inheritContext !== 'none' && parent !== '' ? { inheritedContext: parent } : {}),
    ...(accumulated !== '' ? { previousOutputs: accumulated } : {}),
  });
  // Kept like a model's answer: files may change between a crash and its resume.
  const ask = <C extends StepCall>(call: C): Promise<CallAnswer<C>> =>
    run.call(`${around.path}#${call.kind}`, call, around.signal);
  let inherited = inheritContext === 'full' ? parent : '';
  const isFiltered = inheritContext === 'subset' && parent !== '';
  const warnings = isFiltered || freshContext === 'enabled' ? cutWarnings(taskText) : [];
  if (isFiltered) {
    const subset = await ask({ kind: 'filter', input });
    inherited = subset.context;
    if (subset.missed) warnings.push(NO_SUBSET);
  }
  const fresh: string[] = [];
  const matches: Match[] = [];
  const add = (part: CallAnswer<Extract<StepCall, { kind: 'fresh' }>>): void => {
    if (part.text !== '') fresh.push(part.text);
    matches.push(...part.matches);
    warnings.push(...(part.warnings ?? []));
  };
  if (task.filePaths.length > 0)
    add(await ask({ kind: 'files', paths: task.filePaths.map((path) => fillText(path, { scope })) }));
  if (freshContext === 'enabled') {
    const present = [inherited, accumulated, ...fresh].filter((part) => part !== '').join('\n\n');
    add(await ask({ kind: 'fresh', input, maxChars: run.freshMaxChars, present }));
  }
  const frame = Object.freeze({
    ...{ taskText, inherited, accumulated, fresh: fresh.join('\n'), results },
    matches: Object.freeze(matches),
    warnings: Object.freeze([...new Set(warnings)]),
  });
  seen.frame = frame;
  return { frame, scope };
}

const NO_SUBSET = 'inherit_context subset: nothing of the parent context fits the task, so all of it is passed on.';

/** For a task with others below: the names they see, and their parent context, its parts after one another and never merged. */
export async function assembleBelow(task: Task, around: Surroundings, at: Evaluating) {
  const { scope, frame } = await assembleFrame(task, around, at);
  const parent = [frame.inherited, frame.accumulated, frame.fresh].filter((part) => part !== '').join('\n\n');
  return { scope, parent };
}
