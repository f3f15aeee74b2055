import { BearingsError } from '../errors.ts';
import { assembleFrame, type Frame, joinForPrompt } from './frame.ts';
import { type Scope, scopeFor, textOf } from './inputs.ts';
import { checkSize, checkUse } from './limits.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import { NOTES_REQUEST, splitNotes } from './notes.ts';
import { whyNotFitting } from './output-format.ts';
import { fillPlaceholders } from './placeholders.ts';
import { recordStep } from './record.ts';
import { failure, halted, type Notes, TaskFailure, type TaskResult } from './results.ts';
import type { Run, Surroundings } from './run-parts.ts';
import { type Stop, unlessStopped } from './stop.ts';
import type { AtomicTask } from './template.ts';

// Frame, prompt, model, notes: one question to one model.
export async function runAtomic(task: AtomicTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const scope = scopeFor(task, around.scope);
  const model = run.modelFor(task.model);
  const usesResults =
    around.results !== '' && task.prompt.includes('results') && /\{\{\s*results\s*\}\}/.test(task.prompt);
  const assembling = assembleFrame(
    {
      settings: task.settings,
      taskText: fill(task.description, scope, around),
      parent: around.parent,
      accumulated: around.accumulated,
      results: usesResults ? '' : around.results,
    },
    { memory: run.memory, freshMaxChars: run.freshMaxChars, stop: around.stop },
  );
  const frame = assembling instanceof Promise ? await assembling : assembling;
  const seen = { task, frame, inputPath: around.inputPath };
  try {
    const result = await answerOf(task, { question: fill(task.prompt, scope, around), frame, model }, around.stop, run);
    if (run.onRecord) await recordStep({ ...seen, result }, run);
    return result;
  } catch (error) {
    if (run.onRecord)
      await recordStep({ ...seen, result: { status: 'FAILED', content: '', notes: { summary: '' } } }, run);
    throw error;
  }
}

async function answerOf(
  task: AtomicTask,
  asked: { question: string; frame: Frame; model: Model },
  stop: Stop,
  run: Run,
): Promise<TaskResult> {
  const warnings: string[] = [];
  const { question, frame, model } = asked;
  const { outputFormat } = task;
  const asking: Question = { question, frame, model, outputFormat, maxOutputTokens: run.limits.output };
  const answer = await askModel(asking, { run, stop, warnings });
  const { content, notes } = splitNotes(answer, model.name);
  const noted: Notes = warnings.length > 0 ? { ...notes, warnings } : notes;
  if (outputFormat.type === 'text') return { status: 'COMPLETE', content, notes: noted };
  return { status: 'COMPLETE', content, parsedContent: parseAnswer(content, task), notes: noted };
}

function fill(text: string, scope: Scope | null, around: Surroundings): string {
  return fillPlaceholders(text, (name) =>
    name === 'results' && around.results !== '' ? around.results : textOf(scope, name),
  );
}

interface Question extends Pick<ModelRequest, 'question' | 'frame' | 'outputFormat' | 'maxOutputTokens'> {
  model: Model;
}

interface Asking {
  run: Run;
  stop: Stop;
  warnings: string[];
}

// A model that is not done is asked again, turn by turn, up to the limit.
async function askModel(asked: Question, { run, stop, warnings }: Asking): Promise<string> {
  const { limits, countTokens } = run;
  const format = asked.outputFormat.type === 'json' ? 'Answer with JSON only, before the notes. ' : '';
  const base = joinForPrompt(asked.frame, `${asked.question}\n\n${format}${NOTES_REQUEST}`, run.headings);
  const warn = (message: string | null): void => {
    if (message !== null) warnings.push(message);
  };
  let said = '';
  for (let turn = 1; ; turn += 1) {
    warn(checkUse('turns', turn, limits.turns));
    const prompt = said === '' ? base : `${base}\n\n# Your answer so far\n\n${said}`;
    const sizing = checkSize('context', prompt, { limit: limits.context, countTokens });
    if (sizing) warn(await sizing);
    const request = new Request(asked, { prompt, turn, stop });
    const answer = await callModel(asked.model, request, stop);
    said += answer.content;
    const measuring = checkSize('output', said, { limit: limits.output, countTokens });
    if (measuring) warn(await measuring);
    if (!answer.more) return said;
  }
}

// A class for the sake of `signal`: an abort signal is made only for a model that looks at it.
class Request implements ModelRequest {
  readonly prompt: string;
  readonly question: string;
  readonly frame: Frame;
  readonly outputFormat: ModelRequest['outputFormat'];
  readonly maxOutputTokens: number;
  readonly turn: number;
  readonly #stop: Stop;

  constructor(asked: Question, now: { prompt: string; turn: number; stop: Stop }) {
    this.prompt = now.prompt;
    this.question = asked.question;
    this.frame = asked.frame;
    this.outputFormat = asked.outputFormat;
    this.maxOutputTokens = asked.maxOutputTokens;
    this.turn = now.turn;
    this.#stop = now.stop;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }
}

async function callModel(model: Model, request: Request, stop: Stop): Promise<ModelAnswer> {
  try {
    const asking = model.call(request);
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

function parseAnswer(content: string, task: AtomicTask): unknown {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(content));
  } catch {
    throw failure('output_format_failure', 'The answer is no JSON.', 'Say in the prompt what the JSON must look like.');
  }
  const wrong = task.outputFormat.schema ? whyNotFitting(value, task.outputFormat.schema) : null;
  if (wrong) throw failure('output_format_failure', `The answer does not fit: ${wrong}.`, 'Say it in the prompt.');
  return value;
}

// Many models wrap JSON in a code fence whatever they are told.
function withoutFence(text: string): string {
  const lines = text.trim().split('\n');
  return lines[0]?.startsWith('```') && lines.at(-1)?.trim() === '```' ? lines.slice(1, -1).join('\n') : text;
}
