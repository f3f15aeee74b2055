import { type BigIntStats, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeQuietly } from '../../files/atomic-write.ts';
import { type OpenFile, withFile } from '../../files/open-file.ts';
import { decode, readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { OpenSqlite, SqliteDatabase } from '../../files/sqlite.ts';
import { blocksOf } from '../text-blocks.ts';
import { scanBlocks } from './block-scan.ts';

/** Where each block of a file is, so that "is this text already there" costs the same at 1 kB and at 100 MB. */
export interface BlockIndex {
  holds(path: string, scope: string | null, content: string): boolean;
  /** After an append of ours: the index goes on from the state it knew, without a new pass. */
  appended(path: string, before: BigIntStats, text: string): void;
}

const SMALL_BYTES = 64 * 1024;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS state (key TEXT);
  CREATE TABLE IF NOT EXISTS blocks (hash INTEGER, at INTEGER, PRIMARY KEY (hash, at)) WITHOUT ROWID;
`;

// Derived and disposable, in the cache folder, one small database per inode; keyed by size and times. Without SQLite
// (null) every answer comes from the file itself.
export function openBlockIndex(cacheFolder: string, open: OpenSqlite | null): BlockIndex {
  const folder = join(cacheFolder, 'blocks');
  // The one file that is being decided on, as a rule: its database stays open.
  let opened: { path: string; database: SqliteDatabase } | null = null;
  const databaseOf = (open: OpenSqlite, stat: BigIntStats): SqliteDatabase => {
    const path = join(folder, `${stat.dev}-${stat.ino}.db`);
    if (opened?.path === path) return opened.database;
    opened?.database.close();
    opened = null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database = open(path);
    database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 5000');
    database.exec(SCHEMA);
    opened = { path, database };
    return database;
  };
  const isKnown = (database: SqliteDatabase, stat: BigIntStats): boolean =>
    (database.prepare('SELECT key FROM state').get() as { key: string } | undefined)?.key === keyOf(stat);

  const rebuild = (database: SqliteDatabase, file: OpenFile): void => {
    database.exec('BEGIN IMMEDIATE; DELETE FROM state; DELETE FROM blocks');
    insertBlocks(database, file, 0);
    database.prepare('INSERT INTO state VALUES (?)').run(keyOf(file.stat));
    database.exec('COMMIT');
  };

  // A broken cache is thrown away and made again; where even that fails, the answer comes from the file itself.
  const withIndex = <T>(stat: BigIntStats, use: (database: SqliteDatabase) => T, without: () => T): T => {
    for (let tries = 0; open && tries < 2; tries += 1) {
      try {
        return use(databaseOf(open, stat));
      } catch {
        opened?.database.close();
        opened = null;
        removeQuietly(join(folder, `${stat.dev}-${stat.ino}.db`));
      }
    }
    return without();
  };

  return {
    holds(path, scope, content) {
      const wanted = blocksOf(content);
      const found = withFile(path, scope, (file) => {
        if (file.size <= SMALL_BYTES)
          return containsRun(blocksOf(decode(readRange(file.fd, 0, file.size)).text), wanted);
        const hash = hashOf(wanted[0] ?? '');
        return withIndex(
          file.stat,
          (database) => {
            if (!isKnown(database, file.stat)) rebuild(database, file);
            const places = database.prepare('SELECT at FROM blocks WHERE hash = ?').all(hash) as { at: number }[];
            return places.some(({ at }) => standsAt(file, at, wanted));
          },
          () => {
            for (const { at, text } of scanBlocks(file.fd, 0, file.size))
              if (text === wanted[0] && standsAt(file, at, wanted)) return true;
            return false;
          },
        );
      });
      return found.status === 'ok' && found.value;
    },

    appended(path, before, text) {
      const base = Number(before.size);
      if (base <= SMALL_BYTES) return;
      withFile(path, null, (file) => {
        // Somebody else added to it too: the next question makes a new pass.
        if (file.stat.ino !== before.ino || file.size !== base + Buffer.byteLength(text)) return;
        const goOn = (database: SqliteDatabase): void => {
          if (!isKnown(database, before)) return;
          database.exec('BEGIN IMMEDIATE');
          insertBlocks(database, file, base);
          database.prepare('UPDATE state SET key = ?').run(keyOf(file.stat));
          database.exec('COMMIT');
        };
        withIndex(file.stat, goOn, () => undefined);
      });
    },
  };
}

function insertBlocks(database: SqliteDatabase, file: OpenFile, from: number): void {
  const insert = database.prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?)');
  for (const { at, text } of scanBlocks(file.fd, from, file.size)) if (text !== null) insert.run(hashOf(text), at);
}

function keyOf(stat: BigIntStats): string {
  return `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

// 48 bits: a whole number SQLite and JavaScript agree on. A hit is always compared with the text itself.
function hashOf(block: string): number {
  return Number.parseInt(sha256(block).slice(0, 12), 16);
}

function containsRun(blocks: readonly string[], wanted: readonly string[]): boolean {
  return blocks.some((_, at) => wanted.every((block, index) => blocks[at + index] === block));
}

function standsAt(file: OpenFile, at: number, wanted: readonly string[]): boolean {
  const here = scanBlocks(file.fd, at, file.size);
  return wanted.every((block) => here.next().value?.text === block);
}
