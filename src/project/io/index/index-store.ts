import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeQuietly } from '../../../files/atomic-write.ts';
import type { Fingerprints } from '../../../files/file-fingerprint.ts';
import { readPlainFile } from '../../../files/open-file.ts';
import type { Segment } from '../../../matching/index/segment.ts';
import { unpackIndexFile, writeIndexFile } from './index-file.ts';

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
    try {
      return this.unpacked(name);
    } catch {
      return null;
    }
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
