/** The documents that any signal speaks of: only these are weighed and sorted. */
export class Candidates {
  /** One byte a document: 1 for those that are in. */
  readonly seen: Uint8Array;
  /** Their numbers as they came; the first `count` of them. */
  readonly list: Uint32Array;
  count = 0;

  constructor(size: number) {
    this.seen = new Uint8Array(size);
    this.list = new Uint32Array(size);
  }

  get ids(): Uint32Array {
    return this.list.subarray(0, this.count);
  }

  add(id: number): void {
    if (this.seen[id] === 1) return;
    this.seen[id] = 1;
    this.list[this.count] = id;
    this.count += 1;
  }
}
