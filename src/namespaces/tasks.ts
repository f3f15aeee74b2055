import { type ArgumentsOf, checkedMethods, type KeysOf, type SomeKeysOf } from '../known-keys.ts';
import type { WaitingRun } from '../tasks/answer-run.ts';
import type { RunReport, RunState, RunSummary } from '../tasks/engine.ts';
import type { FittingTemplate } from '../tasks/find-template.ts';
import type { RunAnswer, RunWatch, runUseCases, StartRunOptions } from '../tasks/runs.ts';
import type { SharedWatch, sharedRunUseCases, WorkOptions } from '../tasks/shared-runs.ts';
import type { ParsedTask } from '../tasks/template/parse-task.ts';
import type { Task } from '../tasks/template/template.ts';

export interface CheckOptions {
  /** Warnings are problems. */
  strict?: boolean;
  /** What the format does not know is a warning. */
  lenient?: boolean;
  /** The template must be inside of it. */
  project?: string;
}

export interface SubmitOptions extends StartRunOptions {
  /** Higher numbers wait longer. Default: 10. */
  priority?: number;
}

/** Templates and their runs. */
export interface Tasks {
  /** Reads a template file, XML or JSON, and gives the task or every problem with its line and column. */
  check(path: string, options?: CheckOptions): Promise<ParsedTask>;

  /** Runs a task with a journal, so that `resume` can go on after a crash without asking a model again. */
  run(task: Task, options?: StartRunOptions, watch?: RunWatch): Promise<RunAnswer>;

  /** Goes on with a run, by its id or `last`. Finished steps are not done again. */
  resume(id: string, watch?: RunWatch): Promise<RunAnswer & { task: Task }>;

  /** The runs of this home; the newest first. */
  list(): Promise<RunSummary[]>;

  /** One run with its steps, by its id or `last`. */
  show(id: string): Promise<RunReport>;

  /** A text that a step saw or gave, by its hash; null where it is not stored. */
  text(id: string, sha256: string): Promise<string | null>;

  /** Runs that wait for the person, with what they ask. */
  waiting(): Promise<WaitingRun[]>;

  /** Templates of the project and the home that fit these words, best first. Nothing is run. */
  find(words: string): Promise<FittingTemplate[]>;

  /** Stops a run; it can be resumed. */
  cancel(id: string): Promise<RunState>;

  /** Puts a run into the queue of a PostgreSQL database and returns its id. */
  submit(url: string, task: Task, options: SubmitOptions): Promise<string>;

  /** Waits for a run of a database, by its id or `last`. */
  follow(url: string, id: string, watch?: SharedWatch): Promise<RunAnswer>;

  /** Takes runs from a database's queue until the signal ends it. */
  work(url: string, options: WorkOptions): Promise<void>;
}

const CHECK: KeysOf<CheckOptions> = { 'strict?': 'flag', 'lenient?': 'flag', 'project?': 'text' };
const START: KeysOf<StartRunOptions> = {
  'file?': 'text',
  'input?': 'texts',
  'inputs?': 'texts|object',
  'model?': 'text',
  'contextFile?': 'text',
  'propose?': 'object',
  'project?': 'text',
  'limits?': 'object',
  'root?': 'object',
};
const SUBMIT: KeysOf<SubmitOptions> = { ...START, 'priority?': 'number' };
const WATCH: KeysOf<RunWatch> = {
  'signal?': 'signal',
  'deadlineMs?': 'count',
  'models?': 'object',
  'onStarted?': 'function',
  'onEvent?': 'function',
  'onRecord?': 'function',
};
const SHARED: KeysOf<SharedWatch> = { ...WATCH, 'onNoWorker?': 'function' };
const WORK: KeysOf<WorkOptions> = {
  concurrency: 'count',
  signal: 'signal',
  onReady: 'function',
  onTakeOver: 'function',
};
// As `check` or `defineTask` gives it: a plain object with a prompt is not a task yet.
const TASK: SomeKeysOf<Task> = {
  type: 'text',
  id: 'text',
  name: 'text',
  inputs: 'objects',
  settings: 'object',
  limits: 'object',
  filePaths: 'texts',
  '...': 'object',
};
const ARGUMENTS: ArgumentsOf<Tasks> = {
  check: { path: 'text', 'options?': CHECK },
  run: { task: TASK, 'options?': START, 'watch?': WATCH },
  resume: { id: 'text', 'watch?': WATCH },
  list: {},
  show: { id: 'text' },
  text: { id: 'text', sha256: 'text' },
  waiting: {},
  find: { words: 'text' },
  cancel: { id: 'text' },
  submit: { url: 'text', task: TASK, options: SUBMIT },
  follow: { url: 'text', id: 'text', 'watch?': SHARED },
  work: { url: 'text', options: WORK },
};

export type RunUseCases = ReturnType<typeof runUseCases>;
export type SharedRunUseCases = ReturnType<typeof sharedRunUseCases>;

// Runs in a database load the packages for it, so they are apart.
export function tasksNamespace(runs: () => Promise<RunUseCases>, shared: () => Promise<SharedRunUseCases>): Tasks {
  return checkedMethods('tasks', ARGUMENTS, {
    check: async (path, options = {}) => (await runs()).checkTask(path, options),
    run: async (task, options = {}, watch = {}) => (await runs()).startRun(task, options, watch),
    resume: async (id, watch = {}) => (await runs()).resumeRun(id, watch),
    list: async () => (await runs()).listRuns(),
    show: async (id) => (await runs()).showRun(id),
    text: async (id, sha256) => (await runs()).runText(id, sha256),
    waiting: async () => (await runs()).waitingRuns(),
    find: async (words) => (await runs()).fittingTemplates(words),
    cancel: async (id) => (await runs()).cancelRun(id),
    submit: async (url, task, options) => (await shared()).submitRun(url, task, options),
    follow: async (url, id, watch = {}) => (await shared()).followRun(url, id, watch),
    work: async (url, options) => (await shared()).work(url, options),
  });
}
