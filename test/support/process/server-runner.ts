import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';

const PROGRAM = fileURLToPath(new URL('command-runner.cjs', import.meta.url));
// As the SDK's own transport does it: a server that stays after its input has ended is told to go.
const GRACE_MS = 2_000;

interface CommandLine {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

interface Runner {
  child: ChildProcess;
  requests: Writable;
  isSpent: boolean;
  /** Told once: the server that runs has ended, or its process. */
  onEnded: (code: number | null) => void;
}

export interface Serving {
  socket: Socket;
  ended: Promise<number | null>;
  pid: number;
  /** Only while it runs: the process then serves others. */
  kill(signal: NodeJS.Signals): boolean;
  /** It did not go by itself. */
  giveUp(): void;
}

// Those without a server, for all test files of this process. They end with it: then nobody can write to their pipes any more.
const idle: Runner[] = [];

/**
 * A server of the built binary in a process that ran others before it: the start of Node, and what it compiles, is most of what
 * a short session takes. Each has its own modules, folder and variables; those at the same time have a process each.
 */
export async function serveShared(binary: string, line: CommandLine): Promise<Serving> {
  const listener = createServer({ noDelay: true, allowHalfOpen: true });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const runner = idle.pop() ?? start(binary);
  let endedFirst = () => {};
  const connected = new Promise<Socket>((done, fail) => {
    listener.once('connection', done);
    endedFirst = () => fail(new Error('the process ended before it served'));
    runner.child.once('exit', endedFirst);
  });
  const ended = new Promise<number | null>((done) => {
    runner.onEnded = done;
  });
  const { port } = listener.address() as AddressInfo;
  runner.requests.write(`${JSON.stringify({ ...line, port })}\n`);
  const socket = await connected;
  runner.child.off('exit', endedFirst);
  listener.close();
  let isRunning = true;
  ended.then(() => {
    isRunning = false;
  });
  const kill = (signal: NodeJS.Signals) => isRunning && runner.child.kill(signal);
  const giveUp = () => {
    // The signal may come when it is done already: nobody is served by it any more.
    runner.isSpent = true;
    kill('SIGTERM');
  };
  return { socket, ended, kill, giveUp, pid: runner.child.pid ?? 0 };
}

function start(binary: string): Runner {
  const child = spawn(process.execPath, [PROGRAM, binary, '0'], {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , requests, answers] = child.stdio as [null, null, null, Writable, Readable];
  const runner: Runner = { child, requests, isSpent: false, onEnded: () => {} };
  answers.setEncoding('utf8').on('data', (text: string) => {
    const { code, isLast } = JSON.parse(text) as { code: number; isLast: boolean };
    if (runner.isSpent) requests.end();
    else if (!isLast) idle.push(runner);
    runner.onEnded(code);
  });
  child.once('exit', () => {
    const at = idle.indexOf(runner);
    if (at !== -1) idle.splice(at, 1);
    runner.onEnded(null);
  });
  requests.on('error', () => undefined);
  for (const handle of [child, requests as unknown as Socket, answers as unknown as Socket]) handle.unref();
  return runner;
}

/** As the SDK's transport for stdio, to a server of the built binary that `serveShared` runs. */
export function sharedStdio(binary: string, line: CommandLine): Transport {
  const buffer = new ReadBuffer();
  let serving: Serving | null = null;
  const transport: Transport = {
    async start() {
      serving = await serveShared(binary, line);
      serving.socket.on('error', (error) => transport.onerror?.(error));
      serving.socket.on('data', (chunk) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
      serving.ended.then(() => {
        serving?.socket.destroy();
        serving = null;
        transport.onclose?.();
      });
    },
    async send(message: JSONRPCMessage) {
      const { socket } = serving ?? {};
      if (!socket) throw new Error('Not connected');
      await new Promise<void>((done) => {
        if (socket.write(serializeMessage(message))) done();
        else socket.once('drain', done);
      });
    },
    async close() {
      if (!serving) return;
      const { socket, ended, giveUp } = serving;
      socket.end();
      const force = setTimeout(giveUp, GRACE_MS);
      await ended;
      clearTimeout(force);
    },
  };
  return transport;
}
