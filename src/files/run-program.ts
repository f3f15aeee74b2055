import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { orNull } from '../errors.ts';
import { namesIn, searchPath } from './paths.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Program {
  /** The program and its arguments: there is no shell in between. */
  command: readonly string[];
  cwd: string;
  variables: Record<string, string>;
  /** `closed`: the program reads nothing from us. */
  input: 'closed' | 'open';
  /** `open`: its error text can be read. */
  errors?: 'open';
}

export type RunningProgram = ReturnType<typeof startProgram>;

const MARK = 'BEARINGS_RUN';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SWEEPS = 5;
const USUAL_VARIABLES = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'];

// In a process group of its own, so that children of children end with it; also when we are told to end ourselves.
export function startProgram({ command, cwd, variables, input, errors }: Program) {
  const [file = '', ...args] = command;
  const mark = randomBytes(16).toString('hex');
  let stopped = false;
  const forget = (): void => {
    process.off('exit', stop);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  /** The same, and no more is read. May be called more than once. */
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    forget();
    endAll();
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.unref();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    // The last one to hear it passes it on: without listeners it does what it always does.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const start = () =>
    spawn(file, args, {
      cwd,
      env: { ...variables, [MARK]: mark },
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: [input === 'open' ? 'pipe' : 'ignore', 'pipe', errors === 'open' ? 'pipe' : 'ignore'],
    });
  // Before it is started: a signal that comes while it is would end us alone.
  process.on('exit', stop);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  let child: ReturnType<typeof start>;
  try {
    child = start();
  } catch (error) {
    forget();
    throw error;
  }
  /** Ends everything it started; what they wrote so far can still be read. */
  const endAll = (): void => {
    if (child.pid !== undefined) endGroup(child.pid, mark);
  };
  child.stdin?.on('error', () => undefined);
  return { child, endAll, stop };
}

export interface Ended {
  /** Why we ended it; null: it ended by itself, or could not be started. */
  cut: 'stopped' | 'too_slow' | 'too_long' | null;
  startFault: unknown;
  /** Null: a signal ended it. */
  code: number | null;
  by: NodeJS.Signals | null;
  output: Buffer;
  /** The end of its error text, where that was asked for. */
  errors: Buffer;
}

const ERROR_TAIL = 64 * 1024;

/** To its end, or to ours. What it started ends with it. */
export function runToEnd(
  program: Omit<Program, 'input'>,
  limits: { input?: string; timeoutMs?: number; maxBytes?: number; signal?: AbortSignal },
): Promise<Ended> {
  const { input, timeoutMs, maxBytes = Number.POSITIVE_INFINITY, signal } = limits;
  return new Promise((resolve) => {
    const { child, endAll, stop } = startProgram({ ...program, input: input === undefined ? 'closed' : 'open' });
    const output: Buffer[] = [];
    let errors: Buffer = Buffer.alloc(0);
    let size = 0;
    let [code, by]: [number | null, NodeJS.Signals | null] = [null, null];
    const end = (cut: Ended['cut'], startFault: unknown = null): void => {
      clearTimeout(clock);
      signal?.removeEventListener('abort', onAbort);
      stop();
      resolve({ cut, startFault, code, by, output: Buffer.concat(output), errors });
    };
    const onAbort = (): void => end('stopped');
    const clock = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs, 'too_slow');
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) end('too_long');
      else output.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = Buffer.concat([errors, chunk]).subarray(-ERROR_TAIL);
    });
    child.on('error', (fault) => end(null, fault));
    child.on('exit', (status, signalled) => {
      [code, by] = [status, signalled];
      // What it left running may hold its output open for ever.
      endAll();
    });
    child.on('close', () => end(null));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdin?.end(input);
  });
}

function endGroup(pid: number, mark: string): void {
  kill(-pid);
  // One that made itself a new group still carries our mark in its environment.
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    for (const process of left) kill(process);
  }
}

// One that is gone needs no signal.
const kill = (pid: number) => orNull(() => process.kill(pid, 'SIGKILL'));

// Linux shows the environment a process was started with; elsewhere the group is all we have.
function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  const wanted = Buffer.from(`${MARK}=${mark}`);
  const isMarked = (pid: string) => orNull(() => readFileSync(`/proc/${pid}/environ`))?.includes(wanted);
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && isMarked(name))
    .map(Number);
}

// What a program of the person's needs to find itself and its settings, and what its definition names: no more.
export function programVariables(
  names: readonly string[],
  variables: Variables,
  project: string,
): Record<string, string> {
  const passed = [...USUAL_VARIABLES, ...names].flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), PATH: searchPath(variables.PATH, project) };
}
