import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { BearingsError, invalidInput, orNull } from '../../errors.ts';

type Postgres = typeof import('pg');
export type Dbos = typeof import('@dbos-inc/dbos-sdk');

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

const CHECK_PLACE = 'Check host and port in the address of the engine, and that Postgres runs there.';
const CHECK_USER = 'Check user and password in the address of the engine.';
const CHECK_FILES = 'Check host, sslrootcert, sslcert and sslkey in the address of the engine.';
const CHECK_TRUST = 'Name the file with its authority in the address: ?sslmode=verify-full&sslrootcert=FILE';
const LEAVE_OUT = 'Turn them on there (ssl = on), or leave sslmode out of the address.';
/** By the code, or where there is none by what the driver says. */
const REFUSED: readonly [RegExp, reason: string, hint: string][] = [
  [/^ECONNREFUSED$/, 'nothing listens at that address', CHECK_PLACE],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no such host', CHECK_PLACE],
  [/^28P01$/, 'the password is wrong', CHECK_USER],
  [/^28000$/, 'this user may not connect', CHECK_USER],
  [/^3D000$/, 'there is no such database', 'Create it, or check the name at the end of the address of the engine.'],
  [/^53300$/, 'it takes no more connections', 'Raise its max_connections, or end some of the workers.'],
  [/^42501$/, 'this user may not create tables there', 'Let it: GRANT CREATE ON DATABASE name TO user'],
  [/^(ENOENT|EACCES|EISDIR)$/, "a file or socket that its address names can't be used", CHECK_FILES],
  [/CERT|UNABLE_TO_VERIFY/, "its certificate can't be trusted", CHECK_TRUST],
  [/^The server does not support SSL connections$/, 'it takes no encrypted connections', LEAVE_OUT],
];

// The address may hold a password: no error names it, and no cause is shown.
export function unreachable(error: unknown): unknown {
  const { code, message, severity } = (error ?? {}) as Record<string, unknown>;
  const [, reason, hint] = REFUSED.find(([words]) => words.test(String(code ?? message))) ?? [];
  // What the server says of our own words is a defect and stays what it is.
  const isOurs = severity !== undefined && reason === undefined && !isAway(error);
  if (error instanceof BearingsError || isOurs) return error;
  return new BearingsError('io_error', `The database can't be used: ${reason ?? 'it does not answer'}.`, {
    hint: hint ?? CHECK_PLACE,
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
    idle_in_transaction_session_timeout: UNFINISHED_MS,
    onConnect(session) {
      // A connection that breaks, idle or in use, is replaced; without a listener it would end the process.
      session.on('error', () => {});
      endWhenSilent(session);
    },
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
    : /^(Connection terminated|timeout exceeded|Client (has encountered a connection error|was closed))/.test(
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

// A network may drop a connection and tell neither side. Only while an answer is due: whoever listens may hear nothing for long.
function endWhenSilent(session: ClientBase): void {
  const { connection, _getActiveQuery: isAsking } = session as unknown as {
    connection: { stream: Socket };
    _getActiveQuery(): unknown;
  };
  connection.stream.setTimeout(SILENT_MS, () => {
    if (isAsking.call(session)) connection.stream.destroy();
  });
}
