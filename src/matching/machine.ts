import { NO_POSTINGS, type Postings } from './index-view.ts';
import { MACHINE_CODE } from './machine-code.ts';
import { instanceOf, PAGE } from './web-assembly.ts';

type Listing = [ids: number, count: number, values: number, list: number, found: number, value: number];
type Choosing = [start: number, end: number, scores: number, score: number, out: number, most: number];

interface Code {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  postings(
    ...places: [list: number, end: number, size: number, dead: number, base: number, ids: number, counts: number]
  ): number;
  seek(block: number, end: number, key: number, keyLength: number, ending: number): number;
  gather(
    ...places: [
      ...[ids: number, counts: number, count: number, lengths: number, sums: number, touched: number, found: number],
      ...[weight: number, b: number, average: number],
    ]
  ): number;
  settle(
    ...places: [
      ...[ids: number, count: number, sums: number, scores: number, list: number, found: number],
      ...[factor: number, k1: number],
    ]
  ): number;
  raise(...places: Listing): number;
  increase(...places: Listing): number;
  join(ids: number, count: number, seen: number, list: number, found: number): number;
  level(ids: number, count: number, values: number): void;
  weigh(ids: number, count: number, values: number, scores: number, weight: number): void;
  edge(ids: number, count: number, scores: number, heap: number, top: number): number;
  above(...places: Choosing): number;
  equal(...places: Choosing): number;
}

type Numbers = Uint8Array | Uint32Array | Float64Array;

const BROKEN = -1;

/**
 * The loops of ranking (scripts/machine-code.mjs), and the memory in which they work: what is put there is a copy, and is
 * known by its place. Nothing outlives the call of `within` that it was put there in.
 */
export class Machine {
  readonly code: Code;
  private at = 0;

  constructor() {
    this.code = instanceOf(MACHINE_CODE) as Code;
  }

  /** What `work` puts is gone when it ends; it may hold calls of others that do the same. */
  within<T>(work: () => T): T {
    const before = this.at;
    try {
      return work();
    } finally {
      this.at = before;
    }
  }

  /** Room for so many bytes, with whatever stood there before. */
  room(bytes: number): number {
    const place = this.at;
    this.at = (place + bytes + 7) & ~7;
    const { byteLength } = this.code.memory.buffer;
    const missing = this.at - byteLength;
    // Twice as much at least: whatever grows leaves all views behind.
    if (missing > 0) this.code.memory.grow(Math.ceil(Math.max(missing, byteLength) / PAGE));
    return place;
  }

  put(numbers: Numbers): number {
    const place = this.room(numbers.byteLength);
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(this.code.memory.buffer, place).set(bytes);
    return place;
  }

  filled(count: number, value: number): number {
    const place = this.room(count * 8);
    new Float64Array(this.code.memory.buffer, place, count).fill(value);
    return place;
  }

  /** Copies what stands at a place into `to`. */
  take<T extends Numbers>(place: number, to: T): T {
    const bytes = new Uint8Array(this.code.memory.buffer, place, to.byteLength);
    new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(bytes);
    return to;
  }
}

let made: Machine | undefined;

export function machine(): Machine {
  made ??= new Machine();
  return made;
}

/** Numbers in the machine's memory, with whatever stood there before. */
export class Cells<T extends Numbers> {
  readonly place: number;
  private readonly kind: new (
    buffer: ArrayBuffer,
    place: number,
    count: number,
  ) => T;
  private readonly count: number;
  private seen: T;

  constructor(kind: (new (buffer: ArrayBuffer, place: number, count: number) => T) & Kind, count: number) {
    this.kind = kind;
    this.count = count;
    this.place = machine().room(count * kind.BYTES_PER_ELEMENT);
    this.seen = this.view();
  }

  /** Good until more is put into the memory: when that grows, this is empty. */
  get all(): T {
    if (this.seen.length !== this.count) this.seen = this.view();
    return this.seen;
  }

  private view(): T {
    return new this.kind(machine().code.memory.buffer, this.place, this.count);
  }
}

interface Kind {
  BYTES_PER_ELEMENT: number;
}

/** Where postings stand: in a list as it is kept, or in the block that holds the key's list, if there is one. */
interface PostingsPart {
  bytes: Uint8Array;
  /** One byte a document: 1 for the dead, which are left out. */
  dead: Uint8Array;
  /** What its documents are numbered from. */
  base: number;
}

/** A list of postings as it is kept, without its dead documents, numbered from `base` on. */
export function livePostings(bytes: Uint8Array, dead: Uint8Array, base: number): Postings {
  return joinedPostings([{ bytes, dead, base }], (from, end) => [from, end]);
}

/** Those of one key in several blocks, one behind the other. */
export function postingsOf(key: Uint8Array, blocks: readonly PostingsPart[]): Postings {
  const own = machine();
  return own.within(() => {
    const [name, ending] = [own.put(key), own.room(4)];
    return joinedPostings(blocks, (from, end) => {
      const list = own.code.seek(from, end, name, key.length, ending);
      if (list === BROKEN) throw new RangeError('the block is broken');
      return list === 0 ? null : [list, new Uint32Array(own.code.memory.buffer, ending, 1)[0] as number];
    });
  });
}

type Stretch = [start: number, end: number];

function joinedPostings(parts: readonly PostingsPart[], listIn: (...bytes: Stretch) => Stretch | null): Postings {
  const own = machine();
  return own.within(() => {
    const lists = parts.flatMap(({ bytes, dead, base }) => {
      const from = own.put(bytes);
      const list = listIn(from, from + bytes.length);
      return list ? [{ list, dead, base }] : [];
    });
    const most = lists.reduce((sum, { list: [start, end] }) => sum + end - start, 0);
    if (most === 0) return NO_POSTINGS;
    const [ids, counts] = [own.room(most * 4), own.room(most * 4)];
    let count = 0;
    for (const { list, dead, base } of lists) {
      const places = [ids + count * 4, counts + count * 4] as const;
      const more = own.within(() => own.code.postings(...list, dead.length, own.put(dead), base, ...places));
      if (more === BROKEN) throw new RangeError('the postings are broken');
      count += more;
    }
    return { ids: own.take(ids, new Uint32Array(count)), counts: own.take(counts, new Uint32Array(count)) };
  });
}
