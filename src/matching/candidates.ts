/** The documents that any signal touched: of a hundred thousand, only these are weighed and sorted. */
export class Candidates {
  readonly ids: number[] = [];
  private readonly seen: Uint8Array;

  constructor(size: number) {
    this.seen = new Uint8Array(size);
  }

  add(id: number): void {
    if (this.seen[id] === 1) return;
    this.seen[id] = 1;
    this.ids.push(id);
  }
}
