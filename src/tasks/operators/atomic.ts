import { scopeFor } from '../inputs.ts';
import { checkSize, checkUse, type Limits } from '../limits.ts';
import type { Model, ModelAnswer, ModelRequest } from '../model.ts';
import { callModel, performCall } from '../perform-call.ts';
import { failure, type Notes, type TaskResult } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import { whyNotFitting } from '../template/output-format.ts';
import type { AtomicTask } from '../template/template.ts';
import { assembleFrame } from './assemble-frame.ts';
import { fillText } from './fill-text.ts';
import { type Frame, joinForPrompt } from './frame.ts';
import { JSON_REQUEST, NOTES_REQUEST, STRUCTURED_REQUEST, splitNotes } from './notes.ts';
import { recordStep } from './record.ts';

// Frame, prompt, model, notes: one question to one model.
export async function runAtomic(task: AtomicTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const scope = scopeFor(task, around.scope);
  const model = run.modelFor(task.model);
  const warnings: string[] = [];
  const filling = { scope, results: around.results, warnings };
  const usesResults =
    around.results !== '' && task.prompt.includes('results') && /\{\{\s*results\s*\}\}/.test(task.prompt);
  const assembling = assembleFrame(
    {
      settings: task.settings,
      taskText: fillText(task.description, { ...filling, warnings: [] }),
      parent: around.parent,
      accumulated: around.accumulated,
      results: usesResults ? '' : around.results,
      filePaths: task.filePaths.map((path) => fillText(path, { scope })),
    },
    { run, path: around.path, stop: around.stop },
  );
  const frame = assembling instanceof Promise ? await assembling : assembling;
  const question = fillText(task.prompt, filling);
  warnings.unshift(...frame.warnings);
  const seen = { task, frame, around, question };
  try {
    const result = await answerOf(task, { question, frame, model, warnings }, { around, run });
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
  asked: { question: string; frame: Frame; model: Model; warnings: string[] },
  { around, run }: { around: Surroundings; run: Run },
): Promise<TaskResult> {
  const { question, frame, model, warnings } = asked;
  const { outputFormat } = task;
  const limits = run.limitsFor(task, model);
  const asking: Question = { question, frame, model, outputFormat, limits, id: task.id, named: task.model };
  const answer = await askModel(asking, { run, around, warnings });
  const { content, notes } = splitNotes(answer, model.name);
  const noted: Notes = warnings.length > 0 ? { ...notes, warnings } : notes;
  if (outputFormat.type === 'text') return { status: 'COMPLETE', content, notes: noted };
  return { status: 'COMPLETE', content, parsedContent: parseAnswer(content, task), notes: noted };
}

interface Question extends Pick<ModelRequest, 'question' | 'frame' | 'outputFormat'> {
  model: Model;
  limits: Limits;
  /** Of the task. */
  id: string;
  /** As the template names it. */
  named: string | null;
}

interface Asking {
  run: Run;
  around: Surroundings;
  warnings: string[];
}

// A model that is not done is asked again, turn by turn, up to the limit.
async function askModel(asked: Question, { run, around, warnings }: Asking): Promise<string> {
  const { countTokens } = run;
  const { limits } = asked;
  const base = joinForPrompt(asked.frame, `${asked.question}\n\n${requestFor(asked)}`, run.headings);
  const warn = (message: string | null): void => {
    if (message !== null) warnings.push(message);
  };
  let said = '';
  for (let turn = 1; ; turn += 1) {
    warn(checkUse('turns', turn, limits.turns));
    const prompt = said === '' ? base : `${base}\n\n# Your answer so far\n\n${said}`;
    const sizing = checkSize('context', prompt, { limit: limits.context, countTokens });
    if (sizing) warn(await sizing);
    const answer = await ask(asked, { prompt, turn }, { run, around });
    said += answer.content;
    const measuring = checkSize('output', said, { limit: limits.output, countTokens });
    if (measuring) warn(await measuring);
    if (!answer.more) return said;
  }
}

function requestFor({ outputFormat, model }: Question): string {
  if (outputFormat.type === 'text') return NOTES_REQUEST;
  return model.isStructured ? STRUCTURED_REQUEST : JSON_REQUEST;
}

// A free model is asked directly: keeping its answer would cost more than asking again.
function ask(
  { question, frame, outputFormat, model, limits, named, id }: Question,
  { prompt, turn }: { prompt: string; turn: number },
  { run, around }: Pick<Asking, 'run' | 'around'>,
): Promise<ModelAnswer> {
  const { stop } = around;
  const key = `${around.path}#${turn}`;
  const request = { key, prompt, question, frame, outputFormat, maxOutputTokens: limits.output, turn };
  if (model.isFree) return callModel(model, request, { stop });
  const call = { kind: 'model' as const, model: named, request };
  return run.steps.step({ key, call, stop }, () =>
    performCall(call, run, { stop, onText: textTeller(id, around, run) }),
  );
}

const TELL_EVERY = 500;

// Now and then: a person wants to see that something comes, not every word.
function textTeller(id: string, { inputPath }: Surroundings, run: Run): ModelRequest['onText'] {
  if (!run.onEvent) return undefined;
  let told = 0;
  return (chars) => {
    if (chars < told + TELL_EVERY) return;
    told = chars;
    run.onEvent?.({ event: 'text', id, inputPath, chars });
  };
}

function parseAnswer(content: string, task: AtomicTask): unknown {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(content));
  } catch {
    throw failure(
      'output_format_failure',
      'The answer is not valid JSON.',
      'Say in the prompt what the JSON must look like.',
    );
  }
  const wrong = task.outputFormat.schema ? whyNotFitting(value, task.outputFormat.schema) : null;
  if (wrong)
    throw failure('output_format_failure', `The answer does not match the schema: ${wrong}.`, 'Say it in the prompt.');
  return value;
}

// Many models wrap JSON in a code fence whatever they are told.
function withoutFence(text: string): string {
  const lines = text.trim().split('\n');
  return lines[0]?.startsWith('```') && lines.at(-1)?.trim() === '```' ? lines.slice(1, -1).join('\n') : text;
}
