import { Cells, machine } from './machine.ts';

/**
 * What one signal says: a value for each document, and which documents it speaks of. It lives in the machine's memory, so
 * in a call of `machine().within`.
 */
export class Tally {
  readonly values: Cells<Float64Array>;
  readonly list: Cells<Uint32Array>;
  /** Of how many documents it speaks: the first of the list. */
  count = 0;

  constructor(size: number) {
    this.values = new Cells(Float64Array, size);
    this.list = new Cells(Uint32Array, size);
    this.values.all.fill(0);
  }

  get ids(): Uint32Array {
    return this.list.all.subarray(0, this.count);
  }

  at(id: number): number {
    return this.values.all[id] as number;
  }

  set(id: number, value: number): void {
    if (value === 0) return;
    const { all } = this.values;
    if (all[id] === 0) {
      this.list.all[this.count] = id;
      this.count += 1;
    }
    all[id] = value;
  }

  /** Gives each of these documents at least the value. */
  raise(ids: Uint32Array, value: number): void {
    const own = machine();
    const { values, list, count } = this;
    this.count = own.within(() => own.code.raise(own.put(ids), ids.length, values.place, list.place, count, value));
  }

  increase(ids: Uint32Array, value: number): void {
    const own = machine();
    const { values, list, count } = this;
    this.count = own.within(() => own.code.increase(own.put(ids), ids.length, values.place, list.place, count, value));
  }

  /** Divides the values by the greatest of them, where that is above nought. */
  level(): void {
    machine().code.level(this.list.place, this.count, this.values.place);
  }
}

/** The same of a signal that speaks of few. */
export class SmallTally {
  private readonly values = new Map<number, number>();

  get ids(): number[] {
    return [...this.values.keys()];
  }

  at(id: number): number {
    return this.values.get(id) ?? 0;
  }

  raise(id: number, value: number): void {
    if (value > this.at(id)) this.values.set(id, value);
  }

  level(): void {
    let most = 0;
    for (const value of this.values.values()) most = Math.max(most, value);
    if (most > 0) for (const [id, value] of this.values) this.values.set(id, value / most);
  }
}
