import { Cells, machine } from './machine.ts';
import type { Tally } from './tally.ts';

/** The documents that any signal speaks of: only these are weighed and sorted. It lives in the machine's memory. */
export class Candidates {
  /** Their numbers as they came; the first `count` of them. */
  readonly list: Cells<Uint32Array>;
  count = 0;
  /** One byte a document: 1 for those that are in. */
  private readonly seen: Cells<Uint8Array>;

  constructor(size: number) {
    this.list = new Cells(Uint32Array, size);
    this.seen = new Cells(Uint8Array, size);
    this.seen.all.fill(0);
  }

  get ids(): Uint32Array {
    return this.list.all.subarray(0, this.count);
  }

  add({ list, count }: Tally): void {
    this.join(list.place, count);
  }

  addFew(ids: readonly number[]): void {
    const own = machine();
    own.within(() => this.join(own.put(Uint32Array.from(ids)), ids.length));
  }

  private join(ids: number, count: number): void {
    this.count = machine().code.join(ids, count, this.seen.place, this.list.place, this.count);
  }
}
