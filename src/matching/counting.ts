import {
  COUNTING_CODE,
  COUNTS,
  HEAP,
  KEYS,
  LIST,
  LISTS,
  NO_KEY,
  SEED,
  TABLE,
  TABLES,
  WORD_KEYS,
} from './counting-code.ts';
import { instanceOf, PAGE } from './web-assembly.ts';

interface Code {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  countKey(key: number): void;
  runAt(start: number, end: number): number;
  name(start: number, end: number): number;
  key(start: number, end: number): number;
  countName(name: number): number;
  countWords(start: number, end: number, field: number): number;
  walk(
    ...given: [
      ...[text: number, length: number, noted: number, leads: number],
      ...[importWords: number, functionWord: number],
    ]
  ): number;
  take(): void;
  byKey(starts: number, pairs: number): void;
  measure(
    ...places: [
      ...[starts: number, pairs: number, lengths: number, homes: number, order: number],
      ...[blocks: number, blockCount: number],
    ]
  ): number;
  write(
    ...places: [
      ...[starts: number, pairs: number, lengths: number, order: number],
      ...[blocks: number, blockCount: number, out: number, ends: number],
    ]
  ): void;
  leaveSegment(): void;
  spread(from: number, end: number, slots: number, mask: number): void;
}

/** What the code asks of whoever knows the words. */
export interface Asked {
  newWord(word: number, start: number, end: number): void;
  /** The keys of the run are wanted: see `setItems`. */
  oddRun(run: number, start: number, end: number): void;
  /** Counts what the run stands for; gives how many keys that are. */
  countOdd(start: number, end: number): number;
  /** Counts what the name says; gives how many keys that are. */
  oddName(start: number, end: number): number;
}

type List = keyof typeof LISTS;
type Table = keyof typeof TABLES;

// How many entries each table has room for at first, and how many bytes a key takes there on average.
const FIRST: Record<Table, number> = { words: 2048, keys: 4096, names: 512, odds: 256 };
const POOL_PER_ENTRY = 8;
const FIRST_ITEMS = 1024;
const KEYS_PER_BLOCK = 32;

/**
 * The walk over a text and the making of a segment (scripts/counting-code.mjs), with the memory in which they work. What
 * grows gets a new place there, and its old one is taken by the next that fits it.
 */
export class CountingMachine {
  readonly code: Code;
  private top = HEAP;
  /** Places that were left, by their size. */
  private readonly left = new Map<number, number[]>();
  private ints = new Int32Array(0);
  private ownBytes = new Uint8Array(0);
  private readonly handed = { text: { place: 0, size: 0 }, name: { place: 0, size: 0 }, key: { place: 0, size: 0 } };

  constructor(asked: Asked, seed: number) {
    const out = {
      ...asked,
      widenTable: (table: number, length: number) => this.widenTable(table, length),
      widenList: (list: number) => this.widenList(list, FIRST_ITEMS),
    };
    this.code = instanceOf(COUNTING_CODE, { out }) as Code;
    this.put(SEED, seed);
    for (const [name, most] of Object.entries(FIRST)) this.makeTable(TABLES[name as Table], most);
  }

  /** Forgets all words and keys, and keeps the room they took. Between two segments only. */
  forget(): void {
    for (const table of Object.values(TABLES)) {
      const slots = this.read(table + TABLE.slots);
      this.bytes(slots, 8 * (this.read(table + TABLE.mask) + 1)).fill(0);
      this.put(table + TABLE.size, 0);
    }
    this.clear('items');
  }

  // A view of memory that has grown since is empty.
  get memory(): Int32Array {
    if (this.ints.length === 0) this.ints = new Int32Array(this.code.memory.buffer);
    return this.ints;
  }

  get octets(): Uint8Array {
    if (this.ownBytes.length === 0) this.ownBytes = new Uint8Array(this.code.memory.buffer);
    return this.ownBytes;
  }

  bytes(place: number, length: number): Uint8Array {
    return this.octets.subarray(place, place + length);
  }

  /** The list as it is now; good until something grows. */
  list(name: List): Int32Array {
    const at = this.read(LISTS[name]) >> 2;
    return this.memory.subarray(at, at + this.sizeOf(name));
  }

  sizeOf(name: List): number {
    return this.read(LISTS[name] + LIST.size);
  }

  clear(name: List): void {
    this.put(LISTS[name] + LIST.size, 0);
  }

  tableSize(name: Table): number {
    return this.read(TABLES[name] + TABLE.size);
  }

  /** What an odd run stands for. */
  setItems(run: number, items: readonly number[]): void {
    const list = LISTS.items;
    const size = this.read(list + LIST.size);
    if (size + items.length >= this.read(list + LIST.most)) this.widenList(list, items.length + 1);
    this.memory.set([items.length, ...items], (this.read(list) >> 2) + size);
    this.put(list + LIST.size, size + 1 + items.length);
    this.put(this.read(TABLES.odds + TABLE.records) + 8 * run + 4, size);
  }

  setWordKeys(word: number, body: number, defines: number): void {
    const keys = this.read(WORD_KEYS) + KEYS.size * word;
    this.put(keys + KEYS.body, body);
    this.put(keys + KEYS.defines, defines);
    this.put(keys + KEYS.defined, NO_KEY);
    this.put(keys + KEYS.leads, 0);
  }

  /** A bit more for a word that may lead a definition. */
  addLead(word: number, bit: number): void {
    const place = this.read(WORD_KEYS) + KEYS.size * word + KEYS.leads;
    this.put(place, this.read(place) | bit);
  }

  /** A place for what is handed over, with so many bytes; the next of its kind takes it again. */
  placeFor(kind: 'text' | 'name' | 'key', size: number): number {
    if (size > this.handed[kind].size) this.handed[kind] = { place: this.room(size * 2), size: size * 2 };
    return this.handed[kind].place;
  }

  /** The counts of the document at hand become postings of the segment. */
  take(): void {
    const touched = this.sizeOf('touched');
    for (const [list, more] of [
      [LISTS.used, touched],
      [LISTS.postings, 2 * touched],
    ] as const)
      if (this.read(list + LIST.size) + more > this.read(list + LIST.most)) this.widenList(list, more);
    this.code.take();
  }

  /** All that was taken, as it is kept in a segment; the next segment starts with nothing. */
  blocks(): { blocks: Uint8Array; blockEnds: Uint32Array } {
    const { code } = this;
    const before = this.top;
    const keys = this.sizeOf('used');
    const blockCount = Math.max(1, Math.ceil(keys / KEYS_PER_BLOCK));
    const starts = this.cleared(this.passing(4 * (keys + 2)), 4 * (keys + 2));
    const pairs = this.passing(4 * this.sizeOf('postings'));
    code.byKey(starts, pairs);
    const [lengths, homes, order] = [this.passing(4 * keys), this.passing(4 * keys), this.passing(4 * keys)];
    const blocks = this.cleared(this.passing(4 * (blockCount + 2)), 4 * (blockCount + 2));
    const total = code.measure(starts, pairs, lengths, homes, order, blocks, blockCount);
    const [out, ends] = [this.passing(total), this.passing(4 * blockCount)];
    code.write(starts, pairs, lengths, order, blocks, blockCount, out, ends);
    const made = {
      blocks: this.bytes(out, total).slice(),
      blockEnds: Uint32Array.from(this.memory.subarray(ends >> 2, (ends >> 2) + blockCount)),
    };
    code.leaveSegment();
    this.top = before;
    return made;
  }

  private read(place: number): number {
    return this.memory[place >> 2] as number;
  }

  private put(place: number, value: number): void {
    this.memory[place >> 2] = value;
  }

  private room(bytes: number): number {
    const size = (bytes + 7) & ~7;
    return this.left.get(size)?.pop() ?? this.passing(size);
  }

  /** Behind all else. */
  private passing(bytes: number): number {
    const place = this.top;
    this.top = (place + bytes + 7) & ~7;
    const missing = this.top - this.code.memory.buffer.byteLength;
    if (missing > 0) this.code.memory.grow(Math.ceil(missing / PAGE));
    return place;
  }

  private cleared(place: number, bytes: number): number {
    this.bytes(place, bytes).fill(0);
    return place;
  }

  private moved(from: number, before: number, now: number): number {
    const place = this.room(now);
    this.bytes(place, before).set(this.bytes(from, before));
    this.bytes(place + before, now - before).fill(0);
    this.leave(from, before);
    return place;
  }

  private leave(place: number, bytes: number): void {
    const size = (bytes + 7) & ~7;
    this.left.set(size, [...(this.left.get(size) ?? []), place]);
  }

  private makeTable(table: number, most: number): void {
    this.put(table + TABLE.slots, this.cleared(this.room(16 * most), 16 * most));
    this.put(table + TABLE.mask, 2 * most - 1);
    this.put(table + TABLE.most, most);
    this.put(table + TABLE.records, this.cleared(this.room(8 * (most + 1)), 8 * (most + 1)));
    this.put(table + TABLE.pool, this.room(POOL_PER_ENTRY * most));
    this.put(table + TABLE.poolMost, POOL_PER_ENTRY * most);
    if (table === TABLES.keys) this.put(COUNTS, this.cleared(this.room(8 * most), 8 * most));
    if (table === TABLES.words) this.put(WORD_KEYS, this.room(KEYS.size * most));
  }

  // Where its entries or their bytes have no room any more.
  private widenTable(table: number, length: number): void {
    const [size, most] = [this.read(table + TABLE.size), this.read(table + TABLE.most)];
    const [records, poolMost] = [this.read(table + TABLE.records), this.read(table + TABLE.poolMost)];
    const poolSize = this.read(records + 8 * size);
    if (poolSize + length > poolMost) {
      const room = Math.max(2 * poolMost, poolSize + length);
      this.put(table + TABLE.pool, this.moved(this.read(table + TABLE.pool), poolMost, room));
      this.put(table + TABLE.poolMost, room);
    }
    if (size < most) return;
    const before = this.read(table + TABLE.slots);
    const slots = this.cleared(this.room(32 * most), 32 * most);
    this.code.spread(before, before + 16 * most, slots, 4 * most - 1);
    this.leave(before, 16 * most);
    this.put(table + TABLE.slots, slots);
    this.put(table + TABLE.mask, 4 * most - 1);
    this.put(table + TABLE.most, 2 * most);
    this.put(table + TABLE.records, this.moved(records, 8 * (most + 1), 8 * (2 * most + 1)));
    const [beside, each] = table === TABLES.keys ? [COUNTS, 8] : [WORD_KEYS, KEYS.size];
    if (table === TABLES.keys || table === TABLES.words)
      this.put(beside, this.moved(this.read(beside), each * most, 2 * each * most));
  }

  private widenList(list: number, more: number): void {
    const [size, most] = [this.read(list + LIST.size), this.read(list + LIST.most)];
    const wider = Math.max(2 * most, size + more);
    this.put(list, this.moved(this.read(list), 4 * most, 4 * wider));
    this.put(list + LIST.most, wider);
  }
}
