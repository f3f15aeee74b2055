import { NO_POSTINGS, type Postings } from './index-view.ts';
import { MACHINE_CODE } from './machine-code.ts';
import { instanceOf, PAGE } from './web-assembly.ts';

interface Code {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  postings(
    ...places: [list: number, end: number, size: number, dead: number, base: number, ids: number, counts: number]
  ): number;
  gather(
    ...places: [
      ...[ids: number, counts: number, count: number, lengths: number, sums: number, touched: number, found: number],
      ...[weight: number, b: number, average: number],
    ]
  ): number;
  settle(
    ...places: [
      ...[ids: number, count: number, sums: number, scores: number, seen: number, candidates: number, found: number],
      ...[factor: number, k1: number],
    ]
  ): number;
  level(ids: number, count: number, values: number): void;
  weigh(ids: number, count: number, values: number, scores: number, weight: number): void;
  leaders(ids: number, count: number, scores: number, heap: number, top: number, out: number): number;
}

type Numbers = Uint8Array | Uint32Array | Float64Array;

const BROKEN = -1;

/**
 * The loops of ranking (scripts/machine-code.mjs), and the memory in which they work: what is put there is a copy, and is
 * known by its place. Nothing outlives the call that put it there.
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
    const missing = this.at - this.code.memory.buffer.byteLength;
    if (missing > 0) this.code.memory.grow(Math.ceil(missing / PAGE));
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

/** A list of postings as it is kept, without its dead documents, numbered from `base` on. */
export function livePostings(list: Uint8Array, dead: Uint8Array, base: number): Postings {
  if (list.length === 0) return NO_POSTINGS;
  const own = machine();
  return own.within(() => {
    const from = own.put(list);
    const [ids, counts] = [own.room(list.length * 4), own.room(list.length * 4)];
    const count = own.code.postings(from, from + list.length, dead.length, own.put(dead), base, ids, counts);
    if (count === BROKEN) throw new RangeError('the postings are broken');
    return { ids: own.take(ids, new Uint32Array(count)), counts: own.take(counts, new Uint32Array(count)) };
  });
}

/** Divides the values of these documents by the greatest of them, where that is above nought. */
export function level(values: Float64Array, ids: Uint32Array): void {
  const own = machine();
  own.within(() => {
    const place = own.put(values);
    own.code.level(own.put(ids), ids.length, place);
    own.take(place, values);
  });
}

/** For each of these documents the sum of its values, each with its weight, in the order they are given in. */
export function weighted(signals: readonly [Float64Array, number][], ids: Uint32Array, size: number): Float64Array {
  const own = machine();
  return own.within(() => {
    const [scores, chosen] = [own.filled(size, 0), own.put(ids)];
    for (const [values, weight] of signals)
      own.within(() => own.code.weigh(chosen, ids.length, own.put(values), scores, weight));
    return own.take(scores, new Float64Array(size));
  });
}

/** All documents above nought that reach the last of `top` places, with its equals. */
export function leaders(scores: Float64Array, ids: Uint32Array, top: number): Uint32Array {
  const own = machine();
  return own.within(() => {
    const [values, chosen, out] = [own.put(scores), own.put(ids), own.room(ids.length * 4)];
    const heap = own.filled(Math.max(1, top), Number.NEGATIVE_INFINITY);
    const count = own.code.leaders(chosen, ids.length, values, heap, top, out);
    return own.take(out, new Uint32Array(count));
  });
}
