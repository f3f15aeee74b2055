import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { BearingsError, ioFault } from '../errors.ts';
import { makeFolder } from './write-file.ts';

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 20;
const GIVE_UP_MS = 60_000;

/** One lock between all processes of the machine. Within a process callers queue, so that none starves. */
export interface Lock {
  run<T>(work: () => T | Promise<T>): Promise<T>;
}

// SQLite's lock on an empty file is the kernel's own: it is freed in the instant its holder dies, also by SIGKILL, so
// there is no stale lock to judge and no clock to trust. The file is never written. Node's own SQLite and libsql take the
// same lock, so processes on different versions of Node exclude each other.
export function lockAt(path: string, sleep: (ms: number) => Promise<unknown> = pauseFor): Lock {
  let queue: Promise<unknown> = Promise.resolve();
  const locked = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const database = await openedAt(path);
    try {
      for (let wait = FIRST_WAIT_MS, waited = 0; !tryBegin(database); wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        if (waited >= GIVE_UP_MS)
          throw ioFault(
            'Another program has held the lock for a minute.',
            'Close other bearings commands, then try again.',
          );
        const pause = wait * (0.5 + Math.random());
        await sleep(pause);
        waited += pause;
      }
      return await work();
    } finally {
      database.close();
    }
  };
  return {
    run(work) {
      const turn = queue.then(() => locked(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The same lock for work that may ask for it again while it holds it. */
export function nestedLock(lock: Lock): Lock {
  const holds = new AsyncLocalStorage<true>();
  return {
    run: async (work) => (holds.getStore() ? work() : lock.run(() => holds.run(true, work))),
  };
}

/** How a lock is right now: `free`, `held` by a process, `broken` (no lock file at all), or `unknown` without SQLite. Makes none. */
export async function lockState(path: string): Promise<'free' | 'held' | 'broken' | 'unknown'> {
  if ((await sqlite()) === null) return 'unknown';
  if (!existsSync(path)) return 'free';
  try {
    const hold = await tryHold(path);
    hold?.release();
    return hold ? 'free' : 'held';
  } catch {
    return 'broken';
  }
}

// The same lock for one who does not wait: null when another process has it. It is held until `release`, or until the
// process is gone.
export async function tryHold(path: string): Promise<{ release(): void } | null> {
  const database = await openedAt(path);
  let isLocked = false;
  try {
    isLocked = tryBegin(database);
  } finally {
    if (!isLocked) database.close();
  }
  return isLocked ? { release: () => void database.close() } : null;
}

async function openedAt(path: string): Promise<SqliteDatabase> {
  const open = await sqlite();
  if (open === null) throw noSqlite();
  try {
    makeFolder(dirname(path), 0o700);
    return open(path);
  } catch (error) {
    throw cantLock(error);
  }
}

// What the database says names its file: only our own words go on.
function cantLock(cause: unknown): BearingsError {
  const [message, hint] = /disk is full|ENOSPC/.test(String(cause))
    ? ['The disk is full, so nothing was written.', 'Make room on it, then try again.']
    : [
        "The lock file can't be opened, so nothing was written.",
        'Check the permissions of the folder and of the home; bearings doctor looks at them.',
      ];
  return new BearingsError('io_error', message, { hint, cause });
}

function tryBegin(database: Pick<SqliteDatabase, 'exec'>): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (String((error as Error).message).includes('locked') || (error as { code?: string }).code === 'SQLITE_BUSY')
      return false;
    throw cantLock(error);
  }
}

/** The part of a SQLite database that we use. */
interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    get(...values: unknown[]): unknown;
    all(...values: unknown[]): unknown[];
    run(...values: unknown[]): unknown;
  };
  close(): unknown;
}

export type OpenSqlite = (path: string) => SqliteDatabase;

type DatabaseClass = new (path: string, options: { timeout: number }) => SqliteDatabase;

/** SQLite of Node itself (from 22.13 on), else of the optional package libsql; null where there is neither. */
export async function sqlite(): Promise<OpenSqlite | null> {
  const Database: DatabaseClass | null =
    nodeSqlite() ??
    (await import('libsql').then(
      (libsql) => libsql.default,
      () => null,
    ));
  return Database && ((path) => new Database(path, { timeout: 0 }));
}

/** For what takes no lock itself: where decisions can't be written, nothing that waits for one is collected either. */
export async function assertWritable(): Promise<void> {
  if ((await sqlite()) === null) throw noSqlite();
}

export const noSqlite = (): BearingsError =>
  ioFault(
    'Nothing can be written: this Node has no SQLite, whose lock keeps two writers apart.',
    'Use Node 22.13 or later, or add the package where bearings is installed: npm install libsql',
  );

// Node 22 warns once that its SQLite is experimental, which tells our users nothing; any other warning passes.
function nodeSqlite(): DatabaseClass | undefined {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: []) => {
    if (!/^SQLite is an experimental feature/.test(String(warning))) emitWarning.call(process, warning, ...rest);
  }) as typeof emitWarning;
  try {
    return (process.getBuiltinModule('node:sqlite') as { DatabaseSync: DatabaseClass } | undefined)?.DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}
