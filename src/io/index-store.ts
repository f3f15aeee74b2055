import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'libsql';
import type { History } from '../matching/history.ts';
import type { Segment } from '../matching/segment.ts';
import type { Live, StoredSegment } from '../matching/segmented-index.ts';
import { atomicWrite } from './atomic-write.ts';
import { digestOf, type ProjectScan } from './project-scan.ts';

// Another number for every change of how terms are made or kept: an index of another format is built anew.
const INDEX_FORMAT = 1;

const SCHEMA = `
  CREATE TABLE state (format INTEGER, generation INTEGER, digest TEXT, kind TEXT, records BLOB, stats BLOB);
  CREATE TABLE segments (id INTEGER PRIMARY KEY, count INTEGER, paths BLOB, ends BLOB, lengths BLOB, dead BLOB, live TEXT, later INTEGER);
  CREATE TABLE blocks (segment INTEGER, first TEXT, data BLOB);
  CREATE TABLE imports (segment INTEGER, number INTEGER, data BLOB);
  CREATE TABLE history (head TEXT, depth INTEGER, data TEXT);
`;
const INDEXES = `
  CREATE INDEX block_of ON blocks (segment, first);
  CREATE INDEX imports_of ON imports (segment, number);
`;

type OpenDatabase = (path: string) => Database;

/** One index on the disk, opened. Every method reads or writes the state of that moment. */
export class IndexStore {
  readonly path: string;
  private readonly database: Database;

  constructor(database: Database, path: string) {
    this.database = database;
    this.path = path;
  }

  static create(open: OpenDatabase, path: string): IndexStore {
    const database = open(path);
    // Nobody sees it before it is whole, so nothing needs to be undone.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000');
    database.exec(SCHEMA);
    return new IndexStore(database, path);
  }

  generation(): number | null {
    const row = this.database.prepare('SELECT format, generation FROM state').get() as
      | { format: number; generation: number }
      | undefined;
    return row && row.format === INDEX_FORMAT ? row.generation : null;
  }

  /** Stands for the whole scan: the scan itself is read only when something changed. */
  digest(): string {
    return (this.database.prepare('SELECT digest FROM state').get() as { digest: string }).digest;
  }

  scan(): ProjectScan {
    const { kind, records, stats } = this.database.prepare('SELECT kind, records, stats FROM state').get() as {
      kind: ProjectScan['kind'];
      records: Bytes;
      stats: Bytes;
    };
    return { kind, records: bytesOf(records), stats: new Float64Array(aligned(stats)) };
  }

  segments(): (StoredSegment & { id: number; later: boolean })[] {
    const rows = this.database
      .prepare('SELECT id, count, paths, ends, lengths, dead, live, later FROM segments ORDER BY id')
      .all() as {
      id: number;
      count: number;
      paths: Bytes;
      ends: Bytes;
      lengths: Bytes;
      dead: Bytes;
      live: string;
      later: number;
    }[];
    const block = this.database.prepare(
      'SELECT data FROM blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    );
    const imports = this.database.prepare('SELECT data FROM imports WHERE segment = ? AND number = ?');
    return rows.map(({ id, count, paths, ends, lengths, dead, live, later }) => ({
      id,
      count,
      paths: bytesOf(paths),
      ends: new Uint32Array(aligned(ends)),
      lengths: new Uint32Array(aligned(lengths)),
      dead: bytesOf(dead),
      live: JSON.parse(live),
      later: later === 1,
      block: (key) => (block.get(id, key) as { data: Buffer } | undefined)?.data ?? null,
      imports: (number) => (imports.get(id, number) as { data: Buffer } | undefined)?.data ?? Buffer.alloc(1),
    }));
  }

  /** `later`: added by an update, not by the build. */
  addSegment(segment: Segment, later: boolean): void {
    const { lastInsertRowid: id } = this.database
      .prepare('INSERT INTO segments (count, paths, ends, lengths, dead, live, later) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        segment.count,
        bufferOf(segment.paths),
        bufferOf(segment.ends),
        bufferOf(segment.lengths),
        Buffer.alloc(segment.count),
        JSON.stringify({ documents: segment.count, totals: segment.totals }),
        later ? 1 : 0,
      );
    const block = this.database.prepare('INSERT INTO blocks VALUES (?, ?, ?)');
    for (const { first, data } of segment.blocks) block.run(id, first, bufferOf(data));
    const imports = this.database.prepare('INSERT INTO imports VALUES (?, ?, ?)');
    for (const [number, { data }] of segment.imports.entries()) imports.run(id, number, bufferOf(data));
  }

  setDead(id: number, dead: Uint8Array, live: Live): void {
    this.database
      .prepare('UPDATE segments SET dead = ?, live = ? WHERE id = ?')
      .run(bufferOf(dead), JSON.stringify(live), id);
  }

  dropSegment(id: number): void {
    for (const [table, column] of [
      ['segments', 'id'],
      ['blocks', 'segment'],
      ['imports', 'segment'],
    ])
      this.database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(id);
  }

  setScan(scan: ProjectScan, generation: number): void {
    const { kind, records, stats } = scan;
    this.database.exec('DELETE FROM state');
    this.database
      .prepare('INSERT INTO state VALUES (?, ?, ?, ?, ?, ?)')
      .run(INDEX_FORMAT, generation, digestOf(scan), kind, records, bufferOf(stats));
  }

  history(head: string, depth: number): History | null {
    const row = this.database.prepare('SELECT data FROM history WHERE head = ? AND depth = ?').get(head, depth) as
      | { data: string }
      | undefined;
    return row ? { head, commits: JSON.parse(row.data) } : null;
  }

  keepHistory({ head, commits }: History, depth: number): void {
    this.database.exec('DELETE FROM history');
    this.database.prepare('INSERT INTO history VALUES (?, ?, ?)').run(head, depth, JSON.stringify(commits));
  }

  /** All of it or nothing, also when the process is ended in the middle. */
  change(work: () => void): void {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  finish(): void {
    this.database.exec(INDEXES);
    if (this.path !== ':memory:') this.database.exec('PRAGMA journal_mode = WAL');
  }

  close(): void {
    this.database.close();
  }
}

const POINTER = 'current';

// The pointer names the index that counts. A build ends with one rename of the pointer: before it the old index is
// whole, after it the new one, whoever is killed.
export function indexFolder(folder: string, open: OpenDatabase) {
  const current = (): string | null => {
    try {
      const name = readFileSync(join(folder, POINTER), 'utf8').trim();
      return /^[0-9a-f]{16}\.db$/.test(name) && existsSync(join(folder, name)) ? join(folder, name) : null;
    } catch {
      return null;
    }
  };
  return {
    current,
    /** The index in force; null where there is none, or none of this format. */
    open(): IndexStore | null {
      const path = current();
      if (path === null) return null;
      let database: Database | undefined;
      try {
        database = open(path);
        database.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000');
        const store = new IndexStore(database, path);
        if (store.generation() !== null) return store;
      } catch {
        // Broken: as good as none.
      }
      database?.close();
      return null;
    },
    draft(): IndexStore {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return IndexStore.create(open, join(folder, `${randomBytes(8).toString('hex')}.db`));
    },
    /** Call with the lock held: makes the draft the index in force and removes all others. */
    publish(store: IndexStore): void {
      store.close();
      const fd = openSync(store.path, 'r');
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      const name = basename(store.path);
      atomicWrite(join(folder, POINTER), name, 0o600);
      for (const other of readdirSync(folder)) {
        if (other.includes('.db') && !other.startsWith(name)) rmSync(join(folder, other), { force: true });
      }
    },
  };
}

function bufferOf(data: Uint8Array | Uint32Array | Float64Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

// The driver gives a blob as a Buffer from get() and as an ArrayBuffer from all().
type Bytes = Buffer | ArrayBuffer;

function bytesOf(row: Bytes): Buffer {
  return Buffer.isBuffer(row) ? row : Buffer.from(row);
}

// Typed arrays need their bytes at a multiple of their width; a row's bytes stand anywhere.
function aligned(row: Bytes): ArrayBuffer {
  const bytes = bytesOf(row);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
