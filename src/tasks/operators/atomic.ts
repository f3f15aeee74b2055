import type { Evaluating, Run, Surroundings } from '../engine.ts';
import { checkSize, checkUse, failure, type Notes, type TaskResult } from '../results.ts';
import { callModel, type Frame, type Model, type ModelAnswer } from '../steps.ts';
import { whyNotFitting } from '../template/output-format.ts';
import type { TaskOf } from '../template/template.ts';
import { cleanText, redactedWarning } from '../text.ts';
import { assembleFrame, fillText, joinForPrompt } from './frame.ts';

// Frame, prompt, model, notes: one question to one model.
export async function runAtomic(task: TaskOf<'atomic'>, around: Surroundings, at: Evaluating): Promise<TaskResult> {
  const { run, seen } = at;
  const model = run.modelFor(task.model);
  const usesResults = around.results !== '' && /\{\{\s*results\s*\}\}/.test(task.prompt);
  const { scope, frame } = await assembleFrame(task, around, at, usesResults ? '' : around.results);
  const warnings: string[] = [];
  const question = fillText(task.prompt, { scope, results: around.results, warnings });
  seen.question = question;
  const answer = await askModel(task, { question, frame, model, warnings }, { around, run });
  const { content, notes } = splitNotes(answer, model.name);
  return {
    status: 'COMPLETE',
    content,
    ...(task.outputFormat.type === 'json' ? { parsedContent: parseAnswer(content, task, model) } : {}),
    notes: warnings.length > 0 ? { ...notes, warnings } : notes,
  };
}

// A model that is not done is asked again, turn by turn, up to the limit.
async function askModel(
  task: TaskOf<'atomic'>,
  { question, frame, model, warnings }: { question: string; frame: Frame; model: Model; warnings: string[] },
  { around, run }: { around: Surroundings; run: Run },
): Promise<string> {
  const { countTokens } = run;
  const { outputFormat } = task;
  const limits = run.limitsFor(task, model);
  const asJson = model.isStructured ? STRUCTURED_REQUEST : JSON_REQUEST;
  const request = outputFormat.type === 'text' ? NOTES_REQUEST : asJson;
  const base = joinForPrompt(frame, `${question}\n\n${request}`, run.headings);
  const warn = (message: string | null): void => {
    if (message !== null) warnings.push(message);
  };
  let text = '';
  // By such an answer the task fails: it is not kept, so that a resume asks again.
  const judge = async ({ content, more }: ModelAnswer): Promise<void> => {
    await checkSize('output', text + content, { limit: limits.output, countTokens });
    if (!more && outputFormat.type === 'json') parseAnswer(splitNotes(text + content, model.name).content, task, model);
  };
  for (let turn = 1; ; turn += 1) {
    warn(checkUse('turns', turn, limits.turns));
    const prompt = text === '' ? base : `${base}\n\n# Your answer so far\n\n${text}`;
    warn(await checkSize('context', prompt, { limit: limits.context, countTokens }));
    const key = `${around.path}#${turn}`;
    const asked = { key, prompt, question, frame, outputFormat, maxOutputTokens: limits.output, turn };
    // A free model is asked directly: keeping its answer would cost more than asking again.
    const answer: ModelAnswer = model.isFree
      ? await callModel(model, { ...asked, signal: around.signal })
      : await run.call(key, { kind: 'model', model: task.model, request: asked }, around.signal, judge);
    text += answer.content;
    warn(await checkSize('output', text, { limit: limits.output, countTokens }));
    if (!answer.more) return text;
  }
}

const PROMPT_HINT =
  'To ask the same once more resume the run; or say in the prompt what the JSON must look like, and run it again.';

function parseAnswer(content: string, task: TaskOf<'atomic'>, model: Pick<Model, 'name' | 'isFree'>): unknown {
  const hint = model.isFree ? `"${model.name}" asks no model: choose one with --model.` : PROMPT_HINT;
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(content));
  } catch {
    throw failure('output_format_failure', 'The answer is not valid JSON.', hint);
  }
  const wrong = task.outputFormat.schema ? whyNotFitting(value, task.outputFormat.schema) : null;
  if (wrong) throw failure('output_format_failure', `The answer does not match the schema: ${wrong}.`, hint);
  return value;
}

// Many models wrap JSON in a code fence whatever they are told.
function withoutFence(text: string): string {
  const lines = text.trim().split('\n');
  return lines[0]?.startsWith('```') && lines.at(-1)?.trim() === '```' ? lines.slice(1, -1).join('\n') : text;
}

// A program that the person has allowed. What it printed, how it ended and what it complained of are the result.
export async function runScript(task: TaskOf<'script'>, around: Surroundings, at: Evaluating): Promise<TaskResult> {
  const { signal, results, path } = around;
  const { run, seen } = at;
  const { command, timeoutSeconds } = task;
  const { scope } = await assembleFrame(task, around, at, '');
  const warnings: string[] = [];
  const input = fillText(task.prompt, { scope, results, warnings });
  seen.question = `${command.join(' ')}${input === '' ? '' : `\n\n${input}`}`;
  const call = { kind: 'script', command, input, timeoutSeconds } as const;
  const { exitCode, output, errorText } = await run.call(`${path}#script`, call, signal);
  const [printed, errors] = [cleanText(output), cleanText(errorText)];
  const kinds = [...new Set([...printed.kinds, ...errors.kinds])];
  if (kinds.length > 0) warnings.push(redactedWarning('What the program printed', kinds));
  const joined = (parts: string[], between: string): string => parts.filter((part) => part !== '').join(between);
  const errorPart = errors.text.trim() === '' ? '' : `Error text:\n${errors.text.trimEnd()}`;
  const ends = [printed, errors].map(({ text }) => text.trimEnd().split('\n').slice(-3).join('\n'));
  return {
    status: 'COMPLETE',
    content: joined([`Exit code ${exitCode}`, printed.text.trimEnd(), errorPart], '\n\n'),
    parsedContent: { exit_code: exitCode, output: printed.text, error_text: errors.text },
    notes: {
      summary: extractOf(joined([`Exit code ${exitCode}`, ...ends], '\n')),
      derived: true,
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}

const MAX_SUMMARY = 600;
const OPEN = '<notes>';
const CLOSE = '</notes>';

/** Comes at the end of every prompt. */
const NOTES_REQUEST = `End your answer with ${OPEN}one to three sentences that sum up what you found${CLOSE}.`;

const JSON_REQUEST = `Answer with JSON only, before the notes. ${NOTES_REQUEST}`;
const STRUCTURED_REQUEST =
  'Put the answer under "answer", and one to three sentences that sum up what you found under "notes".';

// The notes part the model was asked for, else an extract of its content that says so.
export function splitNotes(answer: string, model: string): { content: string; notes: Notes } {
  const start = answer.lastIndexOf(OPEN);
  const end = start === -1 ? -1 : answer.indexOf(CLOSE, start);
  const isLast = end !== -1 && answer.slice(end + CLOSE.length).trim() === '';
  const content = isLast ? answer.slice(0, start).trimEnd() : answer;
  const summary = isLast ? answer.slice(start + OPEN.length, end).trim() : '';
  return {
    content,
    notes: summary === '' ? { summary: extractOf(content), derived: true, model } : { summary, model },
  };
}

// The beginning, up to a sentence's or a word's end. Same text, same extract, on every machine.
export function extractOf(content: string): string {
  const text = content.trim();
  if (text.length <= MAX_SUMMARY) return text;
  const points = [...text.slice(0, MAX_SUMMARY * 2)];
  if (points.length <= MAX_SUMMARY && text.length <= MAX_SUMMARY * 2) return text;
  const start = points.slice(0, MAX_SUMMARY - 1).join('');
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('\n'));
  if (sentence > start.length / 2) return `${start.slice(0, sentence + 1).trimEnd()}…`;
  const word = start.lastIndexOf(' ');
  return `${word > start.length / 2 ? start.slice(0, word) : start}…`;
}
