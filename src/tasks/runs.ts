import { notFound } from '../errors.ts';
import { dirname, isInside, join, namesIn, realPath, relative, resolve, sep } from '../files/paths.ts';
import { readRange, withFile } from '../files/read-file.ts';
import { outsideCorpus } from '../loader/choose-policy.ts';
import type { AppContext } from '../settings/app-context.ts';
import { traced } from '../settings/io/tracing.ts';
import type { GivenAnswer, PersonAnswers, WaitingShared } from './answer-run.ts';
import type { OpenRun, RunSpec, RunSummary, RunWatch, StartRunOptions } from './engine.ts';
import { inPlace } from './explain-step.ts';
import { taskIn } from './find-template.ts';
import type { Inputs } from './inputs.ts';
import { type Engine, localEngine } from './io/local-engine.ts';
import { runProgram } from './io/programs.ts';
import { statusOf } from './io/run-files.ts';
import type { TaskResult } from './results.ts';
import { assertLists, givenInputs, inputValues, readContextFile, rootContextText } from './run-inputs.ts';
import { runModels } from './run-models.ts';
import type { MadeResult } from './run-proposal.ts';
import { assertAllowed, FRESH_MAX_CHARS, matchingMemory, runWith, taskUseCases } from './run-task.ts';
import { type CallEffects, DEFAULT_HEADINGS, type Headings, type Model } from './steps.ts';
import { type Task, tasksIn } from './template/template.ts';

/** Of a run in a database. */
export interface SharedWatch extends RunWatch {
  /** Told once when no worker is there. */
  onNoWorker?: () => void;
}

export type RunAnswer = Awaited<ReturnType<typeof ended>>;

export function runUseCases(app: AppContext) {
  const engine = localEngine(app.runsFolder, app.now);
  const ledger = async () => (await import('./answer-run.ts')).answersInLedger(app);
  const answers = async () => (await ledger()).signed;

  const go = async (open: OpenRun, watch: RunWatch): Promise<RunAnswer> => {
    try {
      watch.onStarted?.(open.id);
      const models = {
        ...runModels(await app.settings(), { app, project: open.spec.project }),
        ...watch.models,
      };
      const result = await evaluateRun(app, open, { watch, models, answers });
      const answer = await ended(app, { spec: open.spec, run: open.id, result });
      await open.end(result);
      return answer;
    } catch (error) {
      await open.leave();
      throw error;
    }
  };

  const runs = { ...taskUseCases(app), ...storedRuns(app, (work) => work(engine)) };

  return {
    ...runs,

    /** Keeps a journal, so that `resumeRun` can go on after a crash without asking a model again. */
    async startRun(task: Task, options: StartRunOptions, watch: RunWatch = {}): Promise<RunAnswer> {
      const facts = () => ({ 'gen_ai.operation.name': 'invoke_workflow', 'bearings.task.type': task.type });
      return traced({ name: 'invoke_workflow', facts }, async () => {
        return go(await engine.start(await checkedSpec(app, task, options)), watch);
      });
    },

    /** Finished steps are not done again. A run that is complete gives its result. */
    async resumeRun(id: string, watch: RunWatch = {}): Promise<RunAnswer & { task: Task }> {
      const report = await runs.showRun(id);
      const { task } = report.spec;
      if (report.state === 'complete' && report.result)
        return { run: report.id, state: report.state, result: report.result, proposal: null, task };
      return { ...(await go(await engine.reopen(report.id), watch)), task };
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

/** What a run answers with its result. */
export async function ended(app: AppContext, { spec, run, result }: MadeResult) {
  const isProposed = spec.propose && result.status === 'COMPLETE';
  return {
    run,
    /** `awaiting_person` has not failed, though its result is none yet: it goes on once the person answered. */
    state: statusOf(result),
    result,
    /** What waits for the person, where the run was asked to end so. */
    proposal: isProposed ? await (await import('./run-proposal.ts')).proposeResult(app, { spec, run, result }) : null,
  };
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

/** What a run is asked to do; throws for what it could only fail by. */
export async function checkedSpec(app: AppContext, task: Task, options: StartRunOptions): Promise<RunSpec> {
  const spec = await specOf(app, task, options);
  await assertLists(spec, options.project !== undefined);
  // Most runs propose nothing, and need no gate.
  if (spec.propose) await (await import('./run-proposal.ts')).assertProposable(app, spec.propose, spec.project);
  return spec;
}

async function specOf(app: AppContext, task: Task, options: StartRunOptions): Promise<RunSpec> {
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
    templates: templatesIn(project, resolve(options.project === undefined ? app.cwd : project, template)),
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
  const { signal, deadlineMs, onEvent } = watch;
  return runWith(spec.task, {
    ...spec,
    ...matchingMemory(app, spec.project, spec.templates ?? []),
    ...{ models, deadlineMs, onEvent, run: open.id },
    inputs: inputs ?? inputValues(spec),
    runProgram: allowedPrograms(app, spec.project),
    steps: tasksIn(spec.task).some(({ type }) => type === 'approve')
      ? (await import('./answer-run.ts')).withPersonAnswers(open.steps, open.id, await answers())
      : open.steps,
    signal: signal ? AbortSignal.any([signal, open.cancelled]) : open.cancelled,
    onRecord: (record, { texts }) => {
      open.record(record, texts);
      watch.onRecord?.(record);
    },
  });
}

// As the index calls them, by their place in the project: the running one, and those in the same folder (T28).
function templatesIn(project: string, file: string): string[] {
  const [root, path] = [realPath(project), realPath(file)];
  if (root === null || path === null || !isInside(root, path)) return [];
  const beside = namesIn(dirname(path)).map((name) => join(dirname(path), name));
  // One that calls another can't be read alone.
  const begin = (other: string) => withFile(other, root, ({ fd, size }) => readRange(fd, 0, Math.min(size, 4096)));
  const isTemplate = (other: string) => {
    const start = other.endsWith('.xml') ? begin(other) : null;
    return taskIn(other, other) !== null || (start?.status === 'ok' && start.value.includes('<task'));
  };
  const templates = [path, ...beside.filter((other) => other !== path && isTemplate(other))];
  return templates.map((template) => relative(root, template).split(sep).join('/'));
}
