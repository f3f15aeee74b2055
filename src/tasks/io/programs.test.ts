import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TaskFailure } from '../results.ts';
import type { ModelRequest } from '../steps.ts';
import { PLAIN_TEXT } from '../template/output-format.ts';
import { commandModel } from './programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'bearings-command-'));
const variables = { PATH: process.env.PATH ?? '' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  key: '1#1',
  prompt: 'hello',
  question: 'hello',
  frame: { taskText: '', inherited: '', accumulated: '', fresh: '', results: '', matches: [], warnings: [] },
  outputFormat: PLAIN_TEXT,
  maxOutputTokens: 8_000,
  turn: 1,
  signal: new AbortController().signal,
  ...more,
});

async function failureOf(command: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const { timeoutMs, signal } = options;
  const model = commandModel({ command, cwd: folder, variables, ...(timeoutMs ? { timeoutMs } : {}) });
  const failed = await Promise.resolve(model.call(request(signal ? { signal } : {}))).catch((error) => error);
  return (failed as TaskFailure).error;
}

const livesOf = (pid: string): string => {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
};

describe('T14 T15 the limits of a command', () => {
  it('T14 an answer past 4 MiB ends it as RESOURCE_EXHAUSTION', async () => {
    expect(await failureOf('yes')).toMatchObject({ type: 'RESOURCE_EXHAUSTION', resource: 'output', limit: 8_000 });
  });

  it('T15 one that takes too long is execution_timeout, and its children are gone', async () => {
    const error = await failureOf('sleep 300 & echo $! > pid; wait', { timeoutMs: 300 });
    expect(error).toMatchObject({ reason: 'execution_timeout' });
    expect(livesOf(readFileSync(join(folder, 'pid'), 'utf8').trim())).toMatch(/^(?:Z.*)?$/);
  });

  it('T19 a stop ends one that does not listen to SIGTERM', async () => {
    const stop = new AbortController();
    const path = join(folder, 'deaf');
    const ended = failureOf(`trap '' TERM; echo $$ > ${path}; while :; do sleep 1; done`, { signal: stop.signal });
    while (!existsSync(path) || readFileSync(path, 'utf8') === '') await new Promise((done) => setTimeout(done, 10));
    stop.abort();
    expect(await ended).toMatchObject({ reason: 'execution_halted' });
    expect(livesOf(readFileSync(path, 'utf8').trim())).toMatch(/^(?:Z.*)?$/);
  });

  it('T21 one that cannot be found, ends badly or reads nothing of its input says so or answers', async () => {
    expect(await failureOf('no-such-program-here')).toMatchObject({ reason: 'unexpected_error' });
    expect(await failureOf('exit 7')).toMatchObject({ message: 'The model command ended with exit code 7.' });
    const deaf = commandModel({ command: 'echo deaf', cwd: folder, variables });
    expect(await deaf.call(request({ prompt: 'x'.repeat(4_000_000) }))).toEqual({ content: 'deaf' });
  });
});
