import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BearingsError } from '../../errors.ts';

// Texts are stored as JSON, since Postgres keeps no NUL in a text and sorts the keys of jsonb.
const FIRST = `
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
CREATE TABLE bearings.workers (
  id text PRIMARY KEY, lock bigint NOT NULL, version text NOT NULL, started_at timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz);
`;

// Only ever added to. A step that older workers can live with keeps `oldestReader` as it was.
// `oldestReader`: the oldest version of the schema that a program must know to work with the tables after the step.
const MIGRATIONS: readonly { sql: string; oldestReader: number }[] = [{ sql: FIRST, oldestReader: 1 }];
const LOCK = 7_206_174_091;
const LOOK_MS = 100;

// One process at a time; the others wait and find it done. The library's tables come first, so that where ours are there, all is.
// Workers of two versions may share the tables meanwhile.
export async function migrateAll(pool: Pool, migrateLibrary: () => Promise<void>): Promise<void> {
  if (await isMigrated(pool)) return;
  const client = await pool.connect();
  try {
    await holdLock(client);
    if (await isMigrated(client)) return;
    await migrateLibrary();
    await migrate(client);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

async function isMigrated(client: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('bearings.meta') IS NOT NULL AS there");
  return rows[0]?.there === true && (await readVersion(client)) >= MIGRATIONS.length;
}

// Asked again by those at work: a newer one may have changed the tables under them.
export async function readVersion(client: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ version: number; oldest_reader: number }>(
    'SELECT version, oldest_reader FROM bearings.meta',
  );
  if ((rows[0]?.oldest_reader ?? 0) > MIGRATIONS.length)
    throw new BearingsError('conflict', 'The tables of this database are for a newer bearings.', {
      hint: 'Update bearings on this machine.',
    });
  return rows[0]?.version ?? 0;
}

// Asked again and again, not waited for: a waiting statement would hold up the library, which builds indexes beside others.
async function holdLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    await pause(LOOK_MS);
  }
}

async function migrate(client: PoolClient): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query('CREATE SCHEMA IF NOT EXISTS bearings');
    await client.query(
      'CREATE TABLE IF NOT EXISTS bearings.meta (version int NOT NULL, oldest_reader int NOT NULL, single boolean PRIMARY KEY DEFAULT true)',
    );
    for (const { sql } of MIGRATIONS.slice(await readVersion(client))) await client.query(sql);
    await client.query(
      `INSERT INTO bearings.meta (version, oldest_reader) VALUES ($1, $2)
       ON CONFLICT (single) DO UPDATE SET version = $1, oldest_reader = $2`,
      [MIGRATIONS.length, MIGRATIONS.at(-1)?.oldestReader],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
