import { ByteReader, ByteWriter } from './bytes.ts';
import type { DocumentCounter } from './document-counter.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import { keyHash } from './key-hash.ts';
import type { SourceText } from './source-text.ts';

/** A finished part of the index: some documents in path order, and every key they hold. */
export interface Segment {
  count: number;
  totals: Lengths;
  /** All paths, one after another, and where each ends. */
  paths: Uint8Array;
  ends: Uint32Array;
  /** One list after another, in the order of LENGTHS. */
  lengths: Uint32Array;
  imports: Uint8Array;
  importEnds: Uint32Array;
  /** Keys with their postings; a key's hash says in which block it stands. */
  blocks: Uint8Array;
  blockEnds: Uint32Array;
}

const encoder = new TextEncoder();

/** Takes documents in path order and makes a segment of them. One at a time for each counter. */
export class SegmentWriter {
  count = 0;
  private readonly counter: DocumentCounter;
  private readonly paths = new ByteWriter(1024);
  private readonly ends: number[] = [];
  private readonly lengths: Record<keyof Lengths, number[]> = { body: [], path: [], base: [], defines: [] };
  private readonly totals: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  private readonly imports = new ByteWriter(1024);
  private readonly importEnds: number[] = [];

  constructor(counter: DocumentCounter) {
    this.counter = counter;
  }

  /** How many postings it holds: what its memory grows with. */
  get postings(): number {
    return this.counter.vocabulary.postings;
  }

  add(path: string, source: SourceText): void {
    const { lengths, imports } = this.counter.count(path, source);
    this.count += 1;
    this.paths.utf8(path);
    this.ends.push(this.paths.length);
    for (const field of LENGTHS) {
      this.lengths[field].push(lengths[field]);
      this.totals[field] += lengths[field];
    }
    this.imports.number(imports.length);
    for (const name of imports) this.imports.text(name);
    this.importEnds.push(this.imports.length);
    this.counter.vocabulary.take();
  }

  end(): Segment {
    return {
      count: this.count,
      totals: this.totals,
      paths: this.paths.taken(),
      ends: Uint32Array.from(this.ends),
      lengths: Uint32Array.from(LENGTHS.flatMap((field) => this.lengths[field])),
      imports: this.imports.taken(),
      importEnds: Uint32Array.from(this.importEnds),
      ...this.counter.vocabulary.blocks(),
    };
  }
}

/** In which of a segment's blocks a key stands, if it has it. */
export function blockOf(key: string, blocks: number): number {
  return (keyHash(encoder.encode(key)) >>> 0) % blocks;
}

export function importsOf(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: reader.number() }, () => reader.text());
}
