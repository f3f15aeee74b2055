import { BearingsError } from '../errors.ts';

/** The part of a SQLite database that we use. */
export interface SqliteDatabase {
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

export function noSqlite(): BearingsError {
  return new BearingsError(
    'io_error',
    'Nothing can be written: this Node has no SQLite, whose lock keeps two writers apart.',
    { hint: 'Use Node 22.13 or later, or add the package where bearings is installed: npm install libsql' },
  );
}

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
