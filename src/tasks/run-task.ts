import { invalidInput } from '../errors.ts';
import { dirname, isInside, realPath, resolve } from '../files/paths.ts';
import { isRecord } from '../json.ts';
import { outsideCorpus, ownPatterns } from '../loader/choose-policy.ts';
import { type TrustQuestion, trustQuestion, trustStore } from '../loader/run-adapters.ts';
import { callback, checkOptions, count, either, type OptionsOf, objectOf, signal, text } from '../options.ts';
import { matchingUseCases } from '../project/match-project.ts';
import { shownName } from '../safety/hidden-characters.ts';
import type { AppContext } from '../settings/app-context.ts';
import { openApp } from '../settings/io/open-app.ts';
import { lateTokenCounter } from '../tokens.ts';
import type { Run, RunEvent } from './engine.ts';
import { fittingTemplates, readTemplate, templateFinder } from './find-template.ts';
import { type Inputs, strayInput } from './inputs.ts';
import { readProjectFiles } from './io/list-sources.ts';
import { evaluateTask } from './operators/evaluate.ts';
import { badInput, failedResult, limitsOf, type SomeLimits, type TaskFailure, type TaskResult } from './results.ts';
import { extractModel } from './run-models.ts';
import {
  type CallEffects,
  type ChooseFresh,
  DEFAULT_HEADINGS,
  directSteps,
  type Headings,
  type Match,
  type MemorySystem,
  type Model,
  type StepRunner,
} from './steps.ts';
import { type ParsedTask, parseTask } from './template/parse-task.ts';
import { type Task, tasksIn } from './template/template.ts';
import { cleanText } from './text.ts';

const OPTIONS = {
  /** More models by name. */
  models: objectOf<Readonly<Record<string, Model>>>(),
  /** Ends the run as `execution_halted`. */
  signal,
  /** The same, after so long. */
  deadlineMs: count,
  onEvent: callback<(event: RunEvent) => void>(),
  inputs: objectOf<Inputs>(),
  /** The context that the task starts from. */
  context: text,
  /** A name (`extract`, or one of `models`), or a model; for tasks that name none. */
  model: either(text, objectOf<Model>()),
  /** Default: associative matching over the files of `project`. */
  memory: objectOf<MemorySystem>(),
  /** Default: the best passages of the files of `project` that match. */
  chooseFresh: callback<ChooseFresh>(),
  /** Default: files of `project`. */
  readFiles: callback<CallEffects['readFiles']>(),
  /** Default: none. A program of yours decides which programs a template may start. */
  runProgram: callback<CallEffects['runProgram']>(),
  /** Default: the working directory. */
  project: text,
  /** For every step, whatever the template says. */
  limits: objectOf<SomeLimits>(),
  /** Where neither the template nor the model says something. */
  usualLimits: objectOf<SomeLimits>(),
  headings: objectOf<Partial<Headings>>(),
  freshMaxChars: count,
  onRecord: callback<NonNullable<Run['onRecord']>>(),
  /** Where calls of models and the memory system go through; default: they are simply done. */
  steps: objectOf<StepRunner>(),
  /** The run's id, for the keys of its calls. */
  run: text,
};
export type RunTaskOptions = OptionsOf<typeof OPTIONS>;

export const FRESH_MAX_CHARS = 12_000;
// Node takes what is longer for a mistake, and ends it at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

// A whole run, in this process. It never rejects for what the task does: failures are results.
export async function runTask(task: Task, options: RunTaskOptions = {}): Promise<TaskResult> {
  if (!isRecord(task) || !isRecord(task.settings) || !Array.isArray(task.inputs))
    throw invalidInput('runTask takes a loaded template.', 'Make one with defineTask() or parseTask().');
  return runWith(task, checkOptions(options, OPTIONS, 'runTask'));
}

export async function runWith(task: Task, options: RunTaskOptions): Promise<TaskResult> {
  let made: RunMemory | undefined;
  const own = (): RunMemory => {
    made ??= matchingMemory(openApp({}), options.project ?? '.');
    return made;
  };
  const stray = strayInput(task, options.inputs ?? {});
  if (stray !== null) return failedResult(stray.error);
  const { signal, deadlineMs } = options;
  const deadline = new AbortController();
  const clock =
    deadlineMs === undefined ? undefined : setTimeout(() => deadline.abort(), Math.min(deadlineMs, LONGEST_TIMER_MS));
  try {
    return await evaluateTask(
      task,
      {
        parent: cleanText(options.context ?? '').text,
        accumulated: '',
        results: '',
        scope: options.inputs ? { values: options.inputs, outer: null } : null,
        signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
        inputPath: [],
        path: task.id,
      },
      {
        memory: options.memory ?? own().memory,
        chooseFresh: options.chooseFresh ?? ((...asked) => own().chooseFresh(...asked)),
        readFiles: options.readFiles ?? ((paths) => own().readFiles(paths)),
        runProgram: options.runProgram ?? noPrograms,
        steps: options.steps ?? directSteps,
        run: options.run,
        freshMaxChars: options.freshMaxChars ?? FRESH_MAX_CHARS,
        modelFor: (name) => modelNamed(name, options),
        limitsFor: (at, model) => limitsOf(options.limits, at.limits, model?.limits, options.usualLimits),
        headings: { ...DEFAULT_HEADINGS, ...options.headings },
        countTokens: lateTokenCounter(),
        clockMs: () => performance.now(),
        nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
        onEvent: options.onEvent ?? null,
        onRecord: options.onRecord ?? null,
      },
    );
  } finally {
    clearTimeout(clock);
  }
}

export function modelNamed(name: string | null, { model, models }: Pick<RunTaskOptions, 'model' | 'models'>): Model {
  const own = typeof model === 'object' ? model : null;
  const wanted = name ?? own?.name ?? (typeof model === 'string' ? model : 'extract');
  const known: Readonly<Record<string, Model>> = { extract: extractModel, ...models };
  if (own && (name === null || own.name === name)) return callable(own, own.name);
  const found = Object.hasOwn(known, wanted) ? known[wanted] : undefined;
  if (found) return callable(found, wanted);
  throw badInput(
    `There is no model "${wanted.slice(0, 60)}".`,
    wanted === 'command'
      ? 'Say which program it is: bearings config set model_command "claude -p"'
      : `Known: ${Object.keys(known).join(', ')}. More: the option models of a program, or models in the home's config.yaml.`,
  );
}

function callable(model: Model, name: string): Model {
  if (typeof model.call === 'function') return model.name ? model : Object.create(model, { name: { value: name } });
  throw badInput(`The model "${name}" has no function "call".`, "call(request) → { content: 'its answer' }");
}

function notAllowed(command: readonly string[], hint: string): TaskFailure {
  return badInput(`The program "${command.join(' ').slice(0, 80)}" is not allowed to run here.`, hint);
}

const noPrograms: CallEffects['runProgram'] = async ({ command }) => {
  throw notAllowed(command, 'Give runTask a runProgram, or use startRun.');
};

export type RunMemory = Pick<CallEffects, 'memory' | 'chooseFresh' | 'readFiles'>;

// The memory system of a run matches; which passages fill the fresh part is the evaluator's choice, by the ranking.
export function matchingMemory(app: AppContext, project: string, without: readonly string[] = []): RunMemory {
  const matching = matchingUseCases(app, (root) => outsideCorpus(app, root));
  return {
    memory: {
      getRelevantContextFor: (input, { subset }) => matching.relevantContext(input, { project, subset, without }),
    },
    async readFiles(paths) {
      const root = resolve(app.cwd, project);
      return readProjectFiles(root, paths, await ownPatterns(app, realPath(root) ?? root));
    },
    async chooseFresh(input, matches, { maxChars, present }) {
      const only = matches.map(([path]) => path);
      if (only.length === 0) return { text: '', matches: [] };
      const fresh = await matching.freshContext(input, { project, maxChars, only, without, present });
      const found = fresh.why.map(({ path, lines, words }): Match => [path, { lines, words }]);
      const warnings = [
        ...fresh.warnings,
        ...fresh.missing.map(
          (path) => `The memory system named ${shownName(path)}, which is not a file of the project.`,
        ),
      ];
      return { text: fresh.text, matches: found, ...(warnings.length > 0 ? { warnings } : {}) };
    },
  };
}

export function taskUseCases(app: AppContext) {
  return {
    /** With a `project`, the template must be inside of it. */
    async checkTask(
      path: string,
      options: { strict?: boolean; lenient?: boolean; project?: string } = {},
    ): Promise<ParsedTask> {
      const { project, ...rest } = options;
      const scope = project === undefined ? null : resolve(app.cwd, project);
      const file = resolve(scope ?? app.cwd, path);
      if (scope !== null && !isInside(scope, file))
        throw invalidInput('The template is outside of the project.', 'Name a file of the project.');
      const templates = templateFinder(app, realPath(scope ?? app.cwd) ?? app.cwd, dirname(file));
      return parseTask(readTemplate(file, path, scope), { file: path, templates, ...rest });
    },

    /** Templates that fit these words, best first; nothing is run. */
    fittingTemplates: (words: string) => fittingTemplates(app, words),

    /** The programs that a template may start, and whether the person allowed each of them here. */
    async scriptQuestions(task: Task, project = '.') {
      const questions = tasksIn(task).flatMap((at) => {
        if (at.type !== 'script') return [];
        const question = questionFor(at.command, resolve(app.cwd, project));
        const shownProject = app.forPerson(question.project);
        return { ...question, shownProject, allowed: trustStore(app).isAllowed(question) };
      });
      // Each once.
      return [...new Map(questions.map((question) => [question.sha256, question])).values()];
    },
  };
}

// A script of a template is asked about like an adapter: the command line, and what of the project it names.
function questionFor(command: readonly string[], project: string): TrustQuestion {
  const name = `script ${command.join(' ')}`.slice(0, 120);
  const limits = { stale_after_hours: 1, timeout_ms: 1, max_bytes: 1 };
  return trustQuestion({ name, kind: 'command', command: [...command], ...limits }, realPath(project) ?? project);
}

// Asked again right before it starts: a file that it runs may have changed meanwhile.
export function assertAllowed(app: AppContext, command: readonly string[], project: string): void {
  if (trustStore(app).isAllowed(questionFor(command, project))) return;
  throw notAllowed(command, 'Start the run in a terminal: it shows the program and asks.');
}
