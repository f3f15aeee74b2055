import type { SomeLimits } from './limits.ts';
import type { Match } from './memory-system.ts';
import type { OutputFormat } from './template/output-format.ts';

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
  /** Told while an answer streams in: how many characters there are. */
  readonly onText?: ((chars: number) => void) | undefined;
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
  /** Loads what the first call needs, for a process that will make many. Asks nobody. */
  prepare?(): Promise<void>;
  call(request: ModelRequest): Promise<ModelAnswer> | ModelAnswer;
}
