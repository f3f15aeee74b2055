import { FIELD, type Lengths } from './fields.ts';
import type { IndexView, Postings } from './index-view.ts';
import { machine } from './machine.ts';
import type { Query } from './query.ts';
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
  const known = terms.flatMap(({ term, weight }) => {
    const lists = parts.map(({ field }) => view.postings(FIELD[field] + term));
    return lists.some(({ ids }) => ids.length > 0) ? [{ weight, lists }] : [];
  });
  if (known.length === 0) return null;
  const own = machine();
  const { size } = view;
  const tally = new Tally(size);
  own.within(() => {
    const [sums, touched] = [own.filled(size, 0), own.room(size * 4)];
    const fields = parts.map(({ field, weight, b }, n) => {
      const isUsed = known.some(({ lists }) => (lists[n] as Postings).ids.length > 0);
      const average = view.totals[field] / Math.max(1, view.documents) || 1;
      return { weight, b, average, lengths: isUsed ? own.put(view.lengths(field)) : 0 };
    });
    for (const { weight, lists } of known) {
      let count = 0;
      for (const [n, { weight: fieldWeight, b, average, lengths }] of fields.entries()) {
        const { ids, counts } = lists[n] as Postings;
        if (ids.length === 0) continue;
        const before = count;
        count = own.within(() =>
          own.code.gather(
            ...([own.put(ids), own.put(counts), ids.length, lengths, sums, touched, before] as const),
            ...([fieldWeight, b, average] as const),
          ),
        );
      }
      const factor = weight * inverseFrequency(view.documents, count);
      tally.count = own.code.settle(
        ...([touched, count, sums, tally.values.place, tally.list.place, tally.count, factor, K1] as const),
      );
    }
  });
  return tally;
}
