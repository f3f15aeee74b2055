import { spawn } from 'node:child_process';
import type { Model } from '../model.ts';
import { outsideText } from '../outside-text.ts';
import { exhausted, failure } from '../results.ts';

export interface CommandModelOptions {
  /** A command line of the person's own, from the home's configuration. */
  command: string;
  /** The run's project: the program starts there. */
  cwd: string;
  /** All that the program sees of the person's variables. */
  variables: Record<string, string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const GRACE_MS = 2_000;
const MAX_SAID = 8 * 1024;

// The prompt on standard input, the answer from standard output. In a process group of its own, so that it ends whole.
export function commandModel({ command, cwd, variables, timeoutMs = TIMEOUT_MS }: CommandModelOptions): Model {
  return {
    name: 'command',
    call: ({ prompt, signal, maxOutputTokens }) =>
      new Promise((resolve, reject) => {
        const child = spawn('sh', ['-c', command], {
          cwd,
          env: variables,
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
        const chunks: Buffer[] = [];
        let size = 0;
        let said = '';
        let ended: Error | null = null;
        let force: NodeJS.Timeout | undefined;
        // Should this process end at once, the group goes with it.
        const onExit = (): void => endGroup(child.pid, 'SIGKILL');
        process.once('exit', onExit);
        const end = (why: Error): void => {
          if (ended) return;
          ended = why;
          endGroup(child.pid, 'SIGTERM');
          force = setTimeout(() => endGroup(child.pid, 'SIGKILL'), GRACE_MS);
        };
        const onAbort = (): void => end(failure('execution_halted', 'The command was stopped.'));
        const clock = setTimeout(
          () =>
            end(
              failure(
                'execution_timeout',
                `The model command took longer than ${timeoutMs / 1000} s.`,
                'Ask for less.',
              ),
            ),
          timeoutMs,
        );
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
        child.stdout.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) end(exhausted('output', Math.ceil(size / 4), maxOutputTokens));
          else chunks.push(chunk);
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          said = (said + text).slice(-MAX_SAID);
        });
        const settle = (code: number | null, by: NodeJS.Signals | null = null): void => {
          clearTimeout(clock);
          clearTimeout(force);
          process.off('exit', onExit);
          signal.removeEventListener('abort', onAbort);
          if (ended) reject(ended);
          else if (code === 0) resolve({ content: Buffer.concat(chunks).toString('utf8').trim() });
          else
            reject(
              failure(
                'unexpected_error',
                `The model command ${endOf(code, by)}${said.trim() === '' ? '.' : `: ${outsideText(said)}`}`,
                'Try it by hand: see config model_command.',
              ),
            );
        };
        child.on('error', () => settle(null));
        child.on('close', settle);
        // Children that outlive the program are ended too: one that holds its output open would keep us waiting.
        child.on('exit', (code) => {
          endGroup(child.pid, 'SIGKILL');
          if (ended) settle(code);
        });
        child.stdin.on('error', () => {});
        child.stdin.end(prompt);
      }),
  };
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code !== null) return `ended with exit code ${code}`;
  return signal === null ? "can't be started" : `was ended by ${signal}`;
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
