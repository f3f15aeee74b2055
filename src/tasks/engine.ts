import type { InputValue } from './inputs.ts';
import type { SomeLimits } from './limits.ts';
import type { Headings } from './model.ts';
import type { TaskResult } from './results.ts';
import type { StepRecord } from './run-parts.ts';
import type { ApproveAnswer, StepCall, StepRunner } from './steps.ts';
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

export type RunState = 'waiting' | 'running' | 'complete' | 'failed' | 'stopped' | 'interrupted' | 'awaiting_person';

export interface RunSummary {
  id: string;
  state: RunState;
  file: string;
  name: string;
  startedAt: string;
  endedAt: string | null;
  /** How many steps are told of in `seen`; null where that is not known without reading all. */
  recorded: number | null;
}

/** When a step ended, and how long it took. */
export interface StepTime {
  at: string;
  ms: number;
}

export interface RunReport extends RunSummary {
  spec: RunSpec;
  /** How many answers of models and of the memory system are kept. */
  steps: number;
  /** What each step saw. Their texts are stored beside them, by their hash. */
  seen: StepRecord[];
  /** By path; a run of an earlier version has none. */
  times: Readonly<Record<string, StepTime>>;
  result: TaskResult | null;
  /** Lines of the journal that could not be read; what they held is done again by a resume. */
  damaged: number;
}

/** A run at work: held by this process until it ends. */
export interface OpenRun {
  readonly id: string;
  readonly spec: RunSpec;
  readonly steps: StepRunner;
  /** Aborted when the run is cancelled from elsewhere. */
  readonly cancelled: AbortSignal;
  record(record: StepRecord, seen: { texts: readonly string[]; ms: number }): void;
  /** Keeps the result and lets go of the run. */
  end(result: TaskResult): Promise<void>;
  /** Lets go of it without a result: another may go on with it. */
  leave(): Promise<void>;
}

/** Where runs live and who does their steps. */
export interface Engine {
  start(spec: RunSpec): Promise<OpenRun>;
  /** Goes on with a run that nobody is at. */
  reopen(id: string): Promise<OpenRun>;
  list(): Promise<RunSummary[]>;
  read(id: string): Promise<RunReport>;
  /** A text that some step saw or gave; null when it is not kept. */
  text(id: string, sha256: string): Promise<string | null>;
  cancel(id: string): Promise<RunState>;
  /** Keeps what the person said to what the run waits for. */
  answer(id: string, key: string, call: StepCall, answer: ApproveAnswer): Promise<void>;
  /** What the journal says that the person said. */
  answers(id: string): Promise<{ key: string; answer: unknown }[]>;
}
