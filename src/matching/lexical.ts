import type { Candidates } from './candidates.ts';
import { FIELD, type Lengths } from './fields.ts';
import type { IndexView } from './index-view.ts';
import type { Query } from './query.ts';

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
export function bm25(
  view: IndexView,
  terms: Query['terms'],
  { parts, candidates }: { parts: readonly Part[]; candidates: Candidates },
): Float64Array | null {
  const fields = parts.map(({ field, weight, b }) => {
    const average = view.totals[field] / Math.max(1, view.documents) || 1;
    return { field, weight, b, average, lengths: view.lengths(field) };
  });
  let scores: Float64Array | null = null;
  let tf: Float64Array | null = null;
  for (const { term, weight } of terms) {
    const touched: number[] = [];
    for (const { field, weight: fieldWeight, b, average, lengths } of fields) {
      const { ids, counts } = view.postings(FIELD[field] + term);
      if (ids.length === 0) continue;
      tf ??= new Float64Array(view.size);
      for (let i = 0; i < ids.length; i += 1) {
        const id = ids[i] as number;
        const before = tf[id] as number;
        if (before === 0) touched.push(id);
        tf[id] = before + (fieldWeight * (counts[i] as number)) / (1 - b + (b * (lengths[id] as number)) / average);
      }
    }
    if (tf === null || touched.length === 0) continue;
    scores ??= new Float64Array(view.size);
    const idf = inverseFrequency(view.documents, touched.length);
    for (const id of touched) {
      const value = tf[id] as number;
      scores[id] = (scores[id] as number) + (weight * idf * value * (K1 + 1)) / (K1 + value);
      tf[id] = 0;
      candidates.add(id);
    }
  }
  return scores;
}
