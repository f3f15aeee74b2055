const BATCH = 100;

/** A list of names in batches that several threads share: each batch is taken once, in order. */
export class NameBatches {
  /** Hand it to another thread to share the batches with it. */
  readonly taken: Int32Array<ArrayBufferLike>;
  private readonly names: readonly string[];

  constructor(names: readonly string[], taken: Int32Array<ArrayBufferLike> = new Int32Array(new SharedArrayBuffer(4))) {
    this.names = names;
    this.taken = taken;
  }

  get count(): number {
    return Math.ceil(this.names.length / BATCH);
  }

  /** The number of a batch that nobody has taken; null when there is none left. */
  take(): number | null {
    const batch = Atomics.add(this.taken, 0, 1);
    return batch < this.count ? batch : null;
  }

  at(batch: number): readonly string[] {
    return this.names.slice(batch * BATCH, (batch + 1) * BATCH);
  }

  /** How many names stand in the batches taken so far. */
  get begun(): number {
    return Math.min(this.names.length, Atomics.load(this.taken, 0) * BATCH);
  }
}
