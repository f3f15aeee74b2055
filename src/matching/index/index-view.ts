import { compareCodePoints } from '../../code-point-order.ts';
import type { IndexedDocument } from '../text/document.ts';
import { LENGTHS, type Lengths } from './fields.ts';

export interface Postings {
  /** Document numbers, ascending. */
  ids: Uint32Array;
  counts: Uint32Array;
}

/** The index as ranking sees it, wherever it is kept. Numbers of documents mean nothing beyond one view. */
export interface IndexView {
  /** Numbers run from 0 to below this; `live` says which of them stand for a file. */
  size: number;
  documents: number;
  isLive(id: number): boolean;
  totals: Lengths;
  /** How long the field is in each document, by its number. */
  lengths(field: keyof Lengths): Uint32Array;
  postings(key: string): Postings;
  path(id: number): string;
  /** Which path comes first, by code point. */
  order(a: number, b: number): number;
  idOf(path: string): number | undefined;
  /** False: no path starts with this. */
  hasStart(start: string): boolean;
  imports(id: number): string[];
}

const NO_POSTINGS: Postings = { ids: new Uint32Array(0), counts: new Uint32Array(0) };

// The whole index in memory: small projects, tests, and the reference that every stored index must equal.
export function memoryIndex(documents: readonly IndexedDocument[]): IndexView {
  const lists = new Map<string, { ids: number[]; counts: number[] }>();
  const totals: Lengths = { body: 0, path: 0, base: 0 };
  const numbers = new Map<string, number>();
  for (const [id, document] of documents.entries()) {
    numbers.set(document.path, id);
    for (const field of LENGTHS) totals[field] += document.lengths[field];
    for (const [key, count] of document.keys) {
      const list = lists.get(key) ?? { ids: [], counts: [] };
      if (list.ids.length === 0) lists.set(key, list);
      list.ids.push(id);
      list.counts.push(count);
    }
  }
  const at = (id: number): IndexedDocument => documents[id] as IndexedDocument;
  return {
    size: documents.length,
    documents: documents.length,
    isLive: () => true,
    totals,
    lengths: (field) => Uint32Array.from(documents, ({ lengths }) => lengths[field]),
    postings(key) {
      const list = lists.get(key);
      return list ? { ids: Uint32Array.from(list.ids), counts: Uint32Array.from(list.counts) } : NO_POSTINGS;
    },
    path: (id) => at(id).path,
    order: (a, b) => compareCodePoints(at(a).path, at(b).path),
    idOf: (path) => numbers.get(path),
    hasStart: (start) => documents.some(({ path }) => path.startsWith(start)),
    imports: (id) => at(id).imports,
  };
}
