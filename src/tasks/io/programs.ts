import { programVariables, startProgram, type Variables } from '../../files/run-program.ts';
import { codeOf } from '../../files/system-error.ts';
import { exhausted, failure, halted } from '../results.ts';
import type { Model, ScriptAnswer, StepCall } from '../steps.ts';
import { outsideText } from '../text.ts';

interface Ending {
  /** Null: a signal ended it, or it could not be started. */
  code: number | null;
  by: NodeJS.Signals | null;
  startFault: unknown;
  output: Buffer;
  errors: Buffer;
}

interface Running {
  command: readonly string[];
  cwd: string;
  variables: Record<string, string>;
  input: string;
  signal: AbortSignal;
  timeoutMs: number;
  tooSlow: () => Error;
  maxBytes: number;
  tooLong: (bytes: number) => Error;
  /** Of its error text only the end is kept, and none of it counts; default: all of it is and does. */
  errorTail?: number;
}

// To its end, or to ours: what it started ends with it. It sees the given variables and no others.
function runToEnd(running: Running): Promise<Ending> {
  const { command, cwd, variables, input, signal, timeoutMs, maxBytes, errorTail } = running;
  return new Promise((resolve, reject) => {
    const program = startProgram({ command, cwd, variables, input: 'open', errors: 'open' });
    const { child } = program;
    const output: Buffer[] = [];
    let errors: Buffer[] = [];
    let size = 0;
    let end: Pick<Ending, 'code' | 'by'> = { code: null, by: null };
    const settle = (outcome: Error | { startFault: unknown }): void => {
      clearTimeout(clock);
      signal.removeEventListener('abort', onAbort);
      program.stop();
      if (outcome instanceof Error) reject(outcome);
      else resolve({ ...end, ...outcome, output: Buffer.concat(output), errors: Buffer.concat(errors) });
    };
    const onAbort = (): void => settle(halted());
    const clock = setTimeout(() => settle(running.tooSlow()), timeoutMs);
    const count = (bytes: number): boolean => {
      size += bytes;
      if (size > maxBytes) settle(running.tooLong(size));
      return size <= maxBytes;
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      if (count(chunk.length)) output.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errorTail !== undefined) errors = [Buffer.concat([...errors, chunk]).subarray(-errorTail)];
      else if (count(chunk.length)) errors.push(chunk);
    });
    child.on('error', (startFault) => settle({ startFault }));
    child.on('exit', (code, by) => {
      end = { code, by };
      // What it left running may hold its output open for ever.
      program.endAll();
    });
    child.on('close', () => settle({ startFault: null }));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdin?.end(input);
  });
}

const MAX_PRINTED = 1024 * 1024;

/** A program of a template, which the person has allowed. */
export async function runProgram(
  { command, input, timeoutSeconds }: Extract<StepCall, { kind: 'script' }>,
  { project, variables, signal }: { project: string; variables: Variables; signal: AbortSignal },
): Promise<ScriptAnswer> {
  const { code, by, startFault, output, errors } = await runToEnd({
    command,
    cwd: project,
    variables: programVariables([], variables, project),
    input,
    signal,
    timeoutMs: timeoutSeconds * 1000,
    tooSlow: () =>
      failure(
        'execution_timeout',
        `The program did not end within ${timeoutSeconds} s.`,
        'Let it do less, or raise timeout_seconds.',
      ),
    maxBytes: MAX_PRINTED,
    tooLong: () => failure('output_format_failure', 'The program printed more than 1 MiB.', 'Let it print less.'),
  });
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
    return { exitCode: code, output: decoder.decode(output), errorText: decoder.decode(errors) };
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
      const { code, by, output, errors } = await runToEnd({
        command: ['sh', '-c', command],
        cwd,
        variables,
        input: prompt,
        signal,
        timeoutMs,
        tooSlow: () =>
          failure('execution_timeout', `The model command took longer than ${timeoutMs / 1000} s.`, 'Ask for less.'),
        maxBytes: MAX_ANSWER_BYTES,
        tooLong: (bytes) => exhausted('output', Math.ceil(bytes / 4), maxOutputTokens),
        errorTail: 8 * 1024,
      });
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
