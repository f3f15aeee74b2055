import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEachTest } from '../after-tests.ts';
import { BINARY, environment, type Place, STARTED } from '../process/binary.ts';
import { canShare } from '../process/command-runner.ts';
import { serveShared } from '../process/server-runner.ts';

export interface RunningServer {
  url: string;
  port: number;
  token: string;
  pid: number;
  /** What the server said to the person. */
  said: string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const started: { stop(): Promise<unknown> }[] = [];
const shared = new Map<string, Promise<RunningServer>>();
const clients: Client[] = [];
afterEachTest(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined);
  for (const { stop } of started.splice(0)) await stop();
  shared.clear();
});

/** The one server of a home for this test; several clients meet there. */
export function sharedHttpServer(place: Place): Promise<RunningServer> {
  const start = canShare(environment(place)) ? httpServerThere : httpServer;
  const known = shared.get(place.home) ?? start(place);
  shared.set(place.home, known);
  return known;
}

const SERVE = ['mcp', '--http', '--port', '0'];

/** In a process that ran other servers before it. */
async function httpServerThere(place: Place): Promise<RunningServer> {
  const line = { args: SERVE, cwd: place.cwd ?? place.home, env: environment(place) };
  const { socket, ended, kill, pid } = await serveShared(BINARY, line);
  // It reads nothing.
  socket.end();
  return running(place, { said: await firstLines(socket, ended), ended, kill, pid });
}

/** The built binary as a person starts it: `bearings mcp --http` on a free port. */
export async function httpServer(place: Place, args: string[] = []): Promise<RunningServer> {
  const child = spawn(process.execPath, [...STARTED, BINARY, ...SERVE, ...args], {
    cwd: place.cwd ?? place.home,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = (signal: NodeJS.Signals) => child.kill(signal);
  return running(place, { said: await firstLines(child.stdout, ended), ended, kill, pid: child.pid ?? 0 });
}

interface Started extends Pick<RunningServer, 'said' | 'pid'> {
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): unknown;
}

function running(place: Place, { said, ended, kill, pid }: Started): RunningServer {
  const url = /http:\/\/[^ ]+/.exec(said)?.[0] ?? '';
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal);
    return ended;
  };
  started.push({ stop });
  const token = readFileSync(join(place.home, '.bearings/mcp-token'), 'utf8').trim();
  return { url, port: Number(new URL(url).port), token, pid, said, stop };
}

function firstLines(output: Readable, ended: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 2) resolve(said);
    });
    ended.then((code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** A real client at an address, with the token as a person would set it up. */
export async function httpClient(
  server: { url: string; token: string },
  options: { name?: string; client?: ClientOptions; prepare?: (client: Client) => void; path?: string } = {},
) {
  const client = new Client({ name: options.name ?? 'test', version: '1' }, options.client);
  options.prepare?.(client);
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}${options.path ?? ''}`), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  await client.connect(transport);
  clients.push(client);
  return { client, transport };
}
