import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openPostgres } from '../../../scripts/testing/postgres.mjs';
import { afterEachFile } from '../after-tests.ts';
import { BINARY, environment, type Place, STARTED } from '../process/binary.ts';

export interface PostgresServer {
  url: string;
  /** As a power cut does it: no goodbye to anyone. Then it comes back. */
  crash(): Promise<void>;
}

const servers: { close(): Promise<void> }[] = [];
const workers = new Set<ChildProcess>();
afterEachFile(async () => {
  for (const child of workers) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.close();
});

export async function postgresServer(): Promise<PostgresServer> {
  const server = await openPostgres();
  servers.push(server);
  return server;
}

export interface Worker {
  process: ChildProcess;
  said(): string;
}

// The built binary, as a person starts it.
export async function startWorker(place: Place, url: string): Promise<Worker> {
  const child = spawn(process.execPath, [...STARTED, BINARY, 'runs', 'worker', '--json'], {
    cwd: place.cwd ?? place.home,
    env: { ...environment(place), BEARINGS_ENGINE: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  workers.add(child);
  child.on('exit', () => workers.delete(child));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for (let waited = 0; !said.includes('"ready"'); waited += 50) {
    if (waited > 120_000 || child.exitCode !== null) throw new Error(`the worker did not get ready: ${said}`);
    await sleep(50);
  }
  return { process: child, said: () => said };
}

export interface Proxy {
  url: string;
  /** From now on nothing passes through the connections that are open, and nobody is told. New ones work. */
  fallSilent(): void;
  close(): void;
}

export async function proxyTo(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    pairs.add([inner, outer]);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const)
      from.pipe(to).on('error', () => from.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    fallSilent() {
      for (const [inner, outer] of pairs) {
        inner.unpipe(outer).resume();
        outer.unpipe(inner).resume();
      }
    },
    close() {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
