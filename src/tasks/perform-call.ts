import { BearingsError } from '../errors.ts';
import { traced } from '../settings/io/tracing.ts';
import { awaitingPerson, failure, halted, TaskFailure, unlessHalted } from './results.ts';
import type {
  ApproveAnswer,
  ChooseFresh,
  Fresh,
  MemorySystem,
  Model,
  ModelAnswer,
  ModelRequest,
  ScriptAnswer,
  StepCall,
} from './steps.ts';
import { causeOf, cleanText } from './text.ts';

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

interface CallWatch {
  signal: AbortSignal;
  /** Of the step. */
  key?: string;
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
  watch: CallWatch,
): Promise<CallAnswer<C>>;
export async function performCall(call: StepCall, effects: CallEffects, watch: CallWatch): Promise<unknown> {
  if (call.kind === 'model') {
    const { key } = call.request;
    const request = { ...call.request, key: effects.run === undefined ? key : `${effects.run}/${key}` };
    return tracedModel(effects.modelFor(call.model), request, watch);
  }
  // To wait for a person is no failure.
  if (call.kind === 'approve')
    throw awaitingPerson({ key: watch.key ?? '', question: call.question, shown: call.shown });
  const operation = call.kind === 'script' ? 'execute_tool' : 'retrieval';
  const facts = () => ({ 'gen_ai.operation.name': operation, 'bearings.step.kind': call.kind });
  return traced({ name: `${operation} ${call.kind}`, facts }, () => perform(call, effects, watch.signal));
}

type OtherCall = Exclude<StepCall, { kind: 'model' | 'approve' }>;

async function perform(call: OtherCall, effects: CallEffects, signal: AbortSignal): Promise<unknown> {
  const { memory, chooseFresh } = effects;
  switch (call.kind) {
    case 'filter': {
      const ask = () => memory.getRelevantContextFor(call.input, { subset: true });
      const answer = await askMemory('filter', ask, signal);
      if (typeof answer?.context !== 'string') throw wrongAnswer();
      return { context: answer.context, ...(answer.missed ? { missed: true } : {}) };
    }
    case 'files':
      return unlessHalted(signal, effects.readFiles(call.paths));
    case 'script':
      return effects.runProgram(call, signal);
    case 'fresh': {
      const { input, present, maxChars } = call;
      const ask = () => memory.getRelevantContextFor(input, { subset: false });
      const answer = await askMemory('fresh', ask, signal);
      if (!Array.isArray(answer?.matches) || !answer.matches.every(isMatch)) throw wrongAnswer();
      const own = ownContext(answer.context, call);
      const room = { maxChars: maxChars - [...own].length, present: `${present}\n${own}` };
      const fresh = await askMemory('fresh', () => chooseFresh(input, answer.matches, room), signal);
      return own === '' ? fresh : { ...fresh, text: [own, fresh.text].filter((text) => text !== '').join('\n\n') };
    }
  }
}

const OPERATIONS = {
  filter: {
    reason: 'context_matching_failure',
    about: 'The memory system could not filter the context',
    hint: 'Fix that, or inherit full or none.',
  },
  fresh: {
    reason: 'context_retrieval_failure',
    about: 'The memory system could not find fresh context',
    hint: 'Fix that, or set fresh_context to disabled.',
  },
} as const;

// Tried exactly twice, then it surfaces: a task never goes on as if nothing had happened.
async function askMemory<T>(
  operation: keyof typeof OPERATIONS,
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (signal.aborted) throw halted();
      return await unlessHalted(signal, Promise.resolve(ask()));
    } catch (error) {
      if (signal.aborted) throw halted();
      if (attempt === 1) continue;
      const { reason, about, hint } = OPERATIONS[operation];
      throw failure(reason, `${about}, in two attempts: ${causeOf(error)}.`, hint, error);
    }
  }
}

function wrongAnswer(): TaskFailure {
  return failure(
    'context_parsing_failure',
    'The memory system gave an answer that has not the form {context, matches: [path, metadata][]}.',
    'Fix the memory system.',
  );
}

// What a memory system of the user says beyond the parent it was given is believed (T28), as far as there is room.
function ownContext(context: unknown, { input, present, maxChars }: Extract<StepCall, { kind: 'fresh' }>): string {
  if (typeof context !== 'string' || context === input.inheritedContext || present.includes(context.trim())) return '';
  return [...cleanText(context).text].slice(0, maxChars).join('');
}

function isMatch(match: unknown): boolean {
  return Array.isArray(match) && typeof match[0] === 'string';
}

type Asked = Omit<ModelRequest, 'signal'>;

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

export async function callModel(model: Model, asked: Asked, { signal }: CallWatch): Promise<ModelAnswer> {
  try {
    const answer = await unlessHalted(signal, Promise.resolve(model.call({ ...asked, signal })));
    if (typeof answer?.content !== 'string')
      throw failure('unexpected_error', `The model "${model.name}" gave no text.`);
    return answer;
  } catch (error) {
    if (signal.aborted) throw halted();
    if (error instanceof TaskFailure) throw error;
    const known = error instanceof BearingsError ? error : null;
    throw failure('unexpected_error', known?.message ?? `The model "${model.name}" failed.`, known?.hint, error);
  }
}
