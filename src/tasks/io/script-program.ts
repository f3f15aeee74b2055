import { programVariables, startProgram, type Variables } from '../../files/run-program.ts';
import { codeOf } from '../../files/system-error.ts';
import { failure, halted } from '../results.ts';
import type { ScriptAnswer, StepCall } from '../steps.ts';

const MAX_BYTES = 1024 * 1024;

// To its end, or to ours: what it started ends with it. It sees the usual variables and no others.
export function runProgram(
  { command, input, timeoutSeconds }: Extract<StepCall, { kind: 'script' }>,
  { project, variables, signal }: { project: string; variables: Variables; signal: AbortSignal },
): Promise<ScriptAnswer> {
  return new Promise((resolve, reject) => {
    const program = startProgram({
      command,
      cwd: project,
      variables: programVariables([], variables, project),
      input: 'open',
      errors: 'open',
    });
    const { child } = program;
    const said: Buffer[] = [];
    const complained: Buffer[] = [];
    let size = 0;
    let isOver = false;
    let ended: { code: number | null; signal: NodeJS.Signals | null } | null = null;
    const end = (outcome: ScriptAnswer | Error): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(clock);
      signal.removeEventListener('abort', onAbort);
      program.stop();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onAbort = (): void => end(halted());
    const clock = setTimeout(
      () =>
        end(
          failure(
            'execution_timeout',
            `The program did not end within ${timeoutSeconds} s.`,
            'Let it do less, or raise timeout_seconds.',
          ),
        ),
      timeoutSeconds * 1000,
    );
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
      else end(failure('output_format_failure', 'The program printed more than 1 MiB.', 'Let it print less.'));
    };
    child.stdout?.on('data', keep(said));
    child.stderr?.on('data', keep(complained));
    child.on('error', (error) =>
      end(
        failure(
          'unexpected_error',
          codeOf(error) === 'ENOENT' ? 'The program is not there.' : "The program can't be started.",
          'Check the first word of the command.',
          error,
        ),
      ),
    );
    child.on('exit', (code, signal) => {
      ended = { code, signal };
      // What it left running may hold its output open for ever.
      program.endAll();
    });
    child.on('close', () => {
      const { code = null, signal = null } = ended ?? {};
      if (code === null)
        return end(failure('unexpected_error', `The program was ended by ${signal ?? 'a signal'}.`, 'Try it by hand.'));
      const [output, errorText] = [textIn(said), textIn(complained)];
      if (output === null || errorText === null)
        return end(
          failure('output_format_failure', 'What the program printed is not UTF-8 text.', 'Let it print text.'),
        );
      return end({ exitCode: code, output, errorText });
    });
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdin?.end(input);
  });
}

function textIn(chunks: readonly Buffer[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}
