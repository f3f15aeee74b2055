import type { AppContext } from '../settings/app-context.ts';
import { answeringKeys, sharedAnswers, signedAnswers } from './answer-run.ts';
import type { RunWatch, StartRunOptions, WorkOptions } from './engine.ts';
import { isAway, unreachable } from './postgres/connect.ts';
import { openSharedEngine, type SharedEngine } from './postgres/engine.ts';
import { serveRuns } from './postgres/worker.ts';
import { inputValues } from './run-inputs.ts';
import { runModels } from './run-models.ts';
import { matchingMemory, modelNamed } from './run-task.ts';
import {
  allowedPrograms,
  checkedSpec,
  ended,
  evaluateRun,
  type RunAnswer,
  runName,
  type SharedWatch,
  storedRuns,
} from './runs.ts';
import { performCall } from './steps.ts';
import type { Task } from './template/template.ts';

// Runs in a database that any number of workers share. The same templates, the same results as in one process.
export function sharedRunUseCases(app: AppContext, url: string) {
  let opening: Promise<SharedEngine> | null = null;
  // Opened once: a page asks every other second.
  const using = async <T>(work: (engine: SharedEngine) => Promise<T>): Promise<T> => {
    opening ??= openSharedEngine(url, app.now);
    const engine = await opening.catch((error) => {
      opening = null;
      throw error;
    });
    return work(engine).catch((error: unknown) => {
      throw isAway(error) ? unreachable(error) : error;
    });
  };
  const runs = storedRuns(app, using, sharedAnswers(app));

  const followed = async (engine: SharedEngine, id: string, watch: SharedWatch): Promise<RunAnswer> => {
    watch.onStarted?.(id);
    const result = await engine.follow(id, watch);
    const spec = await engine.spec(id);
    // The proposal is made here, where the person is; a worker has no home of theirs.
    return ended(app, { spec: { ...spec, project: app.cwd }, run: id, result });
  };

  return {
    ...runs,

    async submitRun(task: Task, options: StartRunOptions): Promise<string> {
      return using(async (engine) => {
        const spec = await checkedSpec(app, task, options);
        const answeredBy = await answeringKeys(app, task);
        return engine.submit({ ...spec, ...(answeredBy ? { answeredBy } : {}) }, inputValues(spec));
      });
    },

    async followRun(id: string, watch: SharedWatch = {}): Promise<RunAnswer> {
      return using(async (engine) => followed(engine, await runName(engine, id, app.cwd), watch));
    },

    /** Puts a run that failed or was stopped back into the queue and waits for it. */
    async resumeRun(id: string, watch: SharedWatch = {}): Promise<RunAnswer> {
      return using(async (engine) => {
        const run = await runName(engine, id, app.cwd);
        await engine.again(run);
        return followed(engine, run, watch);
      });
    },

    /** Drives runs and makes calls until it is told to end. */
    async work(options: WorkOptions): Promise<void> {
      // Whoever comes first makes the tables.
      await using(async () => {});
      const models = runModels(await app.settings(), { app, project: app.cwd });
      const memory = matchingMemory(app, app.cwd);
      const runProgram = allowedPrograms(app, app.cwd);
      const modelFor = (name: string | null) => modelNamed(name, { models });
      await serveRuns({
        ...options,
        url,
        models: Object.keys(models),
        perform: (run, call, signal) =>
          performCall(call, { ...memory, run, runProgram, modelFor }, { key: call.request.key, signal }),
        async drive(run) {
          const open = { ...run, spec: { ...run.spec, project: app.cwd } };
          const watch: RunWatch = { onEvent: run.tell };
          const answers = async () => signedAnswers(run.id, run.spec.answeredBy ?? []);
          try {
            await run.end(await evaluateRun(app, open, { watch, models, inputs: run.inputs, answers }));
          } catch (error) {
            await run.leave();
            throw error;
          }
        },
      });
    },
  };
}
