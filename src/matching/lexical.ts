import type { Candidates } from './candidates.ts';
import { FIELD, type Lengths } from './fields.ts';
import type { IndexView } from './index-view.ts';
import { machine } from './machine.ts';
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
  const own = machine();
  const { size } = view;
  return own.within(() => {
    const fields = parts.map(({ field, weight, b }) => {
      const average = view.totals[field] / Math.max(1, view.documents) || 1;
      return { field, weight, b, average, lengths: own.put(view.lengths(field)) };
    });
    const [sums, scores, touched] = [own.filled(size, 0), own.filled(size, 0), own.room(size * 4)];
    const [seen, list] = [own.put(candidates.seen), own.put(candidates.list)];
    let some = false;
    for (const { term, weight } of terms) {
      let count = 0;
      for (const { field, weight: fieldWeight, b, average, lengths } of fields) {
        const { ids, counts } = view.postings(FIELD[field] + term);
        if (ids.length === 0) continue;
        const before = count;
        count = own.within(() =>
          own.code.gather(
            ...([own.put(ids), own.put(counts), ids.length, lengths, sums, touched, before] as const),
            ...([fieldWeight, b, average] as const),
          ),
        );
      }
      if (count === 0) continue;
      some = true;
      const factor = weight * inverseFrequency(view.documents, count);
      candidates.count = own.code.settle(
        ...([touched, count, sums, scores, seen, list, candidates.count] as const),
        ...([factor, K1] as const),
      );
    }
    own.take(seen, candidates.seen);
    own.take(list, candidates.list);
    return some ? own.take(scores, new Float64Array(size)) : null;
  });
}
