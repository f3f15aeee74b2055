import { sortedByCodePoint } from '../../code-points.ts';
import { utf8Length } from '../../safety/hidden-characters.ts';
import { countDocument } from '../text/document.ts';
import { chunksIn, type Tokenizer, termsOfChunk } from '../text/terms.ts';
import { FIELD, LENGTHS, type Lengths } from './fields.ts';

/** Texts in code point order, one after another as UTF-8, and where each ends. */
export interface Texts {
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** A finished part of the index: some documents in path order, and every key they hold. */
export interface Segment {
  count: number;
  paths: Texts;
  /** One list after another, in the order of LENGTHS. */
  lengths: Uint32Array;
  keys: Texts;
  /** Where the postings of each key end. */
  ends: Uint32Array;
  /** The documents of one key after another, ascending for each, and how often they hold it. */
  ids: Uint32Array;
  counts: Uint32Array;
}

/** Takes documents in path order and makes a segment of them. */
export class SegmentWriter {
  /** How many postings it holds: what its memory grows with. */
  postings = 0;
  private readonly tokenizer: Tokenizer;
  private readonly paths: string[] = [];
  private readonly lengths: Record<keyof Lengths, number[]> = { body: [], path: [], base: [] };
  private readonly numbers = new Map<string, number>();
  /** Numbers of the keys of a chunk: the same word is taken apart once for all documents. */
  private readonly chunks = new Map<string, readonly number[]>();
  /** Of each key document and count, for one document after another. */
  private readonly lists: number[][] = [];

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** Without a text the document holds its place and no key. */
  add(path: string, text: string | null): void {
    const lengths: Lengths = { body: 0, path: 0, base: 0 };
    if (text !== null) {
      Object.assign(
        lengths,
        countDocument(path, text, this.tokenizer, (key) => this.increase(this.numberOf(key))),
      );
      for (const chunk of chunksIn(text)) {
        const numbers = this.chunks.get(chunk) ?? termsOfChunk(chunk).map((term) => this.numberOf(FIELD.body + term));
        this.chunks.set(chunk, numbers);
        for (let i = 0; i < numbers.length; i += 1) this.increase(numbers[i] as number);
        lengths.body += numbers.length;
      }
    }
    this.paths.push(path);
    for (const field of LENGTHS) this.lengths[field].push(lengths[field]);
  }

  end(): Segment {
    const { numbers, lists, postings, paths } = this;
    const keys = sortedByCodePoint(numbers.keys());
    const [ids, counts] = [new Uint32Array(postings), new Uint32Array(postings)];
    let place = 0;
    const ends = Uint32Array.from(keys, (key) => {
      const list = lists[numbers.get(key) as number] as number[];
      for (let at = 0; at < list.length; at += 2) {
        ids[place] = list[at] as number;
        counts[place++] = list[at + 1] as number;
      }
      return place;
    });
    const lengths = Uint32Array.from(LENGTHS.flatMap((field) => this.lengths[field]));
    return { count: paths.length, paths: textsOf(paths), lengths, keys: textsOf(keys), ends, ids, counts };
  }

  private numberOf(key: string): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.lists.push([]) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }

  private increase(number: number): void {
    const list = this.lists[number] as number[];
    const last = list.length - 1;
    if (list[last - 1] === this.paths.length) (list[last] as number) += 1;
    else {
      list.push(this.paths.length, 1);
      this.postings += 1;
    }
  }
}

/** The numbers of one key's postings: from, and up to. */
export function postingsOf({ ends }: Segment, key: number): [from: number, to: number] {
  return [key === 0 ? 0 : (ends[key - 1] as number), ends[key] as number];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textsOf(list: readonly string[]): Texts {
  const bytes = encoder.encode(list.join(''));
  let end = 0;
  // Nearly all are plain letters: only others have more bytes than characters.
  const isPlain = bytes.length === list.reduce((sum, { length }) => sum + length, 0);
  return { bytes, ends: Uint32Array.from(list, (text) => (end += isPlain ? text.length : utf8Length(text))) };
}

/** Compared as bytes, so that none is decoded before it is shown. */
export class SortedTexts {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;

  constructor({ bytes, ends }: Texts) {
    this.bytes = bytes;
    this.ends = ends;
  }

  at(id: number): string {
    return decoder.decode(this.bytes.subarray(this.startOf(id), this.ends[id]));
  }

  idOf(text: string): number | undefined {
    const wanted = encoder.encode(text);
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.compare(middle, wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  private startOf(id: number): number {
    return id === 0 ? 0 : (this.ends[id - 1] as number);
  }

  private compare(id: number, wanted: Uint8Array): number {
    const start = this.startOf(id);
    const length = (this.ends[id] as number) - start;
    for (let i = 0; i < length && i < wanted.length; i += 1) {
      const difference = (this.bytes[start + i] as number) - (wanted[i] as number);
      if (difference !== 0) return difference;
    }
    return length - wanted.length;
  }
}
