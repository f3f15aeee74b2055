import type { ApprovalAnswer } from '../gate/ledger/entry.ts';
import type { MatchingInput } from './memory-system.ts';
import type { ModelRequest } from './model.ts';

/** One effect of a run, as plain data: whoever holds it can do it, in this process or in another one. */
export type StepCall =
  | { kind: 'model'; model: string | null; request: Omit<ModelRequest, 'signal' | 'onText'> }
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

/** What the person said to what a run showed them. */
export interface ApproveAnswer {
  answer: ApprovalAnswer;
  /** For an edit. */
  text?: string;
  reason?: string;
  at: string;
  /** Who: the fingerprint of the key that signed it. */
  by: string;
  /** The signed line of the person's ledger. */
  entry: string;
  /** In a shared database: the texts that the line names by their hashes. */
  records?: readonly string[];
}

/** How the keys of such steps end. */
export const APPROVE = '#approve';

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
