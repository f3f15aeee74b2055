import { BearingsError } from '../errors.ts';
import type { RecordedApproval } from '../gate/approvals.ts';
import { traced } from '../settings/io/tracing.ts';
import { awaitingPerson, failure, halted, type SomeLimits, TaskFailure, unlessHalted } from './results.ts';
import type { OutputFormat } from './template/output-format.ts';
import { causeOf, cleanText } from './text.ts';

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
  /** Throws where this answer ends the task. */
  readonly judge?: Judge<never> | undefined;
}

export type Judge<T> = (answer: T) => void | Promise<void>;

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

export interface CallEffects {
  memory: MemorySystem;
  chooseFresh: ChooseFresh;
  /** Files of the project, whole. */
  readFiles(paths: readonly string[]): Promise<Fresh>;
  /** Only what the person has allowed. */
  runProgram(call: Extract<StepCall, { kind: 'script' }>, signal: AbortSignal): Promise<ScriptAnswer>;
  modelFor(name: string | null): Model;
  /** The id of the run: with it the key of a step names a call, so that a provider can see a repeated one. */
  run?: string;
}

interface Answers {
  model: ModelAnswer;
  filter: { context: string; missed?: true };
  fresh: Fresh;
  files: Fresh;
  script: ScriptAnswer;
  approve: ApproveAnswer;
}
export type CallAnswer<C extends StepCall> = Answers[C['kind']];

// What a step does, wherever it is done. The answer is plain data.
export function performCall<C extends StepCall>(
  call: C,
  effects: CallEffects,
  step: Pick<Step, 'key' | 'signal'>,
): Promise<CallAnswer<C>>;
export async function performCall(
  call: StepCall,
  effects: CallEffects,
  { key, signal }: Pick<Step, 'key' | 'signal'>,
): Promise<unknown> {
  if (call.kind === 'model') {
    const name = effects.run === undefined ? call.request.key : `${effects.run}/${call.request.key}`;
    return tracedModel(effects.modelFor(call.model), { ...call.request, key: name, signal });
  }
  // To wait for a person is no failure.
  if (call.kind === 'approve') throw awaitingPerson({ key, question: call.question, shown: call.shown });
  const operation = call.kind === 'script' ? 'execute_tool' : 'retrieval';
  const facts = () => ({ 'gen_ai.operation.name': operation, 'bearings.step.kind': call.kind });
  return traced({ name: `${operation} ${call.kind}`, facts }, () => perform(call, effects, signal));
}

async function perform(
  call: Exclude<StepCall, { kind: 'model' | 'approve' }>,
  effects: CallEffects,
  signal: AbortSignal,
): Promise<unknown> {
  switch (call.kind) {
    case 'filter': {
      const { context, missed } = await askMemory(call, signal, () => relevant(call, effects, isText));
      return { context, ...(missed ? { missed: true } : {}) };
    }
    case 'files':
      return unlessHalted(signal, effects.readFiles(call.paths));
    case 'script':
      return effects.runProgram(call, signal);
    case 'fresh': {
      const { input, present, maxChars } = call;
      const isWhole = ({ context = '', matches }: RelevantContext) =>
        isText({ context }) && Array.isArray(matches) && matches.every(isMatch);
      const { context, matches } = await askMemory(call, signal, () => relevant(call, effects, isWhole));
      const own = ownContext(context, call);
      const room = { maxChars: maxChars - [...own].length, present: `${present}\n${own}` };
      const fresh = await askMemory(call, signal, () => effects.chooseFresh(input, matches, room));
      return own === '' ? fresh : { ...fresh, text: [own, fresh.text].filter((text) => text !== '').join('\n\n') };
    }
  }
}

type MemoryCall = Extract<StepCall, { kind: 'filter' | 'fresh' }>;

async function relevant(
  { kind, input }: MemoryCall,
  { memory }: CallEffects,
  isRight: (answer: RelevantContext) => boolean,
): Promise<RelevantContext> {
  const answer = await memory.getRelevantContextFor(input, { subset: kind === 'filter' });
  if (answer && isRight(answer)) return answer;
  throw failure(
    'context_parsing_failure',
    'The memory system gave an answer that has not the form {context, matches: [path, metadata][]}.',
    'Fix the memory system.',
  );
}

// Tried exactly twice, then it surfaces: a task never goes on as if nothing had happened.
async function askMemory<T>({ kind }: MemoryCall, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (signal.aborted) throw halted();
      return await unlessHalted(signal, Promise.resolve(ask()));
    } catch (error) {
      if (signal.aborted) throw halted();
      if (attempt === 1) continue;
      if (error instanceof TaskFailure) throw error;
      const cause = `in two attempts: ${causeOf(error)}.`;
      if (kind === 'filter')
        throw failure('context_matching_failure', `The memory system could not filter the context, ${cause}`);
      throw failure('context_retrieval_failure', `The memory system could not find fresh context, ${cause}`);
    }
  }
}

// What a memory system of the user says beyond the parent it was given is believed (T28), as far as there is room.
function ownContext(context: unknown, { input, present, maxChars }: Extract<StepCall, { kind: 'fresh' }>): string {
  if (typeof context !== 'string' || context === input.inheritedContext || present.includes(context.trim())) return '';
  return [...cleanText(context).text].slice(0, maxChars).join('');
}

const isText = ({ context }: Pick<RelevantContext, 'context'>): boolean => typeof context === 'string';

function isMatch(match: unknown): boolean {
  return Array.isArray(match) && typeof match[0] === 'string';
}

function tracedModel(model: Model, request: ModelRequest): Promise<ModelAnswer> {
  const facts = () => ({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name, 'gen_ai.provider.name': model.name },
    ...{ 'gen_ai.request.max_tokens': request.maxOutputTokens, 'bearings.step.key': request.key },
  });
  return traced({ name: `chat ${model.name}`, kind: 'client', facts }, async (span) => {
    const answer = await callModel(model, request);
    span?.setAttributes({
      'gen_ai.usage.input_tokens': answer.usage?.input,
      'gen_ai.usage.output_tokens': answer.usage?.output,
      'bearings.answer.chars': answer.content.length,
    });
    return answer;
  });
}

export async function callModel(model: Model, request: ModelRequest): Promise<ModelAnswer> {
  const { signal } = request;
  try {
    const answer = await unlessHalted(signal, Promise.resolve(model.call(request)));
    if (typeof answer?.content === 'string') return answer;
    const hint = "It must return { content: 'its answer' }.";
    throw failure('unexpected_error', `The model "${model.name}" gave no text.`, hint);
  } catch (error) {
    if (signal.aborted) throw halted();
    if (error instanceof TaskFailure) throw error;
    const known = error instanceof BearingsError ? error : null;
    const message = known?.message ?? `The model "${model.name}" failed: ${causeOf(error)}.`;
    throw failure('unexpected_error', message, known?.hint);
  }
}
