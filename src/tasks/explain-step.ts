import type { Part, RunReport, StepRecord } from './engine.ts';
import type { Match } from './steps.ts';
import { type SequentialTask, type Task, tasksIn } from './template/template.ts';

export const PARTS = ['question', 'inherited', 'accumulated', 'fresh', 'results', 'output'] as const;
type PartName = (typeof PARTS)[number];

interface ExplainedPart extends Part {
  part: PartName;
  /** Where it came from. */
  from: string;
  /** The setting that let it in or kept it out, and where that was said. */
  why: string;
}

export interface ExplainedStep extends Pick<StepRecord, 'path' | 'name' | 'type' | 'status' | 'model'> {
  parts: ExplainedPart[];
  matches: readonly Match[];
  warnings: readonly string[];
}

// What one step saw, from where, how large, and why.
export function explainStep({ spec }: Pick<RunReport, 'spec'>, record: StepRecord): ExplainedStep {
  const { path, name, type, status, model, matches, warnings = [] } = record;
  const task = taskAt(spec.task, record.id) ?? spec.task;
  const parent = parentPath(path);
  const file = calledTemplate(spec.task, record.id) ?? spec.file;
  const says = sayings(task, spec.task, { parent, file, root: rootWords(spec.root) });
  const parts = PARTS.map((part) => ({ part, ...record[part], ...says[part] }));
  return { path, name, type, status, model, parts, matches, warnings };
}

type Sayings = Record<PartName, { from: string; why: string }>;

function rootWords(root: RunReport['spec']['root']): string {
  const parts = [root?.memory ? `memory of ${root.memory}` : '', root?.load ? `a bundle for "${root.load}"` : ''];
  const said = parts.filter((part) => part !== '').join(', ');
  return said === '' ? 'the context of the run' : `the context of the run (${said})`;
}

function sayings(
  task: Task,
  root: Task,
  { parent, file, root: runContext }: { parent: string | null; file: string; root: string },
): Sayings {
  const { inheritContext, freshContext, origins } = task.settings;
  const above = parent === null ? runContext : `the context of ${parent}`;
  const sequence = sequenceAround(task, root);
  return {
    question: { from: `${file}:${task.line}`, why: 'the prompt, with its inputs filled in' },
    inherited: {
      from: inheritContext === 'none' ? '' : inheritContext === 'subset' ? `${above}, what fits the task` : above,
      why: `inherit_context ${inheritContext} · ${origins.inherit_context}`,
    },
    accumulated: sequence
      ? {
          from: sequence.settings.accumulateData ? `earlier steps of ${parent ?? sequence.id}` : '',
          why: sequence.settings.accumulateData
            ? `accumulation_format ${sequence.settings.accumulationFormat} · ${sequence.settings.origins.accumulation_format}`
            : `accumulate_data false · ${sequence.settings.origins.accumulate_data}`,
        }
      : { from: '', why: 'no sequence around it' },
    fresh: {
      from: freshContext === 'enabled' ? 'files of the project, best passages first' : '',
      why: `fresh_context ${freshContext} · ${origins.fresh_context}`,
    },
    results: {
      from: task.role === 'reduction_task' ? `the inner tasks of ${parent ?? ''}` : '',
      why: task.role === 'reduction_task' ? 'a reduction combines them' : 'only a reduction gets results',
    },
    output: { from: OUTPUT_FROM[task.type] ?? 'what is below', why: '' },
  };
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

function sequenceAround(task: Task, root: Task): SequentialTask | null {
  const parent = task.role === 'step' ? taskAt(root, parentPath(task.id) ?? '') : null;
  return parent?.type === 'sequential' ? parent : null;
}
