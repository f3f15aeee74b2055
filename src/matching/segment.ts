import { keyHash, widened } from './byte-table.ts';
import { ByteReader, ByteWriter, putNumber, sizeOf } from './bytes.ts';
import type { DocumentCounter } from './document-counter.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import { groupedBy, startsOf } from './grouping.ts';
import type { SourceText } from './scan-text.ts';

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
const KEYS_PER_BLOCK = 32;
const NOT_HERE = 0;
const NOTHING = new Uint8Array(0);

/** Takes documents in path order and makes a segment of them. One at a time for each counter. */
export class SegmentWriter {
  count = 0;
  /** How many postings it holds: what its memory grows with. */
  postings = 0;
  private readonly counter: DocumentCounter;
  private readonly paths = new ByteWriter(1024);
  private readonly ends: number[] = [];
  private readonly lengths: Record<keyof Lengths, number[]> = { body: [], path: [], base: [], defines: [] };
  private readonly totals: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  private readonly imports = new ByteWriter(1024);
  private readonly importEnds: number[] = [];
  /** The vocabulary's number of each key that stands here; `vocabulary.own` is the way back. */
  private readonly used: number[] = [];
  // The postings as they come: own number of the key, and count; `perDocument` says how many each document has.
  private keys = new Uint32Array(4096);
  private counts = new Uint32Array(4096);
  private readonly perDocument: number[] = [];

  constructor(counter: DocumentCounter) {
    this.counter = counter;
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
    this.takeCounts();
  }

  end(): Segment {
    const { blocks, blockEnds } = this.makeBlocks();
    for (const key of this.used) this.counter.vocabulary.own[key] = NOT_HERE;
    return {
      count: this.count,
      totals: this.totals,
      paths: this.paths.taken(),
      ends: Uint32Array.from(this.ends),
      lengths: Uint32Array.from(LENGTHS.flatMap((field) => this.lengths[field])),
      imports: this.imports.taken(),
      importEnds: Uint32Array.from(this.importEnds),
      blocks,
      blockEnds,
    };
  }

  private takeCounts(): void {
    const { vocabulary } = this.counter;
    const { counts, touched, touchedCount, own: owns } = vocabulary;
    const size = this.postings + touchedCount;
    if (size > this.keys.length) {
      this.keys = widened(this.keys, Math.max(size, this.keys.length * 2));
      this.counts = widened(this.counts, this.keys.length);
    }
    for (let i = 0; i < touchedCount; i += 1) {
      const key = touched[i] as number;
      let own = owns[key] as number;
      if (own === NOT_HERE) {
        own = this.used.push(key);
        owns[key] = own;
      }
      this.keys[this.postings + i] = own - 1;
      this.counts[this.postings + i] = counts[key] as number;
      counts[key] = 0;
    }
    vocabulary.touchedCount = 0;
    this.perDocument.push(touchedCount);
    this.postings = size;
  }

  private makeBlocks(): { blocks: Uint8Array; blockEnds: Uint32Array } {
    const { keys } = this.counter.vocabulary;
    const postings = this.byKey();
    const size = this.used.length;
    const blockEnds = new Uint32Array(Math.max(1, Math.ceil(size / KEYS_PER_BLOCK)));
    // First how long each list is, then all of it into bytes that fit.
    const lengths = new Uint32Array(size);
    const homes = new Uint32Array(size);
    let total = 0;
    for (let own = 0; own < size; own += 1) {
      const key = this.used[own] as number;
      const keyLength = keys.lengthAt(key);
      const length = listLength(postings, own);
      lengths[own] = length;
      homes[own] = (keys.hashAt(key) >>> 0) % blockEnds.length;
      total += sizeOf(keyLength) + keyLength + sizeOf(length) + length;
    }
    const order = groupedBy(homes, blockEnds.length);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (let block = 0; block < blockEnds.length; block += 1) {
      for (let i = order.starts[block] as number; i < (order.starts[block + 1] as number); i += 1) {
        const own = order.items[i] as number;
        const key = this.used[own] as number;
        at = putNumber(bytes, at, keys.lengthAt(key));
        at = keys.copyTo(bytes, at, key);
        at = putNumber(bytes, at, lengths[own] as number);
        at = putList(bytes, at, postings, own);
      }
      blockEnds[block] = at;
    }
    return { blocks: bytes, blockEnds };
  }

  // From the order of documents to the order of keys; within a key the documents still ascend.
  private byKey(): KeyPostings {
    const starts = startsOf(this.keys, this.postings, this.used.length);
    const next = starts.slice();
    const ids = new Uint32Array(this.postings);
    const counts = new Uint32Array(this.postings);
    let at = 0;
    for (let id = 0; id < this.count; id += 1) {
      for (const end = at + (this.perDocument[id] as number); at < end; at += 1) {
        const key = this.keys[at] as number;
        const place = next[key] as number;
        next[key] = place + 1;
        ids[place] = id;
        counts[place] = this.counts[at] as number;
      }
    }
    return { starts, ids, counts };
  }
}

/** The postings of key after key; those of key n go from `starts[n]` to `starts[n + 1]`. */
interface KeyPostings {
  starts: Uint32Array;
  ids: Uint32Array;
  counts: Uint32Array;
}

// For each document its step from the one before, doubled; odd for the common case of a key that stands there once.
function putList(bytes: Uint8Array, start: number, { starts, ids, counts }: KeyPostings, key: number): number {
  const end = starts[key + 1] as number;
  let at = start;
  let last = 0;
  for (let i = starts[key] as number; i < end; i += 1) {
    const step = ((ids[i] as number) - last) * 2;
    last = ids[i] as number;
    if (counts[i] === 1) at = putNumber(bytes, at, step + 1);
    else at = putNumber(bytes, putNumber(bytes, at, step), counts[i] as number);
  }
  return at;
}

function listLength({ starts, ids, counts }: KeyPostings, key: number): number {
  const end = starts[key + 1] as number;
  let length = 0;
  let last = 0;
  for (let i = starts[key] as number; i < end; i += 1) {
    length += sizeOf(((ids[i] as number) - last) * 2 + 1);
    last = ids[i] as number;
    if (counts[i] !== 1) length += sizeOf(counts[i] as number);
  }
  return length;
}

/** In which of a segment's blocks a key stands, if it has it. */
export function blockOf(key: string, blocks: number): number {
  return (keyHash(encoder.encode(key)) >>> 0) % blocks;
}

/** The key's list as it is kept, empty where the block does not have it. */
export function postingsIn(block: Uint8Array, key: string): Uint8Array {
  const wanted = encoder.encode(key);
  const reader = new ByteReader(block);
  while (!reader.done) {
    const name = reader.raw(reader.number());
    const list = reader.raw(reader.number());
    if (sameBytes(name, wanted)) return list;
  }
  return NOTHING;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

export function importsOf(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: reader.number() }, () => reader.text());
}
