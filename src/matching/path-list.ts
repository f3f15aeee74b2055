const decoder = new TextDecoder();
const encoder = new TextEncoder();

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
    return this.find(encoder.encode(path));
  }

  find(wanted: Uint8Array): number | undefined {
    const id = this.firstFrom(wanted);
    return id < this.ends.length && this.compare(id, wanted) === 0 ? id : undefined;
  }

  /** Whether any path starts with these bytes. */
  hasStart(start: Uint8Array): boolean {
    const id = this.firstFrom(start);
    return id < this.ends.length && this.compare(id, start, start.length) === 0;
  }

  // The first path that does not come before `wanted`.
  private firstFrom(wanted: Uint8Array): number {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Of the path at most so many bytes.
  private compare(id: number, wanted: Uint8Array, most = Number.POSITIVE_INFINITY): number {
    const { bytes } = this;
    const start = id === 0 ? 0 : (this.ends[id - 1] as number);
    const length = Math.min(most, (this.ends[id] as number) - start);
    const shorter = Math.min(length, wanted.length);
    for (let i = 0; i < shorter; i += 1) {
      const order = (bytes[start + i] as number) - (wanted[i] as number);
      if (order !== 0) return order;
    }
    return length - wanted.length;
  }

  private bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(id === 0 ? 0 : this.ends[id - 1], this.ends[id]);
  }
}
