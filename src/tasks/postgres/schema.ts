import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BearingsError } from '../../errors.ts';
import { inTransaction } from './connect.ts';

// Texts are stored as JSON, since Postgres keeps no NUL in a text and sorts the keys of jsonb.
const VERSION = 1;
const TABLES = `
CREATE SCHEMA bearings;
CREATE TABLE bearings.meta (version int NOT NULL);
INSERT INTO bearings.meta VALUES (${VERSION});
CREATE TABLE bearings.runs (
  id text PRIMARY KEY, spec json NOT NULL, file text NOT NULL, name text NOT NULL, priority int NOT NULL,
  state text NOT NULL DEFAULT 'queued', attempt int NOT NULL DEFAULT 1, owner text, cancel boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT now(), taken_at timestamptz, ended_at timestamptz, recorded int, result text);
CREATE INDEX runs_newest ON bearings.runs (started_at DESC);
CREATE INDEX runs_under_way ON bearings.runs (id) WHERE state IN ('queued', 'running');
CREATE TABLE bearings.inputs (
  run text NOT NULL, name text NOT NULL, idx int NOT NULL, key json NOT NULL, value json NOT NULL, PRIMARY KEY (run, name, idx));
CREATE TABLE bearings.payloads (run text NOT NULL, sha256 text NOT NULL, text json NOT NULL, PRIMARY KEY (run, sha256));
CREATE TABLE bearings.kept (
  run text NOT NULL, key text NOT NULL, asked text NOT NULL, value json NOT NULL, PRIMARY KEY (run, key, asked));
CREATE TABLE bearings.seen (run text NOT NULL, path text NOT NULL, seq bigserial, record json NOT NULL, PRIMARY KEY (run, path));
CREATE TABLE bearings.events (run text NOT NULL, seq bigserial, event json NOT NULL, PRIMARY KEY (run, seq));
CREATE TABLE bearings.workers (id text PRIMARY KEY, started_at timestamptz NOT NULL DEFAULT now());
`;

const LOCK = 7_206_174_091;
const LOOK_MS = 100;

// One process at a time; the others wait and find it done. The library's tables come first, so that where ours are there, all is.
export async function makeTables(pool: Pool, makeLibraryTables: () => Promise<void>): Promise<void> {
  if (await areThere(pool)) return;
  const client = await pool.connect();
  try {
    await holdLock(client);
    if (await areThere(client)) return;
    await makeLibraryTables();
    await inTransaction(pool, async (session) => void (await session.query(TABLES)));
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

async function areThere(client: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows: found } = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'bearings' AND tablename = 'meta'",
  );
  if (found.length === 0) return false;
  const { rows } = await client.query<{ version: number }>('SELECT version FROM bearings.meta');
  if (rows[0]?.version === VERSION) return true;
  throw new BearingsError('conflict', 'The tables of this database are for another version of bearings.', {
    hint: 'Use the same version on all machines.',
  });
}

// Asked again and again, not waited for: a waiting statement would hold up the library, which builds indexes beside others.
async function holdLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    await pause(LOOK_MS);
  }
}
