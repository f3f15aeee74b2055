import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BearingsError, invalidInput, orNull } from '../../errors.ts';

type Postgres = typeof import('pg');
export type Dbos = typeof import('@dbos-inc/dbos-sdk');

export const RUN_QUEUE = 'bearings-runs';

// Both packages are the user's to install: most people need no second machine.
const loadPostgres = (): Promise<Postgres> => optional(() => import('pg'));
export const loadDbos = (): Promise<Dbos> => optional(() => import('@dbos-inc/dbos-sdk'));

async function optional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new BearingsError('io_error', 'The engine for many machines is not installed.', {
      hint: 'Install it beside bearings: npm install @dbos-inc/dbos-sdk pg',
      cause: error,
    });
  }
}

// The driver checks certificates in these modes as it does in the last one, and tells so in nine lines each time.
const CHECKED_MODES = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** The address as the driver takes it without a word. */
export function engineAddress(given: string): string {
  const parsed = orNull(() => new URL(given));
  const isPostgres = parsed?.protocol === 'postgres:' || parsed?.protocol === 'postgresql:';
  if (!isPostgres || (parsed?.pathname ?? '').length < 2)
    throw invalidInput(
      'The engine is not the address of a Postgres database.',
      'For example: --engine postgres://user@host:5432/bearings',
    );
  return parsed?.searchParams.has('uselibpqcompat') ? given : given.replace(CHECKED_MODES, 'verify-full');
}

/** By the code, or where there is none by what the driver says. */
const REFUSED: readonly [RegExp, reason: string][] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/, 'nothing listens at that address'],
  [/^28/, 'the user or the password is wrong'],
  [/^3D000$/, 'there is no such database'],
  [/^42501$/, 'this user may not create tables there'],
  [/CERT|UNABLE_TO_VERIFY|^(ENOENT|EACCES|EISDIR)$/, "a file or a certificate can't be used"],
  [/SSL/, 'it takes no encrypted connections'],
];

// The address may hold a password: no error names it, and no cause is shown.
export function unreachable(error: unknown): unknown {
  const { code, message, severity } = (error ?? {}) as Record<string, unknown>;
  const [, reason] = REFUSED.find(([words]) => words.test(String(code ?? message))) ?? [];
  // What the server says of our own words is a defect and stays what it is.
  const isOurs = severity !== undefined && reason === undefined && !isAway(error);
  if (error instanceof BearingsError || isOurs) return error;
  return new BearingsError('io_error', `The database can't be used: ${reason ?? 'it does not answer'}.`, {
    hint: 'Check the address of the engine: host, port, user, password, database, sslmode and its files.',
    cause: error,
  });
}

// Whatever accepts a connection and then says nothing is not waited for.
const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
// A worker that stops in the middle of a transaction holds rows that others wait for: the server ends it after so long.
const UNFINISHED_MS = 3_000;

// One pool for all that a process says to the database, the library included: connections are dear to open.
export async function openPool(url: string, max: number): Promise<Pool> {
  const { default: pg } = await loadPostgres();
  const pool = new pg.Pool({
    connectionString: url,
    max,
    // A connection that nobody uses keeps no process alive.
    allowExitOnIdle: true,
    application_name: 'bearings',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    // A network may drop a connection and tell neither side.
    query_timeout: SILENT_MS,
    idle_in_transaction_session_timeout: UNFINISHED_MS,
    // A connection that breaks, idle or in use, is replaced; without a listener it would end the process.
    onConnect: (session) => void session.on('error', () => {}),
  });
  pool.on('error', () => {});
  return pool;
}

/** What our tables are read and written through. */
export type Queries = Pick<Pool, 'query'>;

// Connections that end, a server that ends, begins or has no room: nothing of it is about what was said.
const AWAY = /^(08|53|57P0|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;
const AGAIN_MS = 300;

// Waits for a database that can't be reached, a worker without end. Whatever is said so may be said twice without harm.
export function patient(pool: Pool, forMs = Number.POSITIVE_INFINITY): Queries {
  const query = async (...said: Parameters<Pool['query']>): Promise<unknown> => {
    for (const until = performance.now() + forMs; ; ) {
      try {
        return await pool.query(...said);
      } catch (error) {
        if (!isAway(error) || performance.now() > until) throw error;
        await pause(AGAIN_MS);
      }
    }
  };
  return { query: query as Pool['query'] };
}

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error
    ? AWAY.test(String(error.code))
    : /^(Connection terminated|timeout exceeded|Query read timeout|Client (has encountered a connection error|was closed))/.test(
        error.message,
      );
}

/** All of it or nothing. */
export async function inTransaction(pool: Pool, work: (session: PoolClient) => Promise<void>): Promise<void> {
  const session = await pool.connect();
  let broken: Error | undefined;
  try {
    await session.query('BEGIN');
    await work(session);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    session.release(broken);
  }
}
