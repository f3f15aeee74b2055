const decoder = new TextDecoder();

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
