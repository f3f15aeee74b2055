import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEachTest } from './after-tests.ts';
import { BINARY, environment, type Place, STARTED } from './binary.ts';

export interface RunningServer {
  url: string;
  port: number;
  token: string;
  pid: number;
  /** What the server said to the person. */
  said: string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const running: { stop(): Promise<unknown> }[] = [];
const shared = new Map<string, Promise<RunningServer>>();
const clients: Client[] = [];
afterEachTest(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined);
  for (const { stop } of running.splice(0)) await stop();
  shared.clear();
});

/** The one server of a home for this test; several clients meet there. */
export function sharedHttpServer(place: Place): Promise<RunningServer> {
  const known = shared.get(place.home) ?? httpServer(place);
  shared.set(place.home, known);
  return known;
}

/** The built binary as a person starts it: `bearings mcp --http` on a free port. */
export async function httpServer(place: Place, args: string[] = []): Promise<RunningServer> {
  const child = spawn(process.execPath, [...STARTED, BINARY, 'mcp', '--http', '--port', '0', ...args], {
    cwd: place.cwd ?? place.home,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await firstLines(child);
  const url = /http:\/\/[^ ]+/.exec(said)?.[0] ?? '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  running.push({ stop });
  const token = readFileSync(join(place.home, '.bearings/mcp-token'), 'utf8').trim();
  return { url, port: Number(new URL(url).port), token, pid: child.pid ?? 0, said, stop };
}

function firstLines(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 2) resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
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
