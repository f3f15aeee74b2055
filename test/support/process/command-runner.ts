import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../temp-folder.ts';
import type { Result } from './binary.ts';

const PROGRAM = fileURLToPath(new URL('command-runner.cjs', import.meta.url));
// Below what a system takes for one start, so that a line too long for it is still refused by it.
const LONGEST_REQUEST = 60_000;
// What Node and the C library read at their start only.
const READ_AT_START = /^(?:NODE_|UV_|LC_|LANG$|LD_|TZ$|SSL_|OPENSSL_|MALLOC_)/;
// A command that spins never comes to the timer that would end it: the system does, after so many seconds of work.
const LIMITED = 'ulimit -t 900; exec "$0" "$@"';

interface CommandLine {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** What it reads from its standard input. */
  input: string;
}

interface Runner {
  run(request: string): Result;
}

// One for all test files of this process. It ends with it: then nobody can write to its pipe any more.
let runner: Runner | null = null;

/** Null: this command line needs a process of its own. */
export function runShared(binary: string, patienceMs: number, { args, cwd, env, input }: CommandLine): Result | null {
  if (!canShare(env)) return null;
  if (input.length > LONGEST_REQUEST || args.some((word) => word.includes('\0'))) return null;
  // As the system would hand it over: in bytes.
  const request = JSON.stringify({ args: args.map((word) => Buffer.from(word).toString()), cwd, env, input });
  if (request.length > LONGEST_REQUEST) return null;
  runner ??= start(binary, patienceMs, () => {
    runner = null;
  });
  return runner.run(request);
}

/** Whether a process that is there already can take these variables. */
export function canShare({ LANG, ...variables }: Record<string, string>): boolean {
  if (process.platform === 'win32' || LANG !== 'C.UTF-8') return false;
  return !Object.keys(variables).some((name) => READ_AT_START.test(name));
}

// Pipes with a name: they can be written and read in one turn, which is what a test that calls a command expects.
function start(binary: string, patienceMs: number, onEnd: () => void): Runner {
  const folder = tempFolder();
  const pathOf = (name: string) => join(folder, name);
  execFileSync('mkfifo', ['requests', 'answers', 'input'].map(pathOf));
  const requests = openPipe(pathOf('requests'));
  const answers = openPipe(pathOf('answers'));
  const input = openPipe(pathOf('input'));
  // Its end: this is what a command finds that reads its input.
  closeSync(input.write);
  const stdout = openSync(pathOf('stdout'), 'a+');
  const stderr = openSync(pathOf('stderr'), 'a+');
  startProgram(binary, patienceMs, [input.read, stdout, stderr, requests.read, answers.write]).unref();
  for (const fd of [input.read, requests.read, answers.write]) closeSync(fd);
  // All of it is open: nobody needs the names any more.
  rmSync(folder, { recursive: true });
  const end = () => {
    for (const fd of [requests.write, answers.read, stdout, stderr]) closeSync(fd);
    onEnd();
  };
  return {
    run(request) {
      for (const fd of [stdout, stderr]) ftruncateSync(fd);
      writeSync(requests.write, `${request}\n`);
      const answer = readAnswer(answers.read);
      const result = {
        code: answer?.code ?? null,
        stdout: wholeOf(stdout),
        stderr: wholeOf(stderr),
      };
      if (answer === null || answer.isLast) end();
      return result;
    },
  };
}

/** The process that runs commands, one after the other: it reads requests from its fourth stream and answers on its fifth. */
export function startProgram(binary: string, patienceMs: number, stdio: StdioOptions): ChildProcess {
  return spawn('sh', ['-c', LIMITED, process.execPath, PROGRAM, binary, String(patienceMs)], {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    stdio,
  });
}

export function wholeOf(fd: number): string {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  for (let at = 0; at < bytes.length; ) at += readSync(fd, bytes, at, bytes.length - at, at);
  return bytes.toString('utf8');
}

// Either end waits for the other to be opened, unless it is there already.
function openPipe(path: string): { read: number; write: number } {
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  const read = openSync(path, constants.O_RDONLY);
  closeSync(first);
  return { read, write };
}

/** Null: the process was ended by a signal before it could say anything. */
function readAnswer(fd: number): { code: number; isLast: boolean } | null {
  const bytes = Buffer.alloc(100);
  const length = readSync(fd, bytes);
  return length === 0 ? null : JSON.parse(bytes.toString('utf8', 0, length));
}
