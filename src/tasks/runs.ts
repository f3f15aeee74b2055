import { notFound } from '../errors.ts';
import { dirname, isInside, join, namesIn, realPath, relative, resolve, sep } from '../files/paths.ts';
import { outsideCorpus } from '../loader/choose-policy.ts';
import type { AppContext } from '../settings/app-context.ts';
import { traced } from '../settings/io/tracing.ts';
import type { GivenAnswer, PersonAnswers, WaitingShared } from './answer-run.ts';
import type { Engine, OpenRun, ProposalWish, RunEvent, RunSpec, RunSummary, StepRecord } from './engine.ts';
import { inPlace } from './explain-step.ts';
import { taskIn } from './find-template.ts';
import type { Inputs } from './inputs.ts';
import { localEngine } from './io/local-engine.ts';
import { runProgram } from './io/programs.ts';
import { type EndState, statusOf } from './io/run-files.ts';
import { type SomeLimits, type TaskResult, withWarnings } from './results.ts';
import {
  assertLists,
  givenInputs,
  inputValues,
  readContextFile,
  rootContextText,
  type TypedInputs,
  withListHashes,
} from './run-inputs.ts';
import { runModels } from './run-models.ts';
import type { MadeResult, RunProposal } from './run-proposal.ts';
import { assertAllowed, FRESH_MAX_CHARS, matchingMemory, runWith, taskUseCases } from './run-task.ts';
import { type CallEffects, DEFAULT_HEADINGS, type Headings, type Model } from './steps.ts';
import { type Task, tasksIn } from './template/template.ts';

export interface StartRunOptions extends TypedInputs {
  /** The template's file, if it has one. */
  file?: string;
  model?: string;
  contextFile?: string;
  propose?: ProposalWish;
  /** What the run starts from, before the template's word: a workspace by its id or `here`, a task for the loader. */
  root?: { memory?: string; load?: string };
  /** For every step, whatever the template says. */
  limits?: SomeLimits;
  /** Where lists and fresh context come from; then they must be inside of it. Default: the working directory. */
  project?: string;
}

export interface RunWatch {
  /** Ends the run as `execution_halted`; it can be resumed. */
  signal?: AbortSignal;
  deadlineMs?: number;
  /** More models by name, for a program that brings its own. */
  models?: Readonly<Record<string, Model>>;
  onStarted?: (run: string) => void;
  onEvent?: (event: RunEvent) => void;
  onRecord?: (record: StepRecord) => void;
}

export interface RunAnswer {
  run: string;
  /** `awaiting_person` has not failed, though its result is none yet: it goes on once the person answered. */
  state: EndState;
  result: TaskResult;
  /** What waits for the person, where the run was asked to end so. */
  proposal: RunProposal | null;
}

// Free models answer the same again: of a million inputs not each one need be recorded.
const MAX_FREE_RECORDS = 100;

export function runUseCases(app: AppContext) {
  const engine = localEngine(app.runsFolder, app.now);
  const ledger = async () => (await import('./answer-run.ts')).answersInLedger(app);
  const answers = async () => (await ledger()).signed;

  const go = async (open: OpenRun, watch: RunWatch, warnings: readonly string[] = []): Promise<RunAnswer> => {
    try {
      watch.onStarted?.(open.id);
      const models = {
        ...runModels(await app.settings(), { app, project: open.spec.project }),
        ...watch.models,
      };
      const made = await evaluateRun(app, open, { watch, models, answers });
      const result = { ...made, notes: withWarnings(made.notes, warnings) };
      const proposal = await proposed(app, { spec: open.spec, run: open.id, result });
      await open.end(result);
      return { run: open.id, state: statusOf(result), result, proposal };
    } catch (error) {
      await open.leave();
      throw error;
    }
  };

  const runs = { ...taskUseCases(app), ...storedRuns(app, (work) => work(engine)) };

  const changedLists = async (spec: RunSpec): Promise<string[]> => {
    const now = await withListHashes(spec);
    return Object.entries(spec.inputs).flatMap(([name, given]) => {
      const isSame =
        !('list' in given) || given.sha256 === undefined || JSON.stringify(given) === JSON.stringify(now[name]);
      return isSame
        ? []
        : [`The list "${name}" (${given.list}) has changed since this run began: the result is of what it holds now.`];
    });
  };
  const changedTemplate = async ({ file, project, task }: RunSpec): Promise<string[]> => {
    const scope = isInside(project, resolve(project, file)) ? { project } : {};
    const now = await runs.checkTask(file, { lenient: true, ...scope }).catch(() => null);
    const isSame = !now?.task || JSON.stringify(now.task) === JSON.stringify(task);
    return isSame
      ? []
      : [
          `The template ${file} has changed since this run began, and the run keeps the old one: for the new one run it again.`,
        ];
  };

  return {
    ...runs,

    /** Keeps a journal, so that `resumeRun` can go on after a crash without asking a model again. */
    async startRun(task: Task, options: StartRunOptions, watch: RunWatch = {}): Promise<RunAnswer> {
      const facts = () => ({ 'gen_ai.operation.name': 'invoke_workflow', 'bearings.task.type': task.type });
      return traced({ name: 'invoke_workflow', facts }, async () => {
        const spec = await specOf(app, task, options);
        await assertLists(spec, options.project !== undefined);
        await assertProposable(app, spec);
        return go(await engine.start({ ...spec, inputs: await withListHashes(spec) }), watch);
      });
    },

    /** Finished steps are not done again. A run that is complete gives its result. */
    async resumeRun(id: string, watch: RunWatch = {}): Promise<RunAnswer & { task: Task }> {
      const report = await runs.showRun(id);
      const { task } = report.spec;
      if (report.state === 'complete' && report.result)
        return { run: report.id, state: report.state, result: report.result, proposal: null, task };
      const lists = await changedLists(report.spec);
      const warnings = [...lists, ...(await changedTemplate(report.spec))];
      return { ...(await go(await engine.reopen(report.id, lists.length > 0), watch, warnings)), task };
    },

    /** Answers in journals that no decision of the person stands behind: a run does not take them. */
    async unbackedAnswers(): Promise<{ run: string; key: string }[]> {
      const found: { run: string; key: string }[] = [];
      for (const { id } of await engine.list())
        for (const { key, answer } of await engine.answers(id))
          if (!(await (await ledger()).stands(id, key, answer))) found.push({ run: id, key });
      return found;
    },
  };
}

/** What there is to do with runs wherever they are kept: in this home, or in a database. */
export function storedRuns(
  app: AppContext,
  using: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>,
  shared?: WaitingShared,
) {
  const named = <T>(id: string, work: (engine: Engine, run: string) => Promise<T>): Promise<T> =>
    using(async (engine) => work(engine, await runName(engine, id, app.cwd)));
  const waitingIn = async (engine: Engine) => (await import('./answer-run.ts')).waitingRuns(app, engine, shared);
  return {
    listRuns: () => using((engine) => engine.list()),
    isHere: ({ project }: RunSummary) => isOfProject(project, app.cwd),
    showRun: (id: string) =>
      named(id, async (engine, run) => {
        const report = await engine.read(run);
        return { ...report, seen: inPlace(report.seen) };
      }),

    /** A text that a step saw or gave, by its hash; null when it is not kept. */
    runText: (id: string, sha256: string) => named(id, (engine, run) => engine.text(run, sha256)),

    cancelRun: (id: string) => named(id, (engine, run) => engine.cancel(run)),

    /** Runs that wait for the person, with what they ask. */
    waitingRuns: () => using(async (engine) => (await waitingIn(engine)).all()),

    /** What one run waits for; null where it waits for nothing. */
    waitingRun: (id: string) =>
      named(id, async (engine, run) => (await waitingIn(engine)).still(await engine.read(run))),

    /** The person's word, after they have seen what the run asks. It goes on with `resumeRun`, or with a worker. */
    answerRun: (id: string, given: GivenAnswer) =>
      named(id, async (engine, run) => (await waitingIn(engine)).answer(await engine.read(run), given)),
  };
}

// Most runs propose nothing, and need no gate.
export async function assertProposable(app: AppContext, spec: RunSpec): Promise<void> {
  if (spec.propose) await (await import('./run-proposal.ts')).assertProposable(app, spec.propose, spec.project);
}

export async function proposed(app: AppContext, made: MadeResult): Promise<RunProposal | null> {
  const { propose } = made.spec;
  return propose && made.result.status === 'COMPLETE'
    ? (await import('./run-proposal.ts')).proposeResult(app, made, propose)
    : null;
}

/** `last` is the newest one of the project that `cwd` is in. */
export async function runName(engine: Engine, id: string, cwd: string): Promise<string> {
  if (id !== 'last') return id;
  const newest = (await engine.list()).find(({ project }) => isOfProject(project, cwd));
  if (!newest) throw notFound('There are no runs of this project yet.', 'See those of other projects: bearings runs');
  return newest.id;
}

const isOfProject = (project: string, cwd: string): boolean =>
  isInside(realPath(project) ?? project, realPath(cwd) ?? cwd);

export async function specOf(app: AppContext, task: Task, options: StartRunOptions): Promise<RunSpec> {
  const settings = await app.settings();
  const { file: template = task.name } = options;
  const project = resolve(app.cwd, options.project ?? '.');
  const file = options.contextFile === undefined ? '' : readContextFile(app.cwd, options.contextFile);
  const root = {
    memory: options.root?.memory ?? task.rootContext?.memory ?? null,
    load: options.root?.load ?? task.rootContext?.load ?? null,
  };
  return {
    file: template,
    task,
    inputs: givenInputs(options),
    model: options.model ?? 'extract',
    context: await rootContextText(app, { file, asked: root, project }),
    ...(root.memory === null && root.load === null ? {} : { root }),
    project,
    limits: options.limits ?? {},
    usualLimits: {
      turns: settings.number('max_turns'),
      context: settings.number('max_context_tokens'),
      output: settings.number('max_output_tokens'),
    },
    headings: Object.fromEntries(
      (Object.keys(DEFAULT_HEADINGS) as (keyof Headings)[]).map((part) => [part, settings.text(`heading_${part}`)]),
    ),
    exclude: await outsideCorpus(app, realPath(project) ?? project),
    templates: [
      ...templatesIn(project, resolve(options.project === undefined ? app.cwd : project, template)),
      ...calledBy(task),
    ],
    freshMaxChars: FRESH_MAX_CHARS,
    propose: options.propose ?? null,
  };
}

/** Programs that the person allowed for this project, as they are now. */
export function allowedPrograms(app: AppContext, project: string): CallEffects['runProgram'] {
  return (call, signal) => {
    assertAllowed(app, call.command, project);
    return runProgram(call, { project, variables: app.variables, signal });
  };
}

export async function evaluateRun(
  app: AppContext,
  open: OpenRun,
  {
    watch,
    models,
    inputs,
    answers,
  }: { watch: RunWatch; models: Readonly<Record<string, Model>>; inputs?: Inputs; answers(): Promise<PersonAnswers> },
): Promise<TaskResult> {
  const { spec } = open;
  const recorded = new Map<string, number>();
  const tasks = tasksIn(spec.task);
  const names = tasks.flatMap((at) => (at.type === 'atomic' ? [at.model ?? spec.model] : []));
  const isFree = names.every((name) => name === 'extract' || models[name]?.isFree);
  const { signal, deadlineMs, onEvent } = watch;
  return runWith(spec.task, {
    ...spec,
    ...matchingMemory(app, spec.project, spec.templates ?? []),
    ...{ models, deadlineMs, onEvent, run: open.id },
    inputs: inputs ?? inputValues(spec),
    runProgram: allowedPrograms(app, spec.project),
    steps: tasks.some(({ type }) => type === 'approve')
      ? (await import('./answer-run.ts')).withPersonAnswers(open.steps, open.id, await answers())
      : open.steps,
    signal: signal ? AbortSignal.any([signal, open.cancelled]) : open.cancelled,
    isRecorded: (id) => !isFree || (recorded.get(id) ?? 0) < MAX_FREE_RECORDS,
    onRecord: (record, { frame, result, question }) => {
      recorded.set(record.id, (recorded.get(record.id) ?? 0) + 1);
      open.record(record, [question, frame.inherited, frame.accumulated, frame.fresh, frame.results, result.content]);
      watch.onRecord?.(record);
    },
  });
}

// As the index calls them, by their place in the project: the running one, and those in the same folder (T28).
function templatesIn(project: string, file: string): string[] {
  const [root, path] = [realPath(project), realPath(file)];
  if (root === null || path === null || !isInside(root, path)) return [];
  const beside = namesIn(dirname(path)).map((name) => join(dirname(path), name));
  const templates = [path, ...beside.filter((other) => other !== path && taskIn(other, other) !== null)];
  return templates.map((template) => relative(root, template).split(sep).join('/'));
}

function calledBy(task: Task): string[] {
  return tasksIn(task).flatMap((at) =>
    at.type === 'call' ? [at.template, ...['.xml', '.json'].map((end) => `.bearings/tasks/${at.template}${end}`)] : [],
  );
}
