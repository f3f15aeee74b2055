import { compareCodePoints } from '../code-points.ts';
import { BearingsError } from '../errors.ts';
import type { GivenAnswer, WaitingRun } from './answer-run.ts';
import type { RunSummary } from './engine.ts';
import type { runUseCases } from './runs.ts';
import type { sharedRunUseCases } from './shared-runs.ts';

export interface ListedRun extends RunSummary {
  /** In the database that workers share. */
  shared: boolean;
}

export type RunPlaces = ReturnType<typeof runPlaces>;

type Shared = ReturnType<typeof sharedRunUseCases>;
/** Runs at one of the two places. */
type Runs = Omit<Shared, 'work' | 'submitRun' | 'followRun' | 'resumeRun'>;

interface Rooms {
  runs(): Promise<ReturnType<typeof runUseCases>>;
  sharedRuns(url: string): Promise<Shared>;
}

// A database that can't be reached must not keep the person's own runs from them, nor be asked with every look.
const REST_MS = 10_000;

/** Runs wherever they are: of this home, and of the shared database where there is one. */
export function runPlaces(bearings: Rooms, engine: string | null, onProblem: (problem: string) => void = () => {}) {
  let rest = { until: 0, problem: '' };
  // What the database has of it; nothing, and why, where it does not answer.
  const listed = async <T>(work: (runs: Runs) => Promise<T[]>): Promise<{ runs: T[]; problem: string | null }> => {
    if (engine === null) return { runs: [], problem: null };
    if (performance.now() < rest.until) return { runs: [], problem: rest.problem };
    try {
      return { runs: await work(await bearings.sharedRuns(engine)), problem: null };
    } catch (error) {
      const problem =
        error instanceof BearingsError ? error.message : 'The database of the shared runs does not answer.';
      rest = { until: performance.now() + REST_MS, problem };
      onProblem(problem);
      return { runs: [], problem };
    }
  };
  // Ids say nothing of the place: it is looked for here first.
  const at = async <T>(work: (runs: Runs) => Promise<T>): Promise<{ found: T; shared: boolean }> => {
    try {
      return { found: await work(await bearings.runs()), shared: false };
    } catch (error) {
      if (engine === null || !isMissing(error)) throw error;
      return { found: await work(await bearings.sharedRuns(engine)), shared: true };
    }
  };

  return {
    isShared: engine !== null,
    /** The newest first. `problem`: why the database's are not among them. */
    async list(): Promise<{ runs: ListedRun[]; problem: string | null }> {
      const own = await (await bearings.runs()).listRuns();
      const { runs, problem } = await listed((each) => each.listRuns());
      const all = [...own.map((run) => ({ ...run, shared: false })), ...runs.map((run) => ({ ...run, shared: true }))];
      return { runs: all.sort((a, b) => compareCodePoints(b.startedAt, a.startedAt)), problem };
    },
    async waiting(): Promise<WaitingRun[]> {
      const own = await (await bearings.runs()).waitingRuns();
      // The list of runs says what is wrong with the database.
      const { runs } = await listed((each) => each.waitingRuns());
      return [...own, ...runs];
    },
    show: (id: string) => at((runs) => runs.showRun(id)),
    text: async (id: string, sha256: string) => {
      // A run that is not there has no texts either; without this it would look like one that was not kept.
      const text = async (runs: Runs) => (await runs.runText(id, sha256)) ?? runs.showRun(id).then(() => null);
      return (await at(text)).found;
    },
    cancel: async (id: string) => (await at((runs) => runs.cancelRun(id))).found,
    answer: (id: string, given: GivenAnswer) => at((runs) => runs.answerRun(id, given)),
  };
}

const isMissing = (error: unknown): boolean => error instanceof BearingsError && error.code === 'not_found';
