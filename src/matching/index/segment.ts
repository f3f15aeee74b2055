import { countDocument, type DocumentFacts } from '../text/document.ts';
import type { Tokenizer } from '../text/terms.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import { NumberedKeys } from './numbered-keys.ts';

/** Pieces of bytes one after another, and where each ends. */
export interface Pieces {
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** A finished part of the index: some documents in path order, and every key they hold. */
export interface Segment {
  count: number;
  paths: Pieces;
  /** One list after another, in the order of LENGTHS. */
  lengths: Uint32Array;
  imports: Pieces;
  /** By code point, and the postings of each. */
  keys: Pieces;
  postings: Pieces;
}

const NOTHING: DocumentFacts = { lengths: { body: 0, path: 0, base: 0 }, imports: [] };

/** Takes documents in path order and makes a segment of them. */
export class SegmentWriter {
  count = 0;
  private readonly tokenizer: Tokenizer;
  private readonly keys = new NumberedKeys();
  private readonly paths = new PieceWriter();
  private readonly imports = new PieceWriter();
  private readonly lengths: Record<keyof Lengths, number[]> = { body: [], path: [], base: [] };
  /** Number of the key and count, for one document after another. */
  private readonly pairs: number[] = [];
  private readonly pairEnds: number[] = [];

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** How many postings it holds: what its memory grows with. */
  get postings(): number {
    return this.pairs.length / 2;
  }

  /** Without a text the document holds its place and no key. */
  add(path: string, text: string | null): void {
    const { keys: counter, tokenizer } = this;
    const { lengths, imports } = text === null ? NOTHING : countDocument(path, text, { tokenizer, counter });
    this.count += 1;
    this.paths.bytes.utf8(path);
    this.paths.end();
    this.imports.bytes.number(imports.length);
    for (const name of imports) this.imports.bytes.text(name);
    this.imports.end();
    for (const field of LENGTHS) this.lengths[field].push(lengths[field]);
    counter.take(this.pairs);
    this.pairEnds.push(this.pairs.length);
  }

  end(): Segment {
    const [keys, postings] = [new PieceWriter(), new PieceWriter()];
    const { starts, ids, counts } = this.byKey();
    this.keys.inOrder((field, term, number) => {
      keys.bytes.utf8(field);
      keys.bytes.utf8(term);
      keys.end();
      writePostings(postings.bytes, { ids, counts, from: starts[number] as number, to: starts[number + 1] as number });
      postings.end();
    });
    return {
      count: this.count,
      paths: this.paths.taken(),
      lengths: Uint32Array.from(LENGTHS.flatMap((field) => this.lengths[field])),
      imports: this.imports.taken(),
      keys: keys.taken(),
      postings: postings.taken(),
    };
  }

  // All postings, those of one key beside each other; `starts` has one number more than there are keys.
  private byKey(): { starts: Uint32Array; ids: Uint32Array; counts: Uint32Array } {
    const { pairs, pairEnds } = this;
    const starts = new Uint32Array(this.keys.size + 1);
    for (let at = 0; at < pairs.length; at += 2) (starts[(pairs[at] as number) + 1] as number) += 1;
    for (let number = 1; number < starts.length; number += 1)
      (starts[number] as number) += starts[number - 1] as number;
    const [ids, counts] = [new Uint32Array(pairs.length / 2), new Uint32Array(pairs.length / 2)];
    const next = starts.slice();
    let at = 0;
    for (const [id, end] of pairEnds.entries()) {
      for (; at < end; at += 2) {
        const place = next[pairs[at] as number] as number;
        next[pairs[at] as number] = place + 1;
        ids[place] = id;
        counts[place] = pairs[at + 1] as number;
      }
    }
    return { starts, ids, counts };
  }
}

class PieceWriter {
  readonly bytes = new ByteWriter(1024);
  private readonly ends: number[] = [];

  end(): void {
    this.ends.push(this.bytes.length);
  }

  taken(): Pieces {
    return { bytes: this.bytes.taken(), ends: Uint32Array.from(this.ends) };
  }
}

// The step from the document before, doubled; one more says that the count is 1, else the count follows.
function writePostings(
  bytes: ByteWriter,
  { ids, counts, from, to }: { ids: Uint32Array; counts: Uint32Array; from: number; to: number },
): void {
  let last = 0;
  for (let i = from; i < to; i += 1) {
    const [id, count] = [ids[i] as number, counts[i] as number];
    bytes.number((id - last) * 2 + (count === 1 ? 1 : 0));
    if (count !== 1) bytes.number(count);
    last = id;
  }
}

/** Calls `take` with each posting of a list; `size` is how many documents there are. */
export function eachPosting(bytes: Uint8Array, size: number, take: (id: number, count: number) => void): void {
  const reader = new ByteReader(bytes);
  let id = 0;
  while (!reader.done) {
    const step = reader.number();
    id += step >>> 1;
    if (id >= size) throw new RangeError('the postings name a document that is not there');
    take(id, step % 2 === 1 ? 1 : reader.number());
  }
}

export function importsOf(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: reader.number() }, () => reader.text());
}

export function pieceAt({ bytes, ends }: Pieces, number: number): Uint8Array {
  return bytes.subarray(number === 0 ? 0 : ends[number - 1], ends[number]);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Texts in code point order, one after another as UTF-8; compared as bytes, so that none is decoded before it is shown. */
export class SortedTexts {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;

  constructor({ bytes, ends }: Pieces) {
    this.bytes = bytes;
    this.ends = ends;
  }

  at(id: number): string {
    return decoder.decode(this.bytesOf(id));
  }

  idOf(text: string): number | undefined {
    const wanted = encoder.encode(text);
    const { id, shared } = this.firstFrom(wanted);
    return shared === wanted.length && this.lengthOf(id) === shared ? id : undefined;
  }

  /** Whether any of them starts with this. */
  hasStart(text: string): boolean {
    const start = encoder.encode(text);
    return this.firstFrom(start).shared === start.length;
  }

  // The first text that does not come before `wanted`, and how many bytes they share from their start.
  private firstFrom(wanted: Uint8Array): { id: number; shared: number } {
    const { bytes, ends } = this;
    let [low, high] = [0, ends.length];
    // What lies between two texts shares with `wanted` at least what both of them do.
    let [before, after] = [0, 0];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle === 0 ? 0 : (ends[middle - 1] as number);
      const length = (ends[middle] as number) - start;
      let shared = before < after ? before : after;
      while (shared < length && shared < wanted.length && bytes[start + shared] === wanted[shared]) shared += 1;
      const isBefore =
        shared < wanted.length && (shared === length || (bytes[start + shared] as number) < (wanted[shared] as number));
      if (isBefore) {
        low = middle + 1;
        before = shared;
      } else {
        high = middle;
        after = shared;
      }
    }
    return { id: low, shared: low < ends.length ? after : -1 };
  }

  private lengthOf(id: number): number {
    return (this.ends[id] as number) - (id === 0 ? 0 : (this.ends[id - 1] as number));
  }

  private bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(id === 0 ? 0 : this.ends[id - 1], this.ends[id]);
  }
}
