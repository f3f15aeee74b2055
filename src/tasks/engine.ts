import type { InputValue, Scope } from './inputs.ts';
import type { CountTokens, Limits, SomeLimits, TaskResult } from './results.ts';
import type { CallAnswer, CallEffects, Frame, Headings, Judge, Match, Model, StepCall, StepRunner } from './steps.ts';
import type { Operator } from './template/shape.ts';
import type { RootContext, Task } from './template/template.ts';

/** What a run was asked to do, as plain data: enough to go on with it anywhere. */
export interface RunSpec {
  /** How the template is called. */
  file: string;
  task: Task;
  inputs: Readonly<Record<string, GivenInput>>;
  /** For tasks that name none. */
  model: string;
  context: string;
  /** The folder that the run was started in. */
  project: string;
  /** What the person set for this run, before the template's word. */
  limits: SomeLimits;
  /** What the settings say where nothing else does. */
  usualLimits?: SomeLimits;
  headings?: Partial<Headings>;
  /** Where its context came from. */
  root?: RootContext;
  /** What the policy of the project leaves out. */
  exclude?: readonly string[];
  /** Templates at work, relative to the project: no context of themselves. */
  templates?: readonly string[];
  freshMaxChars: number;
  /** What the result becomes, for the person to decide on. */
  propose: ProposalWish | null;
  /** In a shared database: the keys of the person who started it. Nobody else answers what it asks. */
  answeredBy?: readonly string[];
}

/** A value, or where a list comes from: a JSONL file or a pattern of files, relative to the project; or how long a stored one is. */
export type GivenInput = { value: InputValue } | { list: string } | { stored: number };

export interface ProposalWish {
  kind: 'notes' | 'taste';
  /** For notes: null is the workspace that the run's project is in. */
  workspace: string | null;
  category: string | null;
  file: string | null;
}

export type EndState = 'complete' | 'failed' | 'stopped' | 'awaiting_person';
export type RunState = EndState | 'waiting' | 'running' | 'interrupted' | 'answered';

export interface RunSummary {
  id: string;
  state: RunState;
  file: string;
  /** The folder that it was started in. */
  project: string;
  name: string;
  startedAt: string;
  endedAt: string | null;
  /** How many steps are told of in `seen`; null where that is not known without reading all. */
  recorded: number | null;
}

export interface RunReport extends RunSummary {
  spec: RunSpec;
  /** How many answers of models and of the memory system are kept. */
  steps: number;
  /** What each step saw. Their texts are stored beside them, by their hash. */
  seen: StepRecord[];
  result: TaskResult | null;
  /** Lines of the journal that could not be read; what they held is done again by a resume. */
  damaged: number;
}

export interface StartRunOptions {
  /** `K=V`. */
  input?: readonly string[];
  /** By name; or as on a command line, `K=FILE.jsonl` or `K=GLOB`. */
  inputs?: readonly string[] | Readonly<Record<string, unknown>>;
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

/** A run at work: held by this process until it ends. */
export interface OpenRun {
  readonly id: string;
  readonly spec: RunSpec;
  readonly steps: StepRunner;
  /** Aborted when the run is cancelled from elsewhere. */
  readonly cancelled: AbortSignal;
  record(record: StepRecord, texts: readonly string[]): void;
  /** Keeps the result and lets go of the run. */
  end(result: TaskResult): Promise<void>;
  /** Lets go of it without a result: another may go on with it. */
  leave(): Promise<void>;
}

/** How a worker of a shared database works. */
export interface WorkOptions {
  /** Calls that it makes at the same time. */
  concurrency: number;
  /** Ends it: what is under way is for the others. */
  signal: AbortSignal;
  onReady(): void;
}

/** Where a task is evaluated: what surrounds it. */
export interface Surroundings {
  readonly parent: string;
  readonly accumulated: string;
  readonly results: string;
  readonly scope: Scope | null;
  /** Aborted when the run, or what is around it, ends before its time. */
  readonly signal: AbortSignal;
  /** The inputs of the reduces around it, outermost first. */
  readonly inputPath: readonly number[];
  /** Its place in the run, the same in every attempt: the place in the template with inputs and groups, `1.2.inner:17`. */
  readonly path: string;
  /** What the step before it gave. */
  readonly previous?: TaskResult | undefined;
}

interface Part {
  chars: number;
  tokens: number;
  sha256: string;
}

export const SEEN_PARTS = ['question', 'inherited', 'accumulated', 'fresh', 'results', 'output'] as const;

/** What one task saw, so that anyone can look later. */
export interface StepRecord extends Readonly<Record<(typeof SEEN_PARTS)[number], Part>> {
  id: string;
  inputPath: readonly number[];
  /** Its place in the run: `1.2.inner:17`. */
  path: string;
  type: Operator;
  name: string;
  status: TaskResult['status'];
  /** Which input of a list it was about. */
  key?: string;
  /** Null where no model was asked. */
  model: string | null;
  /** What was asked, with its inputs filled in. */
  question: Part;
  matches: readonly Match[];
  /** Of its context: what was redacted, what did not fit. */
  warnings?: readonly string[];
  /** How long it took. */
  ms: number;
  /** When it ended, where it is stored. */
  at?: string;
}

export type RunEvent =
  | { event: 'started'; id: string; inputPath: readonly number[]; type: Operator; name: string }
  | { event: 'inputs'; id: string; inputPath: readonly number[]; done: number; total: number | null; key: string }
  | { event: 'warning'; id: string; inputPath: readonly number[]; message: string }
  | { event: 'ended'; id: string; inputPath: readonly number[]; status: TaskResult['status']; result: TaskResult };

/** Everything a run needs from outside; the same for all its tasks. */
export interface Run extends CallEffects {
  freshMaxChars: number;
  /** Where every call of a model or the memory system goes through. */
  steps: StepRunner;
  /** For a task, and the model that it asks. */
  limitsFor(task: Task, model: Model | null): Limits;
  headings: Headings;
  countTokens: CountTokens;
  /** Milliseconds from any beginning, only ever forward. */
  clockMs(): number;
  /** Ends once clocks, signals and answers of others had their turn. */
  nextTurn(): Promise<void>;
  onEvent: ((event: RunEvent) => void) | null;
  /** With the texts that the record measures. */
  onRecord: ((record: StepRecord, seen: { frame: Frame; texts: readonly string[] }) => void) | null;
  evaluate(task: Task, around: Surroundings): Promise<TaskResult>;
  /** Makes a call, or gives what is kept of it. `key`: the same in every attempt. What `judge` refuses is not kept. */
  call<C extends StepCall>(
    key: string,
    call: C,
    signal: AbortSignal,
    judge?: Judge<CallAnswer<C>>,
  ): Promise<CallAnswer<C>>;
}

/** A task at work, and what of it is recorded as far as it has come. */
export interface Evaluating {
  run: Run;
  /** `question`: of a task that asks a model or starts a program. */
  seen: { frame: Frame | null; question: string | null };
}
