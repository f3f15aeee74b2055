import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { orNull } from '../../../errors.ts';
import type { Fingerprints } from '../../../files/file-fingerprint.ts';
import { readPlainFile } from '../../../files/read-file.ts';
import { removeQuietly } from '../../../files/write-file.ts';
import type { Segment } from '../../../matching/index/segment.ts';

/** Some files of a project as they were read. */
export interface IndexPart {
  segment: Segment;
  /** Of each of its documents. */
  prints: Fingerprints;
  /** One byte a document: 0 for what was left out (binary, secret, large), so that it is not read again. */
  counts: Uint8Array;
}

/** A part and the file it lies in; null while it is in memory alone. */
export interface StoredPart extends IndexPart {
  file: string | null;
}

interface Manifest {
  segments: string[];
}

const MANIFEST = 'current';
const OPEN_TRIES = 5;

/**
 * The files of one index. Segments never change once written; the manifest names those that count and is replaced by one
 * rename: before it the old index is whole, after it the new one, whoever is killed. Writers hold a lock.
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

  /** The parts in force; null where there are none, or none that are whole and of this format. */
  open(): StoredPart[] | null {
    for (let tries = 0; tries < OPEN_TRIES; tries += 1) {
      const manifest = this.read(MANIFEST) as Manifest | null;
      if (manifest === null) return null;
      try {
        return manifest.segments.map((file) => ({ ...(this.unpacked(file) as IndexPart), file }));
      } catch {
        // Broken, or another process has just put a newer one in force and removed these files: try again.
      }
    }
    return null;
  }

  add(part: IndexPart): StoredPart {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = this.newName('segment');
    writeIndexFile(join(this.folder, file), join(this.folder, this.newName('draft')), part);
    return { ...part, file };
  }

  /** Call with the lock held: puts the parts in force and removes all others. */
  publish(parts: readonly StoredPart[]): void {
    const files = parts.map(({ file }) => file as string);
    const manifest: Manifest = { segments: files };
    this.write(MANIFEST, manifest);
    for (const name of readdirSync(this.folder))
      if (/^(?:segment|draft)-/.test(name) && !files.includes(name)) removeQuietly(join(this.folder, name));
  }

  /** Removes all that is derived. */
  clear(): void {
    for (const name of readdirSync(this.folder)) if (!name.endsWith('.lock')) removeQuietly(join(this.folder, name));
  }

  /** Null where it is not there or broken. */
  read(name: string): unknown {
    return orNull(() => this.unpacked(name));
  }

  write(name: string, value: object): void {
    writeIndexFile(join(this.folder, name), join(this.folder, this.newName('draft')), value);
  }

  private unpacked(name: string): unknown {
    // The names in a manifest are its own, never a way to another folder.
    if (typeof name !== 'string' || !/^[\w-]+$/.test(name))
      throw new Error('this is not the name of a file of an index');
    return unpackIndexFile(readPlainFile(join(this.folder, name)));
  }

  // Another process may have used the same number before it died: the time makes it another name.
  private newName(kind: string): string {
    this.made += 1;
    return `${kind}-${process.pid}-${Date.now().toString(36)}-${this.made}`;
  }
}

/** Lists of numbers and bytes inside a value, written apart from its JSON. */
type NumberList = Uint8Array | Uint32Array | Float64Array;

// Another number for every change of how terms are made or written: a file of another format is not read.
const FORMAT = 8;
const MARK = 0x42524749;
const KINDS = { b: Uint8Array, u: Uint32Array, f: Float64Array } as const;
const ALIGNED = 8;
const HEAD = 16;
const CHECKED_FROM = 12;

// Mark, format, checksum of the rest, length of the JSON; the JSON; every list of numbers as it lies in memory, so that
// reading copies nothing.
export function packIndexFile(value: object): Buffer {
  const lists: NumberList[] = [];
  let at = 0;
  const json = JSON.stringify(value, (_, part: unknown) => {
    const kind = kindOf(part);
    if (kind === null) return part;
    const list = part as NumberList;
    lists.push(list);
    const place = `\u0000${kind}${at},${list.length}`;
    at += padded(list.byteLength);
    return place;
  });
  const text = Buffer.from(json, 'utf8');
  const start = padded(HEAD + text.length);
  const whole = Buffer.alloc(start + at);
  text.copy(whole, HEAD);
  let to = start;
  for (const list of lists) {
    whole.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), to);
    to += padded(list.byteLength);
  }
  const head = [MARK, FORMAT, 0, text.length];
  for (const [i, number] of head.entries()) whole.writeUInt32LE(number, i * 4);
  whole.writeUInt32LE(crc32(whole.subarray(CHECKED_FROM)), 8);
  return whole;
}

/** Throws where the bytes are not whole or of another format. */
export function unpackIndexFile(bytes: Buffer): unknown {
  if (bytes.length < HEAD) throw new Error('this is not a file of an index');
  const [mark, format, checksum, length] = [0, 4, 8, 12].map((place) => bytes.readUInt32LE(place)) as [
    number,
    number,
    number,
    number,
  ];
  if (mark !== MARK || format !== FORMAT || crc32(bytes.subarray(CHECKED_FROM)) !== checksum)
    throw new Error('this is not a whole file of an index');
  const start = padded(HEAD + length);
  // Lists of numbers must lie at even places; a small read may share its memory with others.
  const aligned = bytes.byteOffset % ALIGNED === 0 ? bytes : new Uint8Array(bytes);
  return JSON.parse(bytes.toString('utf8', HEAD, HEAD + length), (_, part: unknown) => {
    if (typeof part !== 'string' || part.charCodeAt(0) !== 0) return part;
    const [place = 0, count = 0] = part.slice(2).split(',').map(Number);
    return new KINDS[part[1] as keyof typeof KINDS](
      aligned.buffer as ArrayBuffer,
      aligned.byteOffset + start + place,
      count,
    );
  });
}

// Without a sync: it is derived, and its checksum tells whether all of it came to the disk.
function writeIndexFile(path: string, draft: string, value: object): void {
  writeFileSync(draft, packIndexFile(value), { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

function kindOf(value: unknown): keyof typeof KINDS | null {
  if (value instanceof Uint8Array) return 'b';
  if (value instanceof Uint32Array) return 'u';
  return value instanceof Float64Array ? 'f' : null;
}

function padded(size: number): number {
  return Math.ceil(size / ALIGNED) * ALIGNED;
}
