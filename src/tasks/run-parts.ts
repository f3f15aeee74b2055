import type { Scope } from './inputs.ts';
import type { CountTokens, Limits } from './limits.ts';
import type { Match } from './memory-system.ts';
import type { Frame, Headings, Model } from './model.ts';
import type { CallEffects } from './perform-call.ts';
import type { PartialResult, TaskResult } from './results.ts';
import type { StepRunner } from './steps.ts';
import type { Operator } from './template/shape.ts';
import type { Task } from './template/template.ts';

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

export interface Part {
  chars: number;
  tokens: number;
  sha256: string;
}

/** What of a task is recorded, as far as it has come. */
export interface Seen {
  frame: Frame | null;
  /** For a task that asks a model or starts a program. */
  question: string | null;
}

/** What one task saw, so that anyone can look later. */
export interface StepRecord {
  id: string;
  inputPath: readonly number[];
  /** Its place in the run: `1.2.inner:17`. */
  path: string;
  type: Operator;
  name: string;
  status: TaskResult['status'];
  /** Null where no model was asked. */
  model: string | null;
  /** What was asked, with its inputs filled in. */
  question: Part;
  inherited: Part;
  accumulated: Part;
  fresh: Part;
  results: Part;
  matches: readonly Match[];
  output: Part;
  /** Of its context: what was redacted, what did not fit. */
  warnings?: readonly string[];
}

export type RunEvent =
  | { event: 'started'; id: string; inputPath: readonly number[]; type: Operator; name: string }
  | { event: 'inputs'; id: string; inputPath: readonly number[]; done: number; total: number | null; key: string }
  | { event: 'text'; id: string; inputPath: readonly number[]; chars: number }
  | { event: 'warning'; id: string; inputPath: readonly number[]; message: string }
  | { event: 'ended'; id: string; inputPath: readonly number[]; status: TaskResult['status']; result: TaskResult };

/** What is stored beside a record: the texts themselves, and how long the step took. */
interface SeenTexts {
  frame: Frame;
  result: TaskResult;
  question: string;
  ms: number;
}

/** Keeps finished results in order; past a size it may do so outside of memory. */
export interface ResultStore {
  readonly count: number;
  add(result: PartialResult): void;
  all(): Iterable<PartialResult>;
  close(): void;
}

/** Everything a run needs from outside; the same for all its tasks. */
export interface Run extends CallEffects {
  freshMaxChars: number;
  /** Where every call of a model or the memory system goes through. */
  steps: StepRunner;
  /** For a task, and the model that it asks. */
  limitsFor(task: Task, model: Model | null): Limits;
  headings: Headings;
  countTokens: CountTokens;
  hash(text: string): string;
  /** Milliseconds from any beginning, only ever forward. */
  clockMs(): number;
  /** Ends once clocks, signals and answers of others had their turn. */
  nextTurn(): Promise<void>;
  newStore(): ResultStore;
  onEvent: ((event: RunEvent) => void) | null;
  onRecord: ((record: StepRecord, seen: SeenTexts) => void) | null;
  /** Measuring costs: of a million inputs not each one need be recorded. */
  isRecorded(id: string): boolean;
  evaluate(task: Task, around: Surroundings): Promise<TaskResult>;
}
