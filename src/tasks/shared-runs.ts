import { BearingsError } from '../errors.ts';
import type { AppContext } from '../settings/app-context.ts';
import { VERSION } from '../version.ts';
import {
  answeringKeys,
  type GivenAnswer,
  sharedAnswers,
  signedAnswers,
  type WaitingRun,
  waitingRuns,
} from './answer-run.ts';
import type { RunReport, RunState, RunSummary } from './engine.ts';
import { performCall } from './perform-call.ts';
import { isAway, unreachable } from './postgres/connect.ts';
import { openSharedEngine, type SharedEngine } from './postgres/engine.ts';
import { serveRuns } from './postgres/worker.ts';
import { assertListsThere, inputValues } from './run-inputs.ts';
import { runModels } from './run-models.ts';
import { assertProposable, proposeResult } from './run-proposal.ts';
import { matchingMemory, modelNamed } from './run-task.ts';
import { allowedPrograms, evaluateRun, type RunAnswer, type RunWatch, type StartRunOptions, specOf } from './runs.ts';
import type { Task } from './template/template.ts';

export interface SharedWatch extends RunWatch {
  /** Told once when no worker is at the database. */
  onNoWorker?: () => void;
}

/** The runs of a database, for someone who looks again and again. */
export interface SharedRunState extends Pick<SharedEngine, 'list' | 'read' | 'text' | 'cancel' | 'close'> {
  waiting(): Promise<WaitingRun[]>;
}

export interface WorkOptions {
  concurrency: number;
  signal: AbortSignal;
  onReady(): void;
  onTakeOver(count: number): void;
}

const MAX_MODELS = 64;

/** Higher numbers wait longer. */
export const DEFAULT_PRIORITY = 10;

// Runs in a database that any number of workers share. The same templates, the same results as in one process.
export function sharedRunUseCases(app: AppContext) {
  const using = async <T>(url: string, work: (engine: SharedEngine) => Promise<T>): Promise<T> => {
    const engine = await openSharedEngine(url, app.now);
    try {
      return await work(engine);
    } catch (error) {
      throw isAway(error) ? unreachable(error) : error;
    } finally {
      await engine.close();
    }
  };

  const waitingIn = (engine: SharedEngine) => waitingRuns(app, engine, sharedAnswers(app));

  const followed = async (engine: SharedEngine, id: string, watch: SharedWatch): Promise<RunAnswer> => {
    watch.onStarted?.(id);
    const result = await engine.follow(id, watch);
    const spec = await engine.spec(id);
    // The proposal is made here, where the person is; a worker has no home of theirs.
    const proposal = await proposeResult(app, { spec: { ...spec, project: app.cwd }, run: id, result });
    return { run: id, result, proposal };
  };

  return {
    async submitRun(url: string, task: Task, options: StartRunOptions & { priority?: number }): Promise<string> {
      return using(url, async (engine) => {
        const spec = await specOf(app, task, options);
        await assertListsThere(spec);
        await assertProposable(app, spec);
        const answeredBy = await answeringKeys(app, task);
        return engine.submit(
          { ...spec, ...(answeredBy ? { answeredBy } : {}) },
          inputValues(spec),
          options.priority ?? DEFAULT_PRIORITY,
        );
      });
    },

    async followRun(url: string, id: string, watch: SharedWatch = {}): Promise<RunAnswer> {
      return using(url, async (engine) => followed(engine, await known(engine, id), watch));
    },

    /** Puts a run that failed or was stopped back into the queue and waits for it. */
    async resumeShared(url: string, id: string, watch: SharedWatch = {}): Promise<RunAnswer> {
      return using(url, async (engine) => {
        const run = await known(engine, id);
        await engine.again(run);
        return followed(engine, run, watch);
      });
    },

    /** Held open while somebody looks: a page asks every other second. */
    async openSharedState(url: string): Promise<SharedRunState> {
      const engine = await openSharedEngine(url, app.now);
      const told = <T>(work: Promise<T>): Promise<T> =>
        work.catch((error: unknown) => {
          throw error instanceof BearingsError ? error : unreachable(error);
        });
      return {
        list: () => told(engine.list()),
        read: (id) => told(engine.read(id)),
        text: (id, sha256) => told(engine.text(id, sha256)),
        cancel: (id) => told(engine.cancel(id)),
        waiting: () => told(waitingIn(engine).all()),
        close: () => engine.close(),
      };
    },

    async listShared(url: string): Promise<RunSummary[]> {
      return using(url, (engine) => engine.list());
    },

    async showShared(url: string, id: string): Promise<RunReport> {
      return using(url, async (engine) => engine.read(await known(engine, id)));
    },

    async sharedText(url: string, id: string, sha256: string): Promise<string | null> {
      return using(url, async (engine) => engine.text(await known(engine, id), sha256));
    },

    /** Runs of the database that wait for the person. */
    async allWaitingShared(url: string): Promise<WaitingRun[]> {
      return using(url, (engine) => waitingIn(engine).all());
    },

    async waitingShared(url: string, id: string): Promise<WaitingRun | null> {
      return using(url, async (engine) => waitingIn(engine).still(await engine.read(await known(engine, id))));
    },

    /** The person's word: the run goes back into the queue, and a worker goes on with it. */
    async answerShared(url: string, id: string, given: GivenAnswer): Promise<{ run: string }> {
      return using(url, async (engine) => waitingIn(engine).answer(await engine.read(await known(engine, id)), given));
    },

    async cancelShared(url: string, id: string): Promise<RunState> {
      return using(url, async (engine) => engine.cancel(await known(engine, id)));
    },

    /** Drives runs and makes calls until it is told to end. */
    async work(url: string, options: WorkOptions): Promise<void> {
      const engine = await openSharedEngine(url, app.now);
      await engine.close();
      const settings = await app.settings();
      // Of the runs at hand: making a new model for every call would cost more than the call.
      const known = new Map<string, ReturnType<typeof runModels>>();
      const named = (run: string): ReturnType<typeof runModels> => {
        const models = known.get(run) ?? runModels(settings, { app, spec: { project: app.cwd }, run });
        if (known.size > MAX_MODELS) known.clear();
        known.set(run, models);
        return models;
      };
      const bounds = settings.models.map(({ name, concurrency, perMinute }) => ({ name, concurrency, perMinute }));
      const models = Object.keys(named('')).map(
        (name) => bounds.find((bound) => bound.name === name) ?? { name, concurrency: null, perMinute: null },
      );
      const memory = matchingMemory(app, app.cwd);
      await Promise.all(Object.values(named('')).map((model) => model.prepare?.()));
      await serveRuns({
        ...options,
        url,
        version: VERSION,
        models,
        perform: (run, call, signal) =>
          performCall(
            call,
            {
              ...memory,
              runProgram: allowedPrograms(app, app.cwd),
              modelFor: (name) => modelNamed(name, { models: named(run) }),
            },
            { signal },
          ),
        async drive(run) {
          const open = { ...run, spec: { ...run.spec, project: app.cwd } };
          const watch: RunWatch = { onEvent: run.tell };
          const answers = signedAnswers(run.id, run.spec.answeredBy ?? []);
          try {
            await run.end(await evaluateRun(app, open, { watch, models: named(run.id), inputs: run.inputs, answers }));
          } catch (error) {
            await run.leave();
            throw error;
          }
        },
      });
    },
  };
}

async function known(engine: SharedEngine, id: string): Promise<string> {
  if (id !== 'last') return id;
  const [newest] = await engine.list();
  return newest?.id ?? id;
}
