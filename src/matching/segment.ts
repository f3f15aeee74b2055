import { keyHash, widened } from './byte-table.ts';
import { ByteReader, ByteWriter, sizeOf } from './bytes.ts';
import type { DocumentCounter } from './document-counter.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import { NO_POSTINGS, type Postings } from './index-view.ts';
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

/** Takes documents in path order and makes a segment of them. */
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
  // For each key of the vocabulary its number here, from 1; and the way back.
  private own: Uint32Array;
  private readonly used: number[] = [];
  // The postings as they come: own number of the key, and count; `perDocument` says how many each document has.
  private keys = new Uint32Array(4096);
  private counts = new Uint32Array(4096);
  private readonly perDocument: number[] = [];

  constructor(counter: DocumentCounter) {
    this.counter = counter;
    this.own = new Uint32Array(counter.vocabulary.counts.length);
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
    const { counts, touched, touchedCount } = vocabulary;
    if (counts.length > this.own.length) this.own = widened(this.own, counts.length);
    const size = this.postings + touchedCount;
    if (size > this.keys.length) {
      this.keys = widened(this.keys, Math.max(size, this.keys.length * 2));
      this.counts = widened(this.counts, this.keys.length);
    }
    for (let i = 0; i < touchedCount; i += 1) {
      const key = touched[i] as number;
      let own = this.own[key] as number;
      if (own === NOT_HERE) {
        own = this.used.push(key);
        this.own[key] = own;
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
    const { starts, ids, counts } = this.byKey();
    const size = this.used.length;
    const blockEnds = new Uint32Array(Math.max(1, Math.ceil(size / KEYS_PER_BLOCK)));
    const writer = new ByteWriter(size * 16 + this.postings * 2 + 64);
    const order = groupedBy(
      Uint32Array.from(this.used, (key) => (keys.hashAt(key) >>> 0) % blockEnds.length),
      blockEnds.length,
    );
    for (let block = 0; block < blockEnds.length; block += 1) {
      for (let at = order.starts[block] as number; at < (order.starts[block + 1] as number); at += 1) {
        const own = order.items[at] as number;
        const key = this.used[own] as number;
        const list = { ids, counts, from: starts[own] as number, to: starts[own + 1] as number };
        writer.number(keys.lengthAt(key));
        keys.writeTo(writer, key);
        writer.number(listLength(list));
        writeList(writer, list);
      }
      blockEnds[block] = writer.length;
    }
    return { blocks: writer.taken(), blockEnds };
  }

  // From the order of documents to the order of keys; within a key the documents still ascend.
  private byKey(): { starts: Uint32Array; ids: Uint32Array; counts: Uint32Array } {
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

interface List {
  ids: Uint32Array;
  counts: Uint32Array;
  from: number;
  to: number;
}

// For each document its step from the one before, doubled; odd for the common case of a key that stands there once.
function writeList(writer: ByteWriter, { ids, counts, from, to }: List): void {
  let last = 0;
  for (let i = from; i < to; i += 1) {
    const step = ((ids[i] as number) - last) * 2;
    last = ids[i] as number;
    if (counts[i] === 1) writer.number(step + 1);
    else {
      writer.number(step);
      writer.number(counts[i] as number);
    }
  }
}

function listLength({ ids, counts, from, to }: List): number {
  let [length, last] = [0, 0];
  for (let i = from; i < to; i += 1) {
    length += sizeOf(((ids[i] as number) - last) * 2 + 1);
    last = ids[i] as number;
    if (counts[i] !== 1) length += sizeOf(counts[i] as number);
  }
  return length;
}

// Where each group begins when the items stand in the order of their groups.
function startsOf(groupOf: Uint32Array, size: number, groups: number): Uint32Array {
  const starts = new Uint32Array(groups + 1);
  for (let item = 0; item < size; item += 1) {
    const group = (groupOf[item] as number) + 1;
    starts[group] = (starts[group] as number) + 1;
  }
  for (let group = 1; group <= groups; group += 1) {
    starts[group] = (starts[group] as number) + (starts[group - 1] as number);
  }
  return starts;
}

function groupedBy(groupOf: Uint32Array, groups: number): { starts: Uint32Array; items: Uint32Array } {
  const starts = startsOf(groupOf, groupOf.length, groups);
  const next = starts.slice();
  const items = new Uint32Array(groupOf.length);
  for (let item = 0; item < groupOf.length; item += 1) {
    const group = groupOf[item] as number;
    const place = next[group] as number;
    items[place] = item;
    next[group] = place + 1;
  }
  return { starts, items };
}

/** In which of a segment's blocks a key stands, if it has it. */
export function blockOf(key: string, blocks: number): number {
  return (keyHash(encoder.encode(key)) >>> 0) % blocks;
}

export function postingsIn(block: Uint8Array, key: string): Postings {
  const wanted = encoder.encode(key);
  const reader = new ByteReader(block);
  while (!reader.done) {
    const name = reader.raw(reader.number());
    const list = reader.raw(reader.number());
    if (sameBytes(name, wanted)) return readPostings(list);
  }
  return NO_POSTINGS;
}

function readPostings(list: Uint8Array): Postings {
  const ids = new Uint32Array(list.length);
  const counts = new Uint32Array(list.length);
  const reader = new ByteReader(list);
  let size = 0;
  for (let id = 0; !reader.done; size += 1) {
    const step = reader.number();
    id += step >>> 1;
    ids[size] = id;
    counts[size] = step & 1 ? 1 : reader.number();
  }
  return { ids: ids.subarray(0, size), counts: counts.subarray(0, size) };
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
