import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { withFile } from '../files/open-file.ts';
import { isInside } from '../files/path-scope.ts';
import { resolve } from '../files/paths.ts';
import { readRange } from '../files/read-text.ts';
import { sha256 } from '../files/sha256.ts';
import { matchingUseCases } from '../project/match-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { openApp } from '../settings/io/open-app.ts';
import { rememberingCounter } from '../tokens.ts';
import { extractModel } from './extract-model.ts';
import type { Inputs } from './inputs.ts';
import { spillingStore } from './io/result-store.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { MemorySystem } from './memory-system.ts';
import type { Model } from './model.ts';
import { evaluateTask } from './operators/evaluate.ts';
import { DEFAULT_HEADINGS, type Headings } from './operators/frame.ts';
import { failedResult, failure, type TaskResult } from './results.ts';
import type { Run, RunEvent } from './run-parts.ts';
import { directSteps, type StepRunner } from './steps.ts';
import { Stop } from './stop.ts';
import { type ParsedTask, parseTask } from './template/parse-task.ts';
import { TEMPLATE_LIMITS } from './template/source-tree.ts';
import { childrenOf, type Task } from './template/template.ts';

export interface RunTaskOptions {
  inputs?: Inputs;
  /** The context that the task starts from. */
  context?: string;
  /** A name (`extract`, or one of `models`), or a model; for tasks that name none. */
  model?: string | Model;
  /** More models by name. */
  models?: Readonly<Record<string, Model>>;
  /** Default: associative matching over the files of `project`. */
  memory?: MemorySystem;
  /** Default: the working directory. */
  project?: string;
  limits?: Partial<Limits>;
  headings?: Partial<Headings>;
  freshMaxChars?: number;
  /** Ends the run as `execution_halted`. */
  signal?: AbortSignal;
  /** The same, after so long. */
  deadlineMs?: number;
  onEvent?: (event: RunEvent) => void;
  onRecord?: NonNullable<Run['onRecord']>;
  /** Asked before each record, with the place of the task in the template; default: all are recorded. */
  isRecorded?: (id: string) => boolean;
  /** Where calls of models and the memory system go through; default: they are simply done. */
  steps?: StepRunner;
}

export const FRESH_MAX_CHARS = 12_000;

// A whole run, in this process. It never rejects for what the task does: failures are results.
export async function runTask(task: Task, options: RunTaskOptions = {}): Promise<TaskResult> {
  const unknown = unknownInput(task, options.inputs ?? {});
  if (unknown !== null) return unknown;
  const stop = new Stop();
  const onAbort = (): void => stop.stop();
  if (options.signal?.aborted) stop.stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const clock = options.deadlineMs === undefined ? undefined : setTimeout(onAbort, options.deadlineMs);
  try {
    return await evaluateTask(
      task,
      {
        parent: options.context ?? '',
        accumulated: '',
        results: '',
        scope: options.inputs ? { values: options.inputs, outer: null } : null,
        stop,
        inputPath: [],
        path: task.id,
      },
      {
        memory: options.memory ?? ownMemory(options.project),
        steps: options.steps ?? directSteps,
        freshMaxChars: options.freshMaxChars ?? FRESH_MAX_CHARS,
        modelFor: (name) => modelNamed(name, options),
        limits: { ...DEFAULT_LIMITS, ...options.limits },
        headings: { ...DEFAULT_HEADINGS, ...options.headings },
        countTokens: rememberingCounter(),
        hash: sha256,
        clockMs: () => performance.now(),
        newStore: spillingStore,
        onEvent: options.onEvent ?? null,
        onRecord: options.onRecord ?? null,
        isRecorded: options.isRecorded ?? (() => true),
      },
    );
  } finally {
    clearTimeout(clock);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

function ownMemory(project: string | undefined): MemorySystem {
  const app = openApp({});
  return matchingMemory(app, project ?? app.cwd);
}

export function modelNamed(name: string | null, { model, models }: Pick<RunTaskOptions, 'model' | 'models'>): Model {
  if (name === null && typeof model === 'object') return model;
  const wanted = name ?? (typeof model === 'string' ? model : 'extract');
  const known: Readonly<Record<string, Model>> = { extract: extractModel, ...models };
  const found = Object.hasOwn(known, wanted) ? known[wanted] : undefined;
  if (found) return found;
  if (typeof model === 'object' && model.name === wanted) return model;
  throw failure(
    'input_validation_failure',
    `There is no model "${wanted.slice(0, 60)}".`,
    `Known: ${Object.keys(known).join(', ')}. More: set models in the home's config.yaml.`,
  );
}

// A value that no task asks for is a slip of the pen; a list without a name is taken by a reduce that declares none.
function unknownInput(task: Task, inputs: Inputs): TaskResult | null {
  const declared = new Set<string>();
  let takesAny = false;
  const visit = (at: Task): void => {
    for (const { name } of at.inputs) declared.add(name);
    if (at.type === 'reduce' && at.over === null) takesAny = true;
    childrenOf(at).forEach(visit);
  };
  visit(task);
  const stray = Object.keys(inputs).find(
    (name) => !declared.has(name) && !(takesAny && typeof inputs[name] === 'object'),
  );
  if (stray === undefined) return null;
  const known = declared.size > 0 ? `Known: ${[...declared].join(', ')}.` : 'It declares none.';
  return failedResult(
    failure('input_validation_failure', `The task has no input "${stray.slice(0, 60)}".`, known).error,
  );
}

// The memory system of a run: it matches; which passages fill the fresh part is the ranking's choice.
export function matchingMemory(app: AppContext, project: string): MemorySystem {
  const matching = matchingUseCases(app);
  return {
    getRelevantContextFor: (input, { subset }) => matching.relevantContext(input, { project, subset }),
    async freshContext(input, maxChars) {
      const { text, why } = await matching.freshContext(input, { project, maxChars });
      return { text, matches: why.map(({ path, lines, words }) => [path, { lines, words }]) };
    },
  };
}

export function taskUseCases(app: AppContext) {
  return {
    /** With a `project`, the template must stand inside of it. */
    async checkTask(path: string, options: { strict?: boolean; project?: string } = {}): Promise<ParsedTask> {
      const { project, ...rest } = options;
      const scope = project === undefined ? null : resolve(app.cwd, project);
      const source = readTemplate(resolve(scope ?? app.cwd, path), path, scope);
      return parseTask(source, { file: path, ...rest });
    },
  };
}

// The guides use the examples of the package, which stand in no folder of the reader.
function missingHint(label: string): string {
  return label.startsWith('examples/')
    ? 'Put the examples here first: bearings demo --examples'
    : 'Check the name of the template.';
}

// The size is looked at before anything is read.
function readTemplate(path: string, label: string, scope: string | null): Uint8Array {
  if (scope !== null && !isInside(scope, path))
    throw invalidInput('The template is outside of the project.', 'Name a file of the project.');
  const file = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, Math.min(size, TEMPLATE_LIMITS.chars + 1)));
  if (file.status === 'ok') return file.value;
  if (file.status === 'missing') throw notFound(`There is no file ${label}.`, missingHint(label));
  throw new BearingsError('invalid_input', `${label} can't be read: ${file.reason}.`, {
    hint: 'Give a template file.',
  });
}
