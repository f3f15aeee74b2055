import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { History } from '../matching/history.ts';
import type { Segment } from '../matching/segment.ts';
import type { KnownListing, ProjectScan } from './project-scan.ts';
import { heldSegment, type OpenSegment, openSegment, writeSegment } from './segment-file.ts';
import type { KnownUntracked, NotKnown } from './untracked-files.ts';

// Another number for every change of how terms are made or kept: an index of another format is built anew.
const INDEX_FORMAT = 2;
const MANIFEST = 'current';
const HISTORY = 'history';
const FOUND = 'found';
const UNTRACKED = 'untracked';
const OPEN_TRIES = 5;
const SMALL_BYTES = 256 * 1024;

/** One part of an index, with the documents in it that a later part or a removal replaced. */
export interface IndexPart {
  segment: OpenSegment;
  /** Its file; null when it is only in memory. */
  file: string | null;
  bytes: number;
  /** Added by an update, not by the build. */
  later: boolean;
  dead: readonly number[];
}

export interface IndexState {
  generation: number;
  parts: readonly IndexPart[];
  scan: ProjectScan;
}

interface Manifest {
  format: number;
  generation: number;
  parts: { file: string; bytes: number; later: boolean; dead: number[] }[];
  scan: Omit<ProjectScan, 'records' | 'stats'> & { file: string; stats: number[] | null };
}

/**
 * The files of one index. Segments and listings never change once written; the manifest names those that count and is
 * replaced by one rename: before it the old index is whole, after it the new one, whoever is killed. Writers hold a lock.
 */
export class IndexStore {
  private readonly folder: string;
  private made = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Tells one manifest from the next without reading it; null where there is none. */
  mark(): string | null {
    try {
      const { ino, mtimeMs, size } = statSync(join(this.folder, MANIFEST));
      return `${ino} ${mtimeMs} ${size}`;
    } catch {
      return null;
    }
  }

  /** The index in force; null where there is none, or none that is whole and of this format. */
  open(): IndexState | null {
    for (let tries = 0; tries < OPEN_TRIES; tries += 1) {
      const manifest = this.manifest();
      if (manifest === null) return null;
      try {
        return this.opened(manifest);
      } catch {
        // Broken, or another process has just put a newer one in force and removed this one's files: look again.
      }
    }
    return null;
  }

  /** A new part in its own file, or in memory where nothing can be written. */
  addPart(segment: Segment, { later, held }: { later: boolean; held: boolean }): IndexPart {
    if (held) return { segment: heldSegment(segment), file: null, bytes: 0, later, dead: [] };
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = this.newName('segment');
    const bytes = writeSegment(join(this.folder, file), segment);
    // A small one is at hand and stays so; a large one is read again where a query needs it.
    const open = bytes <= SMALL_BYTES ? heldSegment(segment) : openSegment(join(this.folder, file), bytes);
    return { segment: open, file, bytes, later, dead: [] };
  }

  /** Call with the lock held: puts the state in force. `tidy`: removes the files that are no part of it. */
  publish({ generation, parts, scan }: IndexState, { tidy }: { tidy: boolean }): ProjectScan {
    const { records, stats, ...rest } = scan;
    // A listing is long and seldom changes: it has a file of its own, which lasts as long as the listing.
    const file = scan.file ?? this.newListing(scan);
    const manifest: Manifest = {
      format: INDEX_FORMAT,
      generation,
      parts: parts.map(({ file, bytes, later, dead }) => ({ file: file as string, bytes, later, dead: [...dead] })),
      scan: { ...rest, file, stats: scan.kind === 'tracked' ? [...stats] : null },
    };
    this.write(MANIFEST, JSON.stringify(manifest));
    if (tidy) this.tidy(new Set([MANIFEST, HISTORY, file, ...parts.map(({ file }) => file as string)]));
    return { ...scan, file };
  }

  private tidy(needed: ReadonlySet<string>): void {
    for (const name of readdirSync(this.folder)) {
      if (!needed.has(name) && /^(?:segment|listing|draft)-|\.db/.test(name)) removeFile(join(this.folder, name));
    }
  }

  history(head: string, depth: number): History | null {
    const kept = this.read(HISTORY) as (History & { depth: number }) | null;
    return kept?.head === head && kept.depth === depth ? { head, commits: kept.commits } : null;
  }

  keepHistory(history: History, depth: number): void {
    this.keep(HISTORY, JSON.stringify({ ...history, depth }));
  }

  found(): KnownListing | null {
    return this.read(FOUND) as KnownListing | null;
  }

  untracked(): KnownUntracked | NotKnown | null {
    return this.read(UNTRACKED) as KnownUntracked | NotKnown | null;
  }

  keepUntracked(known: KnownUntracked | NotKnown): void {
    this.keep(UNTRACKED, JSON.stringify(known));
  }

  keepFound(listing: KnownListing): void {
    this.keep(FOUND, JSON.stringify(listing));
  }

  private manifest(): Manifest | null {
    const manifest = this.read(MANIFEST) as Manifest | null;
    return manifest?.format === INDEX_FORMAT ? manifest : null;
  }

  private opened({ generation, parts, scan }: Manifest): IndexState {
    const open: IndexPart[] = [];
    try {
      for (const part of parts) open.push({ ...part, segment: openSegment(join(this.folder, part.file), part.bytes) });
    } catch (error) {
      for (const { segment } of open) segment.close();
      throw error;
    }
    const listing = (): Buffer => this.listing(scan.file);
    if (scan.stats !== null) {
      return { generation, parts: open, scan: { ...scan, records: listing, stats: Float64Array.from(scan.stats) } };
    }
    const whole = listing();
    const records = whole.subarray(8, 8 + whole.readUInt32LE(0));
    const stats = new Float64Array(Uint8Array.from(whole.subarray(8 + records.length)).buffer);
    return { generation, parts: open, scan: { ...scan, records: () => records, stats } };
  }

  private newListing({ kind, records, stats }: ProjectScan): string {
    const file = this.newName('listing');
    const listed = records();
    const size = Buffer.alloc(8);
    size.writeUInt32LE(listed.length);
    const numbers = Buffer.from(stats.buffer, stats.byteOffset, stats.byteLength);
    const content = kind === 'tracked' ? listed : Buffer.concat([size, listed, numbers]);
    const check = Buffer.alloc(4);
    check.writeUInt32LE(crc32(content));
    writeFileSync(join(this.folder, file), Buffer.concat([check, content]), { mode: 0o600, flag: 'wx' });
    return file;
  }

  private listing(file: string): Buffer {
    const whole = readFileSync(join(this.folder, file));
    const content = whole.subarray(4);
    if (crc32(content) !== whole.readUInt32LE(0)) throw new Error('the listing is broken');
    return content;
  }

  private read(name: string): unknown {
    try {
      const text = readFileSync(join(this.folder, name), 'utf8');
      const end = text.indexOf('\n');
      const content = text.slice(end + 1);
      return crc32(content).toString(16) === text.slice(0, end) ? JSON.parse(content) : null;
    } catch {
      return null;
    }
  }

  // What can't be kept is asked for again the next time.
  private keep(name: string, content: string): void {
    try {
      this.write(name, content);
    } catch {
      // no place to write
    }
  }

  // No sync: it is derived, and its checksum tells whether all of it came to the disk.
  private write(name: string, content: string): void {
    const draft = join(this.folder, this.newName('draft'));
    writeFileSync(draft, `${crc32(content).toString(16)}\n${content}`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, join(this.folder, name));
  }

  // Another process may have used the same number before it died: the time makes it another name.
  private newName(kind: string): string {
    this.made += 1;
    return `${kind}-${process.pid}-${Date.now().toString(36)}-${this.made}`;
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Someone still reads it; the next to publish tries again.
  }
}
