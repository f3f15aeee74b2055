import type { Pieces } from './segment.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Texts in code point order, one after another as UTF-8; compared as bytes, so that none is decoded before it is shown. */
export class SortedTexts {
  private readonly bytes: Uint8Array;
  private readonly ends: Uint32Array;

  constructor({ bytes, ends }: Pieces) {
    this.bytes = bytes;
    this.ends = ends;
  }

  at(id: number): string {
    return decoder.decode(this.bytesOf(id));
  }

  idOf(text: string): number | undefined {
    const wanted = encoder.encode(text);
    const { id, shared } = this.firstFrom(wanted);
    return shared === wanted.length && this.lengthOf(id) === shared ? id : undefined;
  }

  /** Whether any of them starts with this. */
  hasStart(text: string): boolean {
    const start = encoder.encode(text);
    return this.firstFrom(start).shared === start.length;
  }

  // The first text that does not come before `wanted`, and how many bytes they share from their start.
  private firstFrom(wanted: Uint8Array): { id: number; shared: number } {
    const { bytes, ends } = this;
    let [low, high] = [0, ends.length];
    // What lies between two texts shares with `wanted` at least what both of them do.
    let [before, after] = [0, 0];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle === 0 ? 0 : (ends[middle - 1] as number);
      const length = (ends[middle] as number) - start;
      let shared = before < after ? before : after;
      while (shared < length && shared < wanted.length && bytes[start + shared] === wanted[shared]) shared += 1;
      const isBefore =
        shared < wanted.length && (shared === length || (bytes[start + shared] as number) < (wanted[shared] as number));
      if (isBefore) {
        low = middle + 1;
        before = shared;
      } else {
        high = middle;
        after = shared;
      }
    }
    return { id: low, shared: low < ends.length ? after : -1 };
  }

  private lengthOf(id: number): number {
    return (this.ends[id] as number) - (id === 0 ? 0 : (this.ends[id - 1] as number));
  }

  private bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(id === 0 ? 0 : this.ends[id - 1], this.ends[id]);
  }
}
