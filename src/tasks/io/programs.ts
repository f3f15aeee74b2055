import { codeOf } from '../../errors.ts';
import { type Program, programVariables, runToEnd, type Variables } from '../../files/run-program.ts';
import { exhausted, failure, halted } from '../results.ts';
import type { Model, ScriptAnswer, StepCall } from '../steps.ts';
import { outsideText } from '../text.ts';

/** To its end; where that comes too early it is a failure. `name`: how a person is told of it. */
async function toEnd(
  name: string,
  program: Omit<Program, 'input'>,
  bounds: { input: string; signal: AbortSignal; timeoutMs: number; maxBytes: number },
) {
  const ended = await runToEnd({ ...program, errors: 'open' }, bounds);
  const { cut, code, by, startFault } = ended;
  if (cut === 'stopped') throw halted();
  if (cut === 'too_slow')
    throw failure('execution_timeout', `${name} took longer than ${bounds.timeoutMs / 1000} s.`, 'Let it do less.');
  if (cut === 'too_long' || code !== null) return ended;
  const fault = codeOf(startFault) === 'ENOENT' ? 'is not there' : "can't be started";
  const how = startFault === null ? `was ended by ${by ?? 'a signal'}` : fault;
  throw failure('unexpected_error', `${name} ${how}.`, 'Try it by hand.');
}

const MAX_PRINTED = 1024 * 1024;

/** A program of a template, which the person has allowed. */
export async function runProgram(
  { command, input, timeoutSeconds }: Extract<StepCall, { kind: 'script' }>,
  { project, variables, signal }: { project: string; variables: Variables; signal: AbortSignal },
): Promise<ScriptAnswer> {
  const { cut, code, output, errors } = await toEnd(
    'The program',
    { command, cwd: project, variables: programVariables([], variables, project) },
    { input, signal, timeoutMs: timeoutSeconds * 1000, maxBytes: MAX_PRINTED },
  );
  if (cut === 'too_long')
    throw failure('output_format_failure', 'The program printed more than 1 MiB.', 'Let it print less.');
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return { exitCode: code ?? 0, output: decoder.decode(output), errorText: errors.toString('utf8') };
  } catch {
    throw failure('output_format_failure', 'What the program printed is not UTF-8 text.', 'Let it print text.');
  }
}

const MODEL_TIMEOUT_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A command line of the person's own: the prompt on its standard input, the answer from its standard output. */
export function commandModel({
  command,
  timeoutMs = MODEL_TIMEOUT_MS,
  ...place
}: Pick<Program, 'cwd' | 'variables'> & { command: string; timeoutMs?: number }): Model {
  return {
    name: 'command',
    async call({ prompt, signal, maxOutputTokens }) {
      const bounds = { input: prompt, signal, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
      const program = { command: ['sh', '-c', command], ...place };
      const { cut, code, output, errors } = await toEnd('The model command', program, bounds);
      if (cut === 'too_long') throw exhausted('output', Math.ceil(MAX_ANSWER_BYTES / 4), maxOutputTokens);
      if (code === 0) return { content: output.toString('utf8').trim() };
      const text = outsideText(errors.toString('utf8'));
      const message = `The model command ended with exit code ${code}${text === '' ? '.' : `: ${text}`}`;
      throw failure('unexpected_error', message, 'Try it by hand: see config model_command.');
    },
  };
}
