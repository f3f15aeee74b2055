import { FIELD, type Lengths } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { Tally } from './tally.ts';

const K1 = 1.2;

interface Part {
  field: keyof Lengths;
  weight: number;
  /** How much a long field counts against a document. */
  b: number;
}

export const WHOLE: Part[] = [
  { field: 'body', weight: 1, b: 0.2 },
  { field: 'path', weight: 4, b: 0.3 },
];

export const NAME: Part[] = [
  { field: 'path', weight: 1, b: 0.3 },
  { field: 'base', weight: 2, b: 0.3 },
];

export const DEFINES: Part[] = [{ field: 'defines', weight: 1, b: 0.3 }];

export function inverseFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

// BM25 over several fields: a term's counts are weighed and levelled by length first, then saturate together. Null where
// no document has any of the terms.
export function bm25(view: IndexView, terms: Query['terms'], parts: readonly Part[]): Tally | null {
  const tally = new Tally(view.size);
  const sums = new Float64Array(view.size);
  const fields = parts.map(({ field, weight, b }) => {
    const average = view.totals[field] / Math.max(1, view.documents) || 1;
    return { letter: FIELD[field], weight, b, average, lengths: view.lengths(field) };
  });
  for (const { term, weight: termWeight } of terms) {
    const holders: number[] = [];
    for (const { letter, weight, b, average, lengths } of fields) {
      const { ids, counts } = view.postings(letter + term);
      for (let i = 0; i < ids.length; i += 1) {
        const id = ids[i] as number;
        const before = sums[id] as number;
        if (before === 0) holders.push(id);
        sums[id] = before + (weight * (counts[i] as number)) / (1 - b + (b * (lengths[id] as number)) / average);
      }
    }
    const factor = termWeight * inverseFrequency(view.documents, holders.length);
    for (const id of holders) {
      const sum = sums[id] as number;
      tally.set(id, tally.at(id) + (factor * sum * (K1 + 1)) / (K1 + sum));
      sums[id] = 0;
    }
  }
  return tally.ids.length === 0 ? null : tally;
}
