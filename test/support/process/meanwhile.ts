import { closeSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '../temp-folder.ts';
import { BINARY, environment, PATIENCE_MS, type Place, type Result, startBinary } from './binary.ts';
import { startProgram, wholeOf } from './command-runner.ts';

// One for all test files of this process. It ends with it: then nobody can write to its pipe any more.
let runner: ((request: string) => Promise<Result>) | null = null;
let turn: Promise<unknown> = Promise.resolve();

/** One command line, to its end, while this process answers it: as a model, say. They share a process, one after the other. */
export function meanwhile(place: Place, ...args: string[]): Promise<Result> {
  const { cwd = place.home } = place;
  const env = environment(place);
  if (process.platform === 'win32') return startBinary(args, { cwd, env }).ended;
  const ended = turn.then(() => {
    runner ??= start();
    return runner(JSON.stringify({ args, cwd, env }));
  });
  turn = ended.catch(() => {});
  return ended;
}

function start(): (request: string) => Promise<Result> {
  const folder = tempFolder();
  const outputs = ['stdout', 'stderr'].map((name) => openSync(join(folder, name), 'a+')) as [number, number];
  const child = startProgram(BINARY, PATIENCE_MS, ['ignore', ...outputs, 'pipe', 'pipe']);
  // Both are open: nobody needs the names any more.
  rmSync(folder, { recursive: true });
  const [requests, answers] = child.stdio.slice(3) as unknown as [Socket, Socket];
  for (const held of [child, requests, answers]) held.unref();
  return async (request) => {
    for (const fd of outputs) ftruncateSync(fd);
    requests.write(`${request}\n`);
    // Null: it was ended by a signal before it could say anything.
    const said = await new Promise<string | null>((resolve) => {
      answers.once('data', (chunk) => resolve(String(chunk)));
      answers.once('close', () => resolve(null));
    });
    answers.removeAllListeners('data').removeAllListeners('close');
    const answer = said === null ? null : (JSON.parse(said) as { code: number; isLast: boolean });
    const [stdout, stderr] = outputs.map(wholeOf) as [string, string];
    if (answer === null || answer.isLast) {
      runner = null;
      requests.destroy();
      for (const fd of outputs) closeSync(fd);
    }
    return { code: answer?.code ?? null, stdout, stderr };
  };
}
