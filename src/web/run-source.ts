import type { Rooms, SharedRunState } from '../bearings.ts';
import { BearingsError } from '../errors.ts';
import type { GivenAnswer, WaitingRun } from '../tasks/answer-run.ts';
import type { RunReport, RunState, RunSummary } from '../tasks/engine.ts';

export interface ListedRun extends RunSummary {
  /** In the database that workers share. */
  shared: boolean;
}

/** Runs wherever they are: of this home, and of the shared database where there is one. */
export interface RunSource {
  /** The newest first. `problem`: why the database's are not among them. */
  list(): Promise<{ runs: ListedRun[]; problem: string | null }>;
  show(id: string): Promise<{ report: RunReport; shared: boolean }>;
  text(id: string, sha256: string): Promise<string | null>;
  cancel(id: string): Promise<RunState>;
  /** Those that wait for the person. */
  waiting(): Promise<WaitingRun[]>;
  answer(id: string, given: GivenAnswer): Promise<{ shared: boolean }>;
  readonly isShared: boolean;
  close(): Promise<void>;
}

// A database that can't be reached must not keep the person's own runs from her, nor be asked with every look.
const REST_MS = 10_000;

export function runSource(bearings: Rooms, engine: string | null, clockMs: () => number): RunSource {
  let look: Promise<SharedRunState> | null = null;
  let rest: { until: number; problem: string } | null = null;
  const known = new Set<string>();

  const shared = async <T>(url: string, work: (opened: SharedRunState) => Promise<T>): Promise<T> => {
    look ??= (await bearings.sharedRuns()).openSharedState(url);
    const opening = look;
    try {
      return await work(await opening);
    } catch (error) {
      if (!isMissing(error)) {
        if (look === opening) look = null;
        void opening.then((opened) => opened.close()).catch(() => undefined);
      }
      throw error;
    }
  };
  const sharedRuns = async (): Promise<{ runs: RunSummary[]; problem: string | null }> => {
    if (engine === null) return { runs: [], problem: null };
    if (rest && clockMs() < rest.until) return { runs: [], problem: rest.problem };
    try {
      const runs = await shared(engine, (opened) => opened.list());
      rest = null;
      for (const { id } of runs) known.add(id);
      return { runs, problem: null };
    } catch (error) {
      const problem =
        error instanceof BearingsError ? error.message : 'The database of the shared runs does not answer.';
      rest = { until: clockMs() + REST_MS, problem };
      return { runs: [], problem };
    }
  };
  // Ids say nothing of the place: what no list of the database named is looked for here first.
  const at = async <T>(
    id: string,
    { here, there }: { here: () => Promise<T>; there: (opened: SharedRunState) => Promise<T> },
  ): Promise<T> => {
    if (engine === null) return here();
    if (known.has(id)) return shared(engine, there);
    try {
      return await here();
    } catch (error) {
      if (!isMissing(error)) throw error;
      return shared(engine, there);
    }
  };

  return {
    isShared: engine !== null,
    async list() {
      const [own, { runs, problem }] = [await (await bearings.runs()).listRuns(), await sharedRuns()];
      const all = [...own.map((run) => ({ ...run, shared: false })), ...runs.map((run) => ({ ...run, shared: true }))];
      return {
        runs: all.sort((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0)),
        problem,
      };
    },
    show: (id) =>
      at<{ report: RunReport; shared: boolean }>(id, {
        here: async () => ({ report: await (await bearings.runs()).showRun(id), shared: false }),
        there: async (opened) => ({ report: await opened.read(id), shared: true }),
      }),
    text: (id, sha256) =>
      at(id, { here: () => textHere(bearings, id, sha256), there: (opened) => opened.text(id, sha256) }),
    cancel: (id) =>
      at(id, { here: async () => (await bearings.runs()).cancelRun(id), there: (opened) => opened.cancel(id) }),
    async waiting() {
      const own = await (await bearings.runs()).waitingRuns();
      if (engine === null || (rest && clockMs() < rest.until)) return own;
      try {
        const others = await shared(engine, (opened) => opened.waiting());
        for (const { run } of others) known.add(run);
        return [...own, ...others];
      } catch {
        // The list of runs says what is wrong with the database.
        return own;
      }
    },
    answer: (id, given) =>
      at<{ shared: boolean }>(id, {
        here: async () => {
          await (await bearings.runs()).answerRun(id, given);
          return { shared: false };
        },
        there: async () => {
          await (await bearings.sharedRuns()).answerShared(engine ?? '', id, given);
          return { shared: true };
        },
      }),
    async close() {
      await look?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}

// A run that is not here has no texts here either; without this it would look like one that was not kept.
async function textHere(bearings: Rooms, id: string, sha256: string): Promise<string | null> {
  const runs = await bearings.runs();
  const text = await runs.runText(id, sha256);
  if (text === null) await runs.showRun(id);
  return text;
}

const isMissing = (error: unknown): boolean => error instanceof BearingsError && error.code === 'not_found';
