import { sortedByCodePoint } from '../../code-points.ts';
import type { KeyCounter } from '../text/document.ts';
import { chunksIn, termsOfChunk } from '../text/terms.ts';
import { FIELD } from './fields.ts';

/** Counts keys for one document after another, each key under a number, so that a word is taken apart once for all of them. */
export class NumberedKeys implements KeyCounter {
  /** By field and term. */
  private readonly numbers = new Map<string, Map<string, number>>();
  private readonly chunks = new Map<string, readonly number[]>();
  /** Of the document at hand. */
  private readonly counts: number[] = [];
  private touched: number[] = [];

  /** How many keys there are. */
  get size(): number {
    return this.counts.length;
  }

  /** Calls `take` with each key and its number, by code point; a field is one letter. */
  inOrder(take: (field: string, term: string, number: number) => void): void {
    for (const field of sortedByCodePoint(this.numbers.keys())) {
      const terms = this.numbers.get(field) as Map<string, number>;
      for (const term of sortedByCodePoint(terms.keys())) take(field, term, terms.get(term) as number);
    }
  }

  count(field: string, term: string): void {
    this.increase(this.numberOf(field, term));
  }

  countBody(text: string): number {
    let length = 0;
    for (const chunk of chunksIn(text)) {
      let numbers = this.chunks.get(chunk);
      if (numbers === undefined) {
        numbers = termsOfChunk(chunk).map((term) => this.numberOf(FIELD.body, term));
        this.chunks.set(chunk, numbers);
      }
      for (let i = 0; i < numbers.length; i += 1) this.increase(numbers[i] as number);
      length += numbers.length;
    }
    return length;
  }

  /** Adds number and count of each key of the document at hand to `pairs`; the next document starts with none. */
  take(pairs: number[]): void {
    for (const number of this.touched) {
      pairs.push(number, this.counts[number] as number);
      this.counts[number] = 0;
    }
    this.touched = [];
  }

  private numberOf(field: string, term: string): number {
    let terms = this.numbers.get(field);
    if (!terms) {
      terms = new Map();
      this.numbers.set(field, terms);
    }
    let number = terms.get(term);
    if (number === undefined) {
      number = this.counts.push(0) - 1;
      terms.set(term, number);
    }
    return number;
  }

  private increase(number: number): void {
    const before = this.counts[number] as number;
    if (before === 0) this.touched.push(number);
    this.counts[number] = before + 1;
  }
}
