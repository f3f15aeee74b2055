import { type BigIntStats, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { blocksOf, normalised } from '../proposals/text-blocks.ts';
import { type OpenFile, withFile } from './open-file.ts';
import { decode, readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

/** Where each block of a file stands, so that "is this text already there" costs the same at 1 kB and at 100 MB. */
export interface BlockIndex {
  holds(path: string, content: string): boolean;
  /** After an append of ours: the index goes on from the state it knew, without a new pass. */
  appended(path: string, before: BigIntStats | null, text: string): void;
}

const PASS_BYTES = 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
// More than the longest proposal, four bytes a character.
const MAX_BLOCK_BYTES = 256 * 1024;
const BORDER_BYTES = 4;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS state (key TEXT);
  CREATE TABLE IF NOT EXISTS blocks (hash INTEGER, at INTEGER, PRIMARY KEY (hash, at)) WITHOUT ROWID;
`;
const BLANK_LINES = ['\n\n', '\n\r\n', '\r\r'];

// Derived and disposable, in the cache folder, one small database per inode; keyed by size and times.
export function openBlockIndex(cacheFolder: string, open: (path: string) => Database): BlockIndex {
  const folder = join(cacheFolder, 'blocks');
  // The one file that is being decided on, as a rule: its database stays open.
  let held: { path: string; database: Database } | null = null;
  const databaseOf = (stat: BigIntStats): Database => {
    const path = join(folder, `${stat.dev}-${stat.ino}.db`);
    if (held?.path === path) return held.database;
    held?.database.close();
    held = null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database = open(path);
    database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 5000');
    database.exec(SCHEMA);
    held = { path, database };
    return database;
  };
  const isKnown = (database: Database, stat: BigIntStats): boolean =>
    (database.prepare('SELECT key FROM state').get() as { key: string } | undefined)?.key === keyOf(stat);

  const rebuild = (database: Database, file: OpenFile): void => {
    database.exec('BEGIN IMMEDIATE; DELETE FROM state; DELETE FROM blocks');
    const insert = database.prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?)');
    for (const { at, hash } of blocksFrom(file)) insert.run(hash, at);
    database.prepare('INSERT INTO state VALUES (?)').run(keyOf(file.stat));
    database.exec('COMMIT');
  };

  // A broken cache is thrown away and made anew; where even that fails, the answer comes from the file itself.
  const withIndex = <T>(stat: BigIntStats, use: (database: Database) => T, without: () => T): T => {
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        return use(databaseOf(stat));
      } catch {
        held?.database.close();
        held = null;
        rmSync(join(folder, `${stat.dev}-${stat.ino}.db`), { force: true });
      }
    }
    return without();
  };

  return {
    holds(path, content) {
      const wanted = normalised(content);
      const found = withFile(path, null, (file) => {
        if (file.size <= SMALL_BYTES) return startsAsBlocks(decode(readRange(file.fd, 0, file.size)).text, wanted);
        const hash = hashOf(blocksOf(wanted)[0] ?? '');
        const length = Buffer.byteLength(wanted) * 2 + 64;
        const standsAt = (at: number) =>
          startsWithBlocks(decode(readRange(file.fd, at, length), at === 0).text, wanted);
        return withIndex(
          file.stat,
          (database) => {
            if (!isKnown(database, file.stat)) rebuild(database, file);
            const places = database.prepare('SELECT at FROM blocks WHERE hash = ?').all(hash) as { at: number }[];
            return places.some(({ at }) => standsAt(at));
          },
          () => [...blocksFrom(file)].some((block) => block.hash === hash && standsAt(block.at)),
        );
      });
      return found.status === 'ok' && found.value;
    },

    appended(path, before, text) {
      if (before === null || before.size <= BigInt(SMALL_BYTES)) return;
      withFile(path, null, (file) => {
        if (file.stat.ino !== before.ino) return;
        const goOn = (database: Database): void => {
          if (!isKnown(database, before)) return;
          database.exec('BEGIN IMMEDIATE');
          const insert = database.prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?)');
          const base = Number(before.size);
          for (const { start, block } of blocksWithPlaces(Buffer.from(text))) insert.run(hashOf(block), base + start);
          database.prepare('UPDATE state SET key = ?').run(keyOf(file.stat));
          database.exec('COMMIT');
        };
        withIndex(file.stat, goOn, () => undefined);
      });
    },
  };
}

function keyOf(stat: BigIntStats): string {
  return `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

// 48 bits: a whole number SQLite and JavaScript agree on. A hit is always compared with the text itself.
function hashOf(block: string): number {
  return Number.parseInt(sha256(block).slice(0, 12), 16);
}

function startsAsBlocks(text: string, wanted: string): boolean {
  const whole = blocksOf(text);
  const parts = blocksOf(wanted);
  return whole.some((_, at) => parts.every((part, index) => whole[at + index] === part));
}

function startsWithBlocks(text: string, wanted: string): boolean {
  const here = blocksOf(text);
  const parts = blocksOf(wanted);
  return parts.every((part, index) => here[index] === part);
}

// One pass in pieces; a block that crosses a border is finished with the next piece. A block longer than any proposal
// can't be one, so it is passed over instead of held.
function* blocksFrom(file: OpenFile): Generator<{ at: number; hash: number }> {
  let rest = Buffer.alloc(0);
  let base = 0;
  let passing = false;
  for (let position = 0; position < file.size; position += PASS_BYTES) {
    const piece = readRange(file.fd, position, Math.min(PASS_BYTES, file.size - position));
    let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const isLast = position + PASS_BYTES >= file.size;
    if (passing) {
      const gap = firstBlankLine(bytes);
      passing = gap === -1;
      const skipped = passing ? Math.max(0, bytes.length - BORDER_BYTES) : gap;
      bytes = bytes.subarray(skipped);
      base += skipped;
    }
    const end = isLast ? bytes.length : lastBlankLine(bytes);
    if (!passing)
      for (const { start, block } of blocksWithPlaces(bytes.subarray(0, end)))
        yield { at: base + start, hash: hashOf(block) };
    if (passing || bytes.length - end > MAX_BLOCK_BYTES) {
      passing = true;
      const kept = Math.max(end, bytes.length - BORDER_BYTES);
      rest = Buffer.from(bytes.subarray(kept));
      base += kept;
    } else {
      rest = Buffer.from(bytes.subarray(end));
      base += end;
    }
  }
}

function lastBlankLine(bytes: Buffer): number {
  const at = Math.max(...BLANK_LINES.map((blank) => bytes.lastIndexOf(blank)));
  return at === -1 ? 0 : at + 1;
}

function firstBlankLine(bytes: Buffer): number {
  const places = BLANK_LINES.map((blank) => bytes.indexOf(blank)).filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places) + 1;
}

function* blocksWithPlaces(bytes: Buffer): Generator<{ start: number; block: string }> {
  let start = -1;
  let lineStart = 0;
  const take = (end: number) => ({
    start,
    block: blocksOf(decode(bytes.subarray(start, end), start === 0).text)[0] ?? '',
  });
  for (let i = 0; i <= bytes.length; i += 1) {
    const byte = bytes[i];
    if (i < bytes.length && byte !== 0x0a && byte !== 0x0d) continue;
    const blank = bytes.subarray(lineStart, i).every((value) => value === 0x20 || value === 0x09);
    if (!blank && start === -1) start = lineStart;
    if (blank && start !== -1) {
      yield take(lineStart);
      start = -1;
    }
    if (byte === 0x0d && bytes[i + 1] === 0x0a) i += 1;
    lineStart = i + 1;
  }
  if (start !== -1) yield take(bytes.length);
}
