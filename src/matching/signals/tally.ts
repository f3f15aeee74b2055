/** What one signal says: a value for each document, and which documents it speaks of. */
export class Tally {
  readonly values: Float64Array;
  /** The documents with a value, in the order they came. */
  readonly ids: number[] = [];

  constructor(size: number) {
    this.values = new Float64Array(size);
  }

  at(id: number): number {
    return this.values[id] as number;
  }

  set(id: number, value: number): void {
    if (value === 0) return;
    if (this.values[id] === 0) this.ids.push(id);
    this.values[id] = value;
  }

  /** Gives each of these documents at least the value. */
  raise(ids: Iterable<number>, value: number): void {
    for (const id of ids) if (this.at(id) < value) this.set(id, value);
  }

  increase(ids: Iterable<number>, value: number): void {
    for (const id of ids) this.set(id, this.at(id) + value);
  }

  /** Divides the values by the greatest of them, where that is above zero. */
  level(): void {
    let most = 0;
    for (const id of this.ids) most = Math.max(most, this.at(id));
    if (most > 0) for (const id of this.ids) this.values[id] = this.at(id) / most;
  }
}
