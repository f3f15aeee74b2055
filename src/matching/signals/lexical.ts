import { FIELD, type Lengths } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { NOT_CODE } from '../text/paths.ts';
import { Tally } from './tally.ts';

interface Levels {
  /** How soon more of the same word counts for nothing. */
  k1: number;
  /** How much a long field counts against a document; undefined: as its part says. */
  b?: number;
  /** What has fewer terms counts as if it had so many. */
  least: number;
}

const CODE: Levels = { k1: 1.2, least: 0 };
// A long page or turn says everything once; a long source file is long because it does much. Of short turns none is better
// for being shorter.
const TEXT: Levels = { k1: 0.9, b: 0.75, least: 60 };

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
    const notCode = field === 'body' ? notCodeIn(view) : null;
    return { letter: FIELD[field], weight, b, average, lengths: view.lengths(field), notCode };
  });
  const marks = fields.find(({ notCode }) => notCode !== null)?.notCode;
  for (const { term, weight: termWeight } of terms) {
    const holders: number[] = [];
    for (const { letter, weight, b: ofPart, average, lengths, notCode } of fields) {
      const { ids, counts } = view.postings(letter + term);
      for (let i = 0; i < ids.length; i += 1) {
        const id = ids[i] as number;
        const before = sums[id] as number;
        if (before === 0) holders.push(id);
        const { b = ofPart, least } = notCode?.[id] === 1 ? TEXT : CODE;
        const length = b * Math.max(least, lengths[id] as number);
        sums[id] = before + (weight * (counts[i] as number)) / (1 - b + length / Math.max(least, average));
      }
    }
    const factor = termWeight * inverseFrequency(view.documents, holders.length);
    for (const id of holders) {
      const sum = sums[id] as number;
      const { k1 } = marks?.[id] === 1 ? TEXT : CODE;
      tally.set(id, tally.at(id) + (factor * sum * (k1 + 1)) / (k1 + sum));
      sums[id] = 0;
    }
  }
  return tally.ids.length === 0 ? null : tally;
}

const notCodeOf = new WeakMap<IndexView, Uint8Array>();

function notCodeIn(view: IndexView): Uint8Array {
  let marks = notCodeOf.get(view);
  if (!marks) {
    marks = new Uint8Array(view.size);
    for (const kind of NOT_CODE) for (const id of view.postings(FIELD.kind + kind).ids) marks[id] = 1;
    notCodeOf.set(view, marks);
  }
  return marks;
}
