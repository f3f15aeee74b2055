import { ByteReader, ByteWriter } from './bytes.ts';
import type { IndexedDocument } from './document.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import { NO_POSTINGS, type Postings } from './index-view.ts';
import { byCodePoint } from './query.ts';

/** A run of sorted keys with their postings; found by its first key. */
export interface Block {
  first: string;
  data: Uint8Array;
}

/** A finished part of the index: some documents in path order, and every key they hold. */
export interface Segment {
  count: number;
  /** All paths, one after another. */
  paths: Uint8Array;
  /** Where each path ends. */
  ends: Uint32Array;
  /** One list after another, in the order of LENGTHS. */
  lengths: Uint32Array;
  totals: Lengths;
  imports: Block[];
  blocks: Block[];
}

const decoder = new TextDecoder();
const BLOCK_BYTES = 16 * 1024;
// What an entry of the map, its list and its bytes take, about.
const KEY_WEIGHT = 200;
const BLOCK_KEYS = 256;
const IMPORTS_PER_BLOCK = 256;

// The last document first, then for each its step and count: plain numbers until the segment ends.
type List = number[];

/** Takes documents in path order and makes a segment of them. `weight` grows with what it holds in memory. */
export class SegmentWriter {
  weight = 0;
  count = 0;
  private readonly lists = new Map<string, List>();
  private readonly paths = new ByteWriter(1024);
  private readonly ends: number[] = [];
  private readonly lengths: Record<keyof Lengths, number[]> = { body: [], path: [], base: [], defines: [] };
  private readonly totals: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  private readonly importBlocks: Block[] = [];
  private imports = new ByteWriter(1024);

  add(document: IndexedDocument): void {
    const id = this.count;
    this.count += 1;
    this.paths.raw(new TextEncoder().encode(document.path));
    this.ends.push(this.paths.length);
    for (const field of LENGTHS) {
      this.lengths[field].push(document.lengths[field]);
      this.totals[field] += document.lengths[field];
    }
    this.imports.number(document.imports.length);
    for (const name of document.imports) this.imports.text(name);
    if (this.count % IMPORTS_PER_BLOCK === 0) this.endImports();
    for (const [key, count] of document.keys) {
      let list = this.lists.get(key);
      if (!list) {
        list = [0];
        this.lists.set(key, list);
        this.weight += KEY_WEIGHT + key.length;
      }
      writePosting(list, id, count);
      this.weight += 9;
    }
  }

  end(): Segment {
    if (this.imports.length > 0) this.endImports();
    const lengths = Uint32Array.from(LENGTHS.flatMap((field) => this.lengths[field]));
    const blocks = [...makeBlocks(sortedKeys(this.lists), (key) => this.lists.get(key) as List)];
    return {
      count: this.count,
      paths: this.paths.taken(),
      ends: Uint32Array.from(this.ends),
      lengths,
      totals: this.totals,
      imports: this.importBlocks,
      blocks,
    };
  }

  private endImports(): void {
    this.importBlocks.push({ first: String(this.importBlocks.length), data: this.imports.taken() });
    this.imports = new ByteWriter(1024);
  }
}

export function importsOf(blocks: (number: number) => Uint8Array, id: number): string[] {
  const reader = new ByteReader(blocks(Math.floor(id / IMPORTS_PER_BLOCK)));
  for (let skip = id % IMPORTS_PER_BLOCK; skip > 0; skip -= 1) {
    for (let left = reader.number(); left > 0; left -= 1) reader.raw(reader.number());
  }
  return Array.from({ length: reader.number() }, () => reader.text());
}

// One small number for the common case of a key that stands once in a document.
function writePosting(list: List, id: number, count: number): void {
  const step = id - (list[0] as number);
  list[0] = id;
  if (count === 1) list.push(step * 2 + 1);
  else list.push(step * 2, count);
}

// Keys sort as the store compares them: by UTF-8 bytes, which is by code point.
function sortedKeys(lists: ReadonlyMap<string, unknown>): string[] {
  const keys = [...lists.keys()].sort();
  return keys.some((key) => /[\ud800-\uffff]/.test(key)) ? keys.sort(byCodePoint) : keys;
}

function* makeBlocks(keys: readonly string[], listOf: (key: string) => List): Generator<Block> {
  const postings = new ByteWriter(1024);
  let writer = new ByteWriter(BLOCK_BYTES);
  let first = '';
  let held = 0;
  for (const key of keys) {
    if (held === 0) first = key;
    writer.text(key);
    const list = listOf(key);
    postings.length = 0;
    for (let i = 1; i < list.length; i += 1) postings.number(list[i] as number);
    writer.number(postings.length);
    writer.raw(postings.taken());
    held += 1;
    if (held < BLOCK_KEYS && writer.length < BLOCK_BYTES) continue;
    yield { first, data: writer.taken() };
    writer = new ByteWriter(BLOCK_BYTES);
    held = 0;
  }
  if (held > 0) yield { first, data: writer.taken() };
}

export function postingsIn(block: Uint8Array, key: string): Postings {
  const wanted = new TextEncoder().encode(key);
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

/** Paths in order, compared as bytes, so that none is decoded before it is shown. */
export class PathList {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
  }

  at(id: number): string {
    return decoder.decode(this.bytesOf(id));
  }

  idOf(path: string): number | undefined {
    const wanted = new TextEncoder().encode(path);
    let [low, high] = [0, this.ends.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = compareBytes(this.bytesOf(middle), wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  private bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(id === 0 ? 0 : this.ends[id - 1], this.ends[id]);
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const order = (a[i] as number) - (b[i] as number);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
