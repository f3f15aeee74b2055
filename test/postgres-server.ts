import { type ChildProcess, spawn } from 'node:child_process';
import { openPostgres } from '../scripts/testing/postgres.mjs';
import { afterEachFile } from './after-tests.ts';
import { BINARY, environment, type Place, STARTED } from './binary.ts';

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
export async function startWorker(place: Place, url: string, { binary = BINARY } = {}): Promise<Worker> {
  const child = spawn(process.execPath, [...STARTED, binary, 'worker', '--json'], {
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

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
