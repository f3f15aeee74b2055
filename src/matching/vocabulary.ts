import { ByteTable, type Codes, HASH_START, hashOf, hashStep, keyHash, widened } from './byte-table.ts';
import { FIELD } from './fields.ts';
import { STOP_WORDS } from './stop-words.ts';
import { LONGEST_TERM, type Tokenizer, termOf } from './terms.ts';
import { wordBounds } from './word-bounds.ts';

const [BODY, DEFINES, DEFINED] = [FIELD.body, FIELD.defines, FIELD.defined].map((field) => field.charCodeAt(0)) as [
  number,
  number,
  number,
];
const NO_KEY = -1;
const ASCII = 127;
const LONGEST_PLAIN = 240;
const MOST_CHUNKS = 200_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The keys of an index by number, and what each run of letters and digits in a text stands for: taken apart once, found
 * again by its bytes. Counts of the document at hand are kept here, as flat as the rest.
 */
export class Vocabulary {
  readonly keys = new ByteTable();
  /** How often the document at hand holds each key; `touched` lists those that are not 0. */
  counts = new Uint32Array(4096);
  touched = new Uint32Array(4096);
  touchedCount = 0;
  /** For each key its number from 1 in the segment that is being written; 0: it is not in it. */
  own = new Uint32Array(4096);
  private readonly tokenizer: Tokenizer;
  private readonly keyNumbers = new Map<string, number>();
  private readonly words = new ByteTable();
  /** For each word its key in the body and its key among what is defined. */
  private wordKeys = new Int32Array(2048);
  private readonly chunks = new ByteTable();
  private readonly chunkLists = new Lists();
  private readonly oddChunks = new Map<string, number[]>();
  private readonly names = new ByteTable();
  private readonly nameLists = new Lists();
  // The words of a run in lower case, one after another, with room for a field's letter before them.
  private readonly scratch = new Uint8Array(LONGEST_PLAIN + 1);
  private readonly bounds = new Int32Array(2 * LONGEST_PLAIN);
  private readonly wordNumbers = new Int32Array(LONGEST_PLAIN);

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** True when it should make room for a new one: it only grows. */
  get full(): boolean {
    return [this.chunks, this.names, this.oddChunks, this.keyNumbers].some(({ size }) => size > MOST_CHUNKS);
  }

  key(text: string): number {
    let key = this.keyNumbers.get(text);
    if (key === undefined) {
      const bytes = encoder.encode(text);
      key = this.keyOf(bytes, bytes.length, keyHash(bytes));
      this.keyNumbers.set(text, key);
    }
    return key;
  }

  count(key: number): void {
    const before = this.counts[key] as number;
    if (before === 0) this.touched[this.touchedCount++] = key;
    this.counts[key] = before + 1;
  }

  /** The number of an ASCII run of at most LONGEST_CHUNK; `hash` is its own. */
  chunk(codes: Codes, start: number, end: number, hash: number): number {
    const known = this.chunks.size;
    const chunk = this.chunks.numberOf(codes, start, end, hash);
    if (chunk === known) this.listTerms(codes, start, end);
    return chunk;
  }

  chunkOf(word: string): number {
    const bytes = encoder.encode(word);
    return this.chunk(bytes, 0, bytes.length, hashOf(bytes));
  }

  /** Counts what the run stands for; gives how many terms that are. */
  countChunk(chunk: number): number {
    return this.countList(this.chunkLists, chunk);
  }

  countOddChunk(chunk: string): number {
    let keys = this.oddChunks.get(chunk);
    if (keys === undefined) {
      keys = this.tokenizer.list(chunk).map((term) => this.key(FIELD.body + term));
      this.oddChunks.set(chunk, keys);
    }
    for (const key of keys) this.count(key);
    return keys.length;
  }

  /** The number of a defined name; an ASCII name has the same one from a text's codes and as a string. */
  name(codes: Codes, start: number, end: number, hash: number): number {
    const known = this.names.size;
    const name = this.names.numberOf(codes, start, end, hash);
    if (name === known) this.listName(this.names.bytesOf(name));
    return name;
  }

  nameOf(text: string): number {
    const bytes = encoder.encode(text);
    return this.name(bytes, 0, bytes.length, hashOf(bytes));
  }

  /** Counts the terms of a defined name and its whole; gives how many terms. */
  countName(name: number): number {
    return this.countList(this.nameLists, name) - 1;
  }

  private countList(lists: Lists, number: number): number {
    const { items, ends } = lists;
    const from = ends[number] as number;
    const to = ends[number + 1] as number;
    for (let i = from; i < to; i += 1) this.count(items[i] as number);
    return to - from;
  }

  private keyOf(bytes: Uint8Array, length: number, hash: number): number {
    const key = this.keys.numberOf(bytes, 0, length, hash);
    if (key >= this.counts.length) {
      this.counts = widened(this.counts, this.counts.length * 2);
      this.touched = widened(this.touched, this.counts.length);
      this.own = widened(this.own, this.counts.length);
    }
    return key;
  }

  // The same terms as the tokenizer gives.
  private listTerms(codes: Codes, start: number, end: number): void {
    const words = this.takeApart(codes, start, end);
    for (let i = 0; i < words; i += 1) {
      const single = (this.bounds[2 * i + 1] as number) - (this.bounds[2 * i] as number) === 1;
      const key = this.wordKeys[2 * (this.wordNumbers[i] as number)] as number;
      if (key !== NO_KEY && !(single && words > 1)) this.chunkLists.push(key);
    }
    if (words > 1 && this.wholeLength <= LONGEST_TERM) this.chunkLists.push(this.wholeKey(BODY));
    this.chunkLists.end();
  }

  private listName(name: Uint8Array): void {
    if (name.length > LONGEST_PLAIN || name.some((code) => code > ASCII)) {
      const { terms, whole } = this.tokenizer.name(decoder.decode(name));
      for (const term of terms) this.nameLists.push(this.key(FIELD.defines + term));
      this.nameLists.push(this.key(FIELD.defined + whole));
    } else {
      const words = this.takeApart(name, 0, name.length);
      for (let i = 0; i < words; i += 1) {
        this.nameLists.push(this.wordKeys[2 * (this.wordNumbers[i] as number) + 1] as number);
      }
      if (words > 1) this.nameLists.push(this.wholeKey(DEFINES));
      this.nameLists.push(this.wholeKey(DEFINED));
    }
    this.nameLists.end();
  }

  private wholeLength = 0;
  private wholeHash = 0;

  // Puts the words into the scratch and their numbers beside; gives how many they are.
  private takeApart(codes: Codes, start: number, end: number): number {
    const words = wordBounds(codes, start, end, this.bounds);
    let length = 1;
    let whole = HASH_START;
    for (let i = 0; i < words; i += 1) {
      const from = length;
      let hash = HASH_START;
      const to = this.bounds[2 * i + 1] as number;
      for (let at = this.bounds[2 * i] as number; at < to; at += 1) {
        const code = codes[at] as number;
        const lower = code >= 65 && code <= 90 ? code + 32 : code;
        this.scratch[length++] = lower;
        hash = hashStep(hash, lower);
        whole = hashStep(whole, lower);
      }
      this.wordNumbers[i] = this.word(from, length, hash);
    }
    this.wholeLength = length - 1;
    this.wholeHash = whole;
    return words;
  }

  private wholeKey(field: number): number {
    this.scratch[0] = field;
    const length = this.wholeLength + 1;
    return this.keyOf(this.scratch, length, hashStep(this.wholeHash, field));
  }

  private word(from: number, to: number, hash: number): number {
    const known = this.words.size;
    const word = this.words.numberOf(this.scratch, from, to, hash);
    if (word === known) {
      if (2 * word + 1 >= this.wordKeys.length) this.wordKeys = widened(this.wordKeys, this.wordKeys.length * 2);
      const text = String.fromCharCode(...this.scratch.subarray(from, to));
      const term = termOf(text);
      const left = STOP_WORDS.has(text) || term.length > LONGEST_TERM;
      this.wordKeys[2 * word] = left ? NO_KEY : this.key(FIELD.body + term);
      this.wordKeys[2 * word + 1] = this.key(FIELD.defines + term);
    }
    return word;
  }
}

/** Many short lists of numbers in one array, ended one after another. */
class Lists {
  items = new Uint32Array(4096);
  ends = new Uint32Array(1024);
  private size = 0;
  private count = 0;

  push(item: number): void {
    if (this.size === this.items.length) this.items = widened(this.items, this.size * 2);
    this.items[this.size++] = item;
  }

  end(): void {
    this.count += 1;
    if (this.count === this.ends.length) this.ends = widened(this.ends, this.count * 2);
    this.ends[this.count] = this.size;
  }
}
