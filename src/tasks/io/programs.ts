import { codeOf } from '../../errors.ts';
import { programVariables, runToEnd, type Variables } from '../../files/run-program.ts';
import { exhausted, failure, halted } from '../results.ts';
import type { Model, ScriptAnswer, StepCall } from '../steps.ts';
import { outsideText } from '../text.ts';

const MAX_PRINTED = 1024 * 1024;

/** A program of a template, which the person has allowed. */
export async function runProgram(
  { command, input, timeoutSeconds }: Extract<StepCall, { kind: 'script' }>,
  { project, variables, signal }: { project: string; variables: Variables; signal: AbortSignal },
): Promise<ScriptAnswer> {
  const { cut, code, by, startFault, output, errors } = await runToEnd(
    { command, cwd: project, variables: programVariables([], variables, project), errors: 'open' },
    { input, signal, timeoutMs: timeoutSeconds * 1000, maxBytes: MAX_PRINTED },
  );
  if (cut === 'stopped') throw halted();
  if (cut === 'too_slow')
    throw failure(
      'execution_timeout',
      `The program did not end within ${timeoutSeconds} s.`,
      'Let it do less, or raise timeout_seconds.',
    );
  if (cut === 'too_long')
    throw failure('output_format_failure', 'The program printed more than 1 MiB.', 'Let it print less.');
  if (startFault !== null)
    throw failure(
      'unexpected_error',
      codeOf(startFault) === 'ENOENT' ? 'The program is not there.' : "The program can't be started.",
      'Check the first word of the command.',
      startFault,
    );
  if (code === null)
    throw failure('unexpected_error', `The program was ended by ${by ?? 'a signal'}.`, 'Try it by hand.');
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return { exitCode: code, output: decoder.decode(output), errorText: errors.toString('utf8') };
  } catch {
    throw failure('output_format_failure', 'What the program printed is not UTF-8 text.', 'Let it print text.');
  }
}

interface CommandModelOptions {
  /** A command line of the person's own, from the home's configuration. */
  command: string;
  /** The run's project: the program starts there. */
  cwd: string;
  /** All that the program sees of the person's variables. */
  variables: Record<string, string>;
  timeoutMs?: number;
}

const MODEL_TIMEOUT_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** The prompt on standard input, the answer from standard output. */
export function commandModel({ command, cwd, variables, timeoutMs = MODEL_TIMEOUT_MS }: CommandModelOptions): Model {
  return {
    name: 'command',
    async call({ prompt, signal, maxOutputTokens }) {
      const { cut, code, by, output, errors } = await runToEnd(
        { command: ['sh', '-c', command], cwd, variables, errors: 'open' },
        { input: prompt, signal, timeoutMs, maxBytes: MAX_ANSWER_BYTES },
      );
      if (cut === 'stopped') throw halted();
      if (cut === 'too_slow')
        throw failure(
          'execution_timeout',
          `The model command took longer than ${timeoutMs / 1000} s.`,
          'Ask for less.',
        );
      if (cut === 'too_long') throw exhausted('output', Math.ceil(MAX_ANSWER_BYTES / 4), maxOutputTokens);
      if (code === 0) return { content: output.toString('utf8').trim() };
      const text = outsideText(errors.toString('utf8'));
      const how = by === null ? "can't be started" : `was ended by ${by}`;
      throw failure(
        'unexpected_error',
        `The model command ${code === null ? how : `ended with exit code ${code}`}${text === '' ? '.' : `: ${text}`}`,
        'Try it by hand: see config model_command.',
      );
    },
  };
}
