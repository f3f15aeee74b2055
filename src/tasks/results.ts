export const FAILURE_REASONS = [
  'context_retrieval_failure',
  'context_matching_failure',
  'context_parsing_failure',
  'xml_validation_failure',
  'output_format_failure',
  'execution_timeout',
  'execution_halted',
  'subtask_failure',
  'input_validation_failure',
  'unexpected_error',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export type Resource = keyof Limits;

export type TaskError =
  | { type: 'TASK_FAILURE'; reason: FailureReason; message: string; hint?: string; details?: FailureDetails }
  | { type: 'RESOURCE_EXHAUSTION'; resource: Resource; used: number; limit: number; message: string; hint?: string };

export interface FailureDetails {
  /** Counted from 0, as `stepIndex`. */
  failedStep?: number;
  totalSteps?: number;
  failedInputIndex?: number;
  failedInputKey?: string;
  failedPhase?: 'inner_task' | 'reduction_task' | 'director' | 'script' | 'evaluator';
  /** Of a loop, counted from 0. */
  failedRound?: number;
  /** What the person is asked: the run goes on once there is an answer. */
  awaiting?: Awaiting;
  /** The person said no to it: the run is over. */
  declined?: true;
  partialResults?: readonly PartialResult[];
  /** The error below, with its own partial results inside. */
  cause?: TaskError;
  /** For a template that does not load. */
  problems?: readonly unknown[];
}

export interface Awaiting {
  /** Of the step in the journal. */
  key: string;
  question: string;
  /** What the person decides on. */
  shown: string;
}

export interface PartialResult {
  stepIndex?: number;
  inputIndex?: number;
  key?: string;
  output: string;
  notes: Notes;
}

export interface Notes {
  /** What later steps see of this one when only notes are accumulated. */
  summary: string;
  /** The model gave no notes: the summary is an extract of the content. */
  derived?: true;
  model?: string;
  warnings?: readonly string[];
  partialResults?: readonly PartialResult[];
  error?: TaskError;
}

export interface TaskResult {
  status: 'COMPLETE' | 'FAILED';
  content: string;
  parsedContent?: unknown;
  notes: Notes;
}

export function withWarnings(notes: Notes, warnings: readonly string[]): Notes {
  if (warnings.length === 0) return notes;
  return { ...notes, warnings: [...new Set([...warnings, ...(notes.warnings ?? [])])] };
}

/** Carries an error of the taxonomy up to the task that it ends. */
export class TaskFailure extends Error {
  readonly error: TaskError;
  constructor(error: TaskError) {
    super(error.message);
    this.error = error;
  }
}

export function failure(reason: FailureReason, message: string, hint?: string): TaskFailure {
  return new TaskFailure({ type: 'TASK_FAILURE', reason, message, ...(hint ? { hint } : {}) });
}

/** What the task was given is not what it needs. */
export function badInput(message: string, hint?: string): TaskFailure {
  return failure('input_validation_failure', message, hint);
}

export function exhausted(resource: Resource, used: number, limit: number): TaskFailure {
  return new TaskFailure({
    type: 'RESOURCE_EXHAUSTION',
    resource,
    used,
    limit,
    message: `The step used ${used} of at most ${limit} ${resource === 'turns' ? 'turns' : `tokens of ${resource}`}.`,
    hint: `Ask for less, or run it again with a higher limit: --max-${resource} N (limits.${resource} in a program)`,
  });
}

export function halted(): TaskFailure {
  return failure('execution_halted', 'The run was stopped before this was done.');
}

export function awaitingPerson(awaiting: Awaiting): TaskFailure {
  return new TaskFailure({
    type: 'TASK_FAILURE',
    reason: 'execution_halted',
    message: 'The run waits for the person.',
    hint: 'Answer it: bearings runs answer last',
    details: { awaiting },
  });
}

/** What a run that ended so waits for; null where it is something else that ended it. */
export function awaitingOf(error: TaskError | undefined): Awaiting | null {
  for (let at = error; at?.type === 'TASK_FAILURE'; at = at.details?.cause)
    if (at.details?.awaiting) return at.details.awaiting;
  return null;
}

export function isHalt(error: TaskError | undefined): boolean {
  return error?.type === 'TASK_FAILURE' && error.reason === 'execution_halted';
}

export function failedResult(error: TaskError, more: Partial<Notes> = {}): TaskResult {
  return { status: 'FAILED', content: '', notes: { summary: error.message, ...more, error } };
}

/** The result of a task that ends because one below it did. */
export function failedBelow(
  subject: string,
  cause: TaskError | undefined,
  details: Omit<FailureDetails, 'cause'>,
): TaskResult {
  const { partialResults } = details;
  const isStopped = isHalt(cause);
  const ended = awaitingOf(cause) ? 'waits' : isStopped ? 'was stopped' : 'failed';
  return failedResult(
    {
      type: 'TASK_FAILURE',
      reason: isStopped ? 'execution_halted' : 'subtask_failure',
      message: `${subject} ${ended}: ${cause?.message ?? ''}`,
      ...(cause?.hint ? { hint: cause.hint } : {}),
      details: { ...details, ...(cause ? { cause } : {}) },
    },
    partialResults ? { partialResults } : {},
  );
}

/** Whatever `work` does, an abort ends the wait: nothing depends on a model or a memory that does not listen. */
export function unlessHalted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(halted());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The person declined a step, a limit was reached, or what was given is wrong (an input, a model) and nothing was done: going on with the run would only say so again. */
export function isOver({ notes: { error, partialResults = [] } }: TaskResult): boolean {
  let at = error;
  for (; at?.type === 'TASK_FAILURE'; at = at.details?.cause) if (at.details?.declined) return true;
  if (at?.type === 'RESOURCE_EXHAUSTION') return true;
  if (error?.type !== 'TASK_FAILURE' || partialResults.length > 0) return false;
  const below = error.details?.cause;
  return (below?.type === 'TASK_FAILURE' ? below : error).reason === 'input_validation_failure';
}

export interface Limits {
  turns: number;
  /** Tokens. */
  context: number;
  /** Tokens. */
  output: number;
}

const DEFAULT_LIMITS: Limits = { turns: 20, context: 100_000, output: 8_000 };

export type SomeLimits = { readonly [K in keyof Limits]?: number | undefined };

/** What the person allows, in tokens and questions; the first that says something wins. */
export function limitsOf(...words: readonly (SomeLimits | undefined)[]): Limits {
  const pick = (name: Resource) => words.find((word) => word?.[name] !== undefined)?.[name] ?? DEFAULT_LIMITS[name];
  return { turns: pick('turns'), context: pick('context'), output: pick('output') };
}

export const LIMIT_RANGES: Readonly<Record<Resource, readonly [number, number]>> = {
  turns: [1, 1_000],
  context: [100, 10_000_000],
  output: [1, 1_000_000],
};

const WARN_AT = 0.8;
// No tokenizer makes more tokens than UTF-8 bytes, and a UTF-16 unit has at most three of them.
const MAX_TOKENS_PER_UNIT = 3;
// Past so many units per allowed token no text can fit; counting it would only cost time.
const MAX_UNITS_PER_TOKEN = 64;

export type CountTokens = (text: string) => Promise<number>;

// Counts only where the answer is not plain from the length: most texts cost nothing. A warning, or nothing; throws at
// the hard limit.
export async function checkSize(
  resource: Resource,
  text: string,
  measure: { limit: number; countTokens: CountTokens },
): Promise<string | null> {
  const { limit, countTokens } = measure;
  if (text.length * MAX_TOKENS_PER_UNIT < limit * WARN_AT) return null;
  if (text.length > limit * MAX_UNITS_PER_TOKEN) throw exhausted(resource, Math.ceil(text.length / 4), limit);
  return checkUse(resource, await countTokens(text), limit);
}

export function checkUse(resource: Resource, used: number, limit: number): string | null {
  if (used > limit) throw exhausted(resource, used, limit);
  if (used < limit * WARN_AT) return null;
  return `${resource}: ${used} of at most ${limit} are used.`;
}
