import { BearingsError } from '../errors.ts';
import { traced } from '../settings/io/tracing.ts';
import { askMemory, type ChooseFresh, type Fresh, type MemorySystem, wrongAnswer } from './memory-system.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import type { Frame } from './operators/frame.ts';
import { awaitingPerson, failure, halted, TaskFailure } from './results.ts';
import type { ApproveAnswer, ScriptAnswer, StepCall } from './steps.ts';
import { type Stop, unlessStopped } from './stop.ts';

export interface CallEffects {
  memory: MemorySystem;
  chooseFresh: ChooseFresh;
  /** Files of the project, whole. */
  readFiles(paths: readonly string[]): Promise<Fresh>;
  /** Only what the person has allowed. */
  runProgram(call: Extract<StepCall, { kind: 'script' }>, stop: Stop): Promise<ScriptAnswer>;
  modelFor(name: string | null): Model;
}

export interface CallWatch {
  stop: Stop;
  /** Of the step. */
  key?: string;
  /** Told while an answer streams in. */
  onText?: ModelRequest['onText'];
}

/** A text alone: as journals of earlier versions keep it. */
type FilterAnswer = { context: string; missed?: true } | string;
export type CallAnswer<C extends StepCall> = C extends { kind: 'model' }
  ? ModelAnswer
  : C extends { kind: 'filter' }
    ? FilterAnswer
    : C extends { kind: 'script' }
      ? ScriptAnswer
      : C extends { kind: 'approve' }
        ? ApproveAnswer
        : Fresh;

// What a step does, wherever it is done. The answer is plain data.
export function performCall<C extends StepCall>(
  call: C,
  effects: CallEffects,
  watch: CallWatch,
): Promise<CallAnswer<C>>;
export async function performCall(call: StepCall, effects: CallEffects, watch: CallWatch): Promise<unknown> {
  if (call.kind === 'model') return tracedModel(effects.modelFor(call.model), call.request, watch);
  // To wait for a person is no failure.
  if (call.kind === 'approve')
    throw awaitingPerson({ key: watch.key ?? '', question: call.question, shown: call.shown });
  const operation = call.kind === 'script' ? 'execute_tool' : 'retrieval';
  const facts = () => ({ 'gen_ai.operation.name': operation, 'bearings.step.kind': call.kind });
  return traced({ name: `${operation} ${call.kind}`, facts }, () => perform(call, effects, watch));
}

type OtherCall = Exclude<StepCall, { kind: 'model' | 'approve' }>;

async function perform(call: OtherCall, effects: CallEffects, { stop }: CallWatch): Promise<unknown> {
  const { memory, chooseFresh } = effects;
  switch (call.kind) {
    case 'filter': {
      const answer = await askMemory('filter', () => memory.getRelevantContextFor(call.input, { subset: true }), stop);
      if (typeof answer?.context !== 'string') throw wrongAnswer();
      return { context: answer.context, ...(answer.missed ? { missed: true } : {}) };
    }
    case 'files':
      return unlessStopped(stop, effects.readFiles(call.paths), halted);
    case 'script':
      return effects.runProgram(call, stop);
    case 'fresh': {
      const found = await askMemory('fresh', () => memory.getRelevantContextFor(call.input, { subset: false }), stop);
      if (!Array.isArray(found?.matches) || !found.matches.every(isMatch)) throw wrongAnswer();
      return askMemory('fresh', () => chooseFresh(call.input, found.matches, call.maxChars), stop);
    }
  }
}

function isMatch(match: unknown): boolean {
  return Array.isArray(match) && typeof match[0] === 'string';
}

type Asked = Omit<ModelRequest, 'signal' | 'onText'>;

function tracedModel(model: Model, asked: Asked, watch: CallWatch): Promise<ModelAnswer> {
  const facts = () => ({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name, 'gen_ai.provider.name': model.name },
    ...{ 'gen_ai.request.max_tokens': asked.maxOutputTokens, 'bearings.step.key': asked.key },
  });
  return traced({ name: `chat ${model.name}`, kind: 'client', facts }, async (span) => {
    const answer = await callModel(model, asked, watch);
    span.set({
      'gen_ai.usage.input_tokens': answer.usage?.input,
      'gen_ai.usage.output_tokens': answer.usage?.output,
      'bearings.answer.chars': answer.content.length,
    });
    return answer;
  });
}

export async function callModel(model: Model, asked: Asked, watch: CallWatch): Promise<ModelAnswer> {
  const { stop } = watch;
  try {
    const asking = model.call(new Request(asked, watch));
    const answer = 'content' in asking ? asking : await unlessStopped(stop, Promise.resolve(asking), halted);
    if (typeof answer?.content !== 'string')
      throw failure('unexpected_error', `The model "${model.name}" gave no text.`);
    return answer;
  } catch (error) {
    if (stop.stopped) throw halted();
    if (error instanceof TaskFailure) throw error;
    const known = error instanceof BearingsError ? error : null;
    throw failure('unexpected_error', known?.message ?? `The model "${model.name}" failed.`, known?.hint, error);
  }
}

// A class for the sake of `signal`: an abort signal is made only for a model that looks at it.
class Request implements ModelRequest {
  readonly key: string;
  readonly prompt: string;
  readonly question: string;
  readonly frame: Frame;
  readonly outputFormat: ModelRequest['outputFormat'];
  readonly maxOutputTokens: number;
  readonly turn: number;
  readonly onText: ModelRequest['onText'];
  readonly #stop: Stop;

  constructor(asked: Asked, { stop, onText }: CallWatch) {
    this.key = asked.key;
    this.prompt = asked.prompt;
    this.question = asked.question;
    this.frame = asked.frame;
    this.outputFormat = asked.outputFormat;
    this.maxOutputTokens = asked.maxOutputTokens;
    this.turn = asked.turn;
    this.onText = onText;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }
}
