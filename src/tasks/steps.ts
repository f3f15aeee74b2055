import type { RecordedApproval } from '../gate/approvals.ts';
import type { SomeLimits } from './results.ts';
import type { OutputFormat } from './template/output-format.ts';

/** One effect of a run, as plain data: whoever holds it can do it, in this process or in another one. */
export type StepCall =
  | { kind: 'model'; model: string | null; request: Omit<ModelRequest, 'signal'> }
  | { kind: 'filter'; input: MatchingInput }
  /** `present`: what the task sees already, so that nothing is there twice. */
  | { kind: 'fresh'; input: MatchingInput; maxChars: number; present: string }
  | { kind: 'files'; paths: readonly string[] }
  | { kind: 'script'; command: readonly string[]; input: string; timeoutSeconds: number }
  | { kind: 'approve'; question: string; shown: string };

/** How a program ended by itself. */
export interface ScriptAnswer {
  exitCode: number;
  output: string;
  errorText: string;
}

/** What the person said to what a run showed them; in a shared database with the texts that the line names by their hashes. */
export type ApproveAnswer = RecordedApproval & { records?: readonly string[] };

/** How the keys of such steps end. */
export const APPROVE = '#approve';

/** What a step was asked: where it differs, what was kept of it no longer holds. */
export function askedText(call: StepCall): string {
  if (call.kind !== 'model') return JSON.stringify(call);
  const { prompt, outputFormat, maxOutputTokens, turn } = call.request;
  return JSON.stringify([call.model, outputFormat, maxOutputTokens, turn, prompt]);
}

export interface Step {
  /** The same in every attempt of a run: the path of the task in it, and what is asked there (`1.2.inner:17#1`). */
  readonly key: string;
  readonly call: StepCall;
  readonly signal: AbortSignal;
}

/** All effects of the evaluator go through here. */
export interface StepRunner {
  // Does the work and keeps what it gives; where the same step is finished already, gives what was kept. What throws is
  // not kept.
  step<T>(step: Step, work: () => Promise<T>): Promise<T>;
}

// Without an engine: each step is simply done.
export const directSteps: StepRunner = { step: (_, work) => work() };

/** What one task sees. Its parts stay apart until a prompt is made. */
export interface Frame {
  readonly taskText: string;
  readonly inherited: string;
  readonly accumulated: string;
  readonly fresh: string;
  /** For a reduction: what the inner tasks found. */
  readonly results: string;
  readonly matches: readonly Match[];
  /** What a person should know of how it came about. */
  readonly warnings: readonly string[];
}

export const DEFAULT_HEADINGS = {
  inherited: 'Context',
  accumulated: 'What earlier steps found',
  fresh: 'Related files',
  results: 'Results to combine',
  task: 'Task',
};
export type Headings = typeof DEFAULT_HEADINGS;

export interface ModelRequest {
  /** The same for every attempt at this step of the run. */
  readonly key: string;
  /** Everything, ready to send. */
  readonly prompt: string;
  /** What is asked, without context. */
  readonly question: string;
  readonly frame: Frame;
  readonly outputFormat: OutputFormat;
  readonly maxOutputTokens: number;
  readonly turn: number;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  content: string;
  /** The model is not done: it is asked again with what it has said so far. */
  more?: boolean;
  /** Tokens as the provider counted them. */
  usage?: { input: number; output: number };
}

export interface Model {
  readonly name: string;
  /** Costs nothing and always says the same: it is asked again rather than kept. */
  readonly isFree?: true;
  /** Gives JSON as `{"answer": …, "notes": …}`, which its provider enforces. */
  readonly isStructured?: true;
  /** What a step that asks it may use at most. */
  readonly limits?: SomeLimits;
  call(request: ModelRequest): Promise<ModelAnswer> | ModelAnswer;
}

export interface MatchingInput {
  taskText: string;
  inheritedContext?: string;
  previousOutputs?: string;
}

export type Match = [path: string, metadata: unknown | null];

interface RelevantContext {
  /** The parent context; for `subset` what of it fits the task. */
  context: string;
  /** In no order of rank. */
  matches: Match[];
  /** Nothing of the parent fits the task: `context` is all of it. */
  missed?: true;
}

/** Matching, as seen from a task. It does not rank: which passages go in is the evaluator's choice. */
export interface MemorySystem {
  getRelevantContextFor(input: MatchingInput, options: { subset: boolean }): Promise<RelevantContext>;
}

export interface Fresh {
  text: string;
  matches: readonly Match[];
  warnings?: readonly string[];
}

/** The evaluator's choice: of what matches, the best passages, as many as fit. */
export type ChooseFresh = (
  input: MatchingInput,
  matches: readonly Match[],
  /** `present`: what the task sees already; a passage of it is not given again. */
  options: { maxChars: number; present: string },
) => Promise<Fresh>;
