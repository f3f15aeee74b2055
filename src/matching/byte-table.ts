/** Text as numbers: bytes where all of it is ASCII, else UTF-16 units. */
export type Codes = Uint8Array | Uint16Array;

export const HASH_START = 0x811c9dc5 | 0;

// FNV-1a: one step for each code, so that whoever walks over a text has the hash at its end.
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function hashOf(bytes: Codes, start = 0, end = bytes.length): number {
  let hash = HASH_START;
  for (let i = start; i < end; i += 1) hash = hashStep(hash, bytes[i] as number);
  return hash;
}

/** Of a key: its field's letter counts last, so that a term is hashed once for all fields. */
export function keyHash(bytes: Uint8Array, length = bytes.length): number {
  return hashStep(hashOf(bytes, 1, length), bytes[0] as number);
}

// In each slot: hash, and number + 1 (0: free).
const SLOT = 2;
const ROOM = 8192;

/** Numbers for byte strings, from 0 in the order they first came. Flat arrays: no object and no string for each. */
export class ByteTable {
  size = 0;
  private slots: Int32Array;
  private mask: number;
  private pool: Uint8Array;
  private places: Uint32Array;

  private hashes: Int32Array;

  constructor() {
    this.slots = new Int32Array(2 * ROOM * SLOT);
    this.mask = 2 * ROOM - 1;
    this.places = new Uint32Array(ROOM + 1);
    this.hashes = new Int32Array(ROOM);
    this.pool = new Uint8Array(ROOM * 8);
  }

  /** The string's number; one that was not there gets the next. All codes must be below 256. */
  numberOf(codes: Codes, start: number, end: number, hash: number): number {
    const { slots, mask, pool, places } = this;
    const length = end - start;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const at = slot * SLOT;
      const number = slots[at + 1] as number;
      if (number === 0) return this.add(codes, start, end, hash, at);
      if (slots[at] === hash && (places[number] as number) - (places[number - 1] as number) === length) {
        const from = (places[number - 1] as number) - start;
        let i = start;
        while (i < end && pool[from + i] === codes[i]) i += 1;
        if (i === end) return number - 1;
      }
      slot = (slot + 1) & mask;
    }
  }

  bytesOf(number: number): Uint8Array {
    return this.pool.subarray(this.places[number], this.places[number + 1]);
  }

  hashAt(number: number): number {
    return this.hashes[number] as number;
  }

  lengthAt(number: number): number {
    return (this.places[number + 1] as number) - (this.places[number] as number);
  }

  /** Gives where they end. */
  copyTo(bytes: Uint8Array, start: number, number: number): number {
    const { pool, places } = this;
    const to = places[number + 1] as number;
    let at = start;
    for (let i = places[number] as number; i < to; i += 1) bytes[at++] = pool[i] as number;
    return at;
  }

  private add(codes: Codes, start: number, end: number, hash: number, at: number): number {
    const number = this.size;
    this.size += 1;
    if (this.size >= this.places.length) {
      this.places = widened(this.places, this.places.length * 2);
      this.hashes = widened(this.hashes, this.places.length);
    }
    this.hashes[number] = hash;
    const from = this.places[number] as number;
    const to = from + end - start;
    if (to > this.pool.length) this.pool = widened(this.pool, Math.max(to, this.pool.length * 2));
    for (let i = start; i < end; i += 1) this.pool[from + i - start] = codes[i] as number;
    this.places[number + 1] = to;
    this.slots[at] = hash;
    this.slots[at + 1] = number + 1;
    if (this.size * 3 > this.mask * 2) this.spread();
    return number;
  }

  private spread(): void {
    const before = this.slots;
    const slots = new Int32Array(before.length * 4);
    const mask = slots.length / SLOT - 1;
    for (let at = 0; at < before.length; at += SLOT) {
      if (before[at + 1] === 0) continue;
      const hash = before[at] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & mask;
      slots[slot * SLOT] = hash;
      slots[slot * SLOT + 1] = before[at + 1] as number;
    }
    this.slots = slots;
    this.mask = mask;
  }
}

export function widened<T extends Uint8Array | Uint32Array | Int32Array>(array: T, length: number): T {
  const wider = new (array.constructor as new (length: number) => T)(length);
  wider.set(array);
  return wider;
}
