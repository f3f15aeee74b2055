import { compareCodePoints } from '../code-points.ts';
import { isRecord } from '../json.ts';
import { type RunReport, SEEN_PARTS, type StepRecord } from './engine.ts';
import { type Task, tasksIn } from './template/template.ts';

export type ExplainedStep = ReturnType<typeof explainStep>;

// What one step saw, from where, how large, and why.
export function explainStep({ spec }: Pick<RunReport, 'spec'>, record: StepRecord) {
  const { path, name, key, type, status, model, matches, warnings = [] } = record;
  const task = taskAt(spec.task, record.id) ?? spec.task;
  const { inheritContext, freshContext, origins } = task.settings;
  const parent = parentPath(path) ?? '';
  const above = parent === '' ? rootWords(spec.root) : `the context of ${parent}`;
  const around = task.role === 'step' ? taskAt(spec.task, parentPath(task.id) ?? '') : null;
  const sequence = around?.type === 'sequential' ? around.settings : null;
  // Where it came from, and the setting that let it in or kept it out, with the place where that was said.
  const says: Record<(typeof SEEN_PARTS)[number], [from: string, why: string]> = {
    question: [
      `${calledTemplate(spec.task, record.id) ?? spec.file}:${task.line}`,
      'the prompt, with its inputs filled in',
    ],
    inherited: [
      inheritContext === 'none' ? '' : inheritContext === 'subset' ? `${above}, what fits the task` : above,
      `inherit_context ${inheritContext} · ${origins.inherit_context}`,
    ],
    accumulated: !sequence
      ? ['', 'no sequence around it']
      : sequence.accumulateData
        ? [
            `earlier steps of ${parent}`,
            `accumulation_format ${sequence.accumulationFormat} · ${sequence.origins.accumulation_format}`,
          ]
        : ['', `accumulate_data false · ${sequence.origins.accumulate_data}`],
    fresh: [
      freshContext === 'enabled' ? 'files of the project, best passages first' : '',
      `fresh_context ${freshContext} · ${origins.fresh_context}`,
    ],
    results:
      task.role === 'reduction_task'
        ? [`the inner tasks of ${parent}`, 'a reduction combines them']
        : ['', 'only a reduction gets results'],
    output: [OUTPUT_FROM[task.type] ?? 'what is below', ''],
  };
  const parts = SEEN_PARTS.map((part) => ({ part, ...record[part], from: says[part][0], why: says[part][1] }));
  return { path, name, ...(key === undefined ? {} : { key }), type, status, model, parts, matches, warnings };
}

/** By their place, below before above: as they end where nothing is done at the same time or again. */
export function inPlace(seen: readonly StepRecord[]): StepRecord[] {
  // In a round the script comes before who judges it.
  const placed = seen.map((record) => ({
    record,
    place: `${record.path.replace(/\.evaluator\b/g, '.zevaluator').replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'))}~`,
  }));
  return placed.sort((a, b) => compareCodePoints(a.place, b.place)).map(({ record }) => record);
}

/** Of a file that was found, which lines of it, and by which words. */
export function foundBy(why: unknown): string[] {
  const { lines, words } = isRecord(why) ? why : {};
  const at = Array.isArray(lines) ? `lines ${lines.join(', ')}` : '';
  return [at, Array.isArray(words) ? words.join(', ') : ''].filter((part) => part !== '');
}

export function tokensRead({ question, inherited, accumulated, fresh, results }: StepRecord): number {
  return [question, inherited, accumulated, fresh, results].reduce((sum, { tokens }) => sum + tokens, 0);
}

function rootWords(root: RunReport['spec']['root']): string {
  const parts = [root?.memory ? `memory of ${root.memory}` : '', root?.load ? `a bundle for "${root.load}"` : ''];
  const said = parts.filter((part) => part !== '').join(', ');
  return said === '' ? 'the context of the run' : `the context of the run (${said})`;
}

const OUTPUT_FROM: Partial<Record<Task['type'], string>> = {
  atomic: 'the model',
  script: 'the program',
  approve: 'the person',
};

// `1.2.inner:17` is at `1.2.inner` of the template. What a call leads to is in the place of the call.
function parentPath(path: string): string | null {
  const own = path.replace(/(?:\.call)+$/, '');
  const cut = own.lastIndexOf('.');
  return cut === -1 ? null : own.slice(0, cut);
}

// The lines of a task in a template that was called are lines of that one.
function calledTemplate(root: Task, id: string): string | null {
  const calls = [...id.matchAll(/\.call(?=\.|$)/g)];
  const last = calls.at(-1);
  const call = last && taskAt(root, id.slice(0, last.index));
  return call?.type === 'call' ? call.template : null;
}

function taskAt(root: Task, id: string): Task | null {
  return tasksIn(root).find((task) => task.id === id) ?? null;
}
