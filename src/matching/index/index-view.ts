import type { Lengths } from './fields.ts';

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
}

/** The same index without some files: their words make no other word rarer or more common. */
export function viewWithout(view: IndexView, paths: readonly string[]): IndexView {
  const left = new Set(paths.flatMap((path) => view.idOf(path) ?? []));
  if (left.size === 0) return view;
  const lengthOf = (field: keyof Lengths): number =>
    [...left].reduce((sum, id) => sum + (view.lengths(field)[id] as number), 0);
  const { body, path, base } = view.totals;
  return {
    ...view,
    totals: { body: body - lengthOf('body'), path: path - lengthOf('path'), base: base - lengthOf('base') },
    documents: view.documents - left.size,
    isLive: (id) => view.isLive(id) && !left.has(id),
    postings(key) {
      const { ids, counts } = view.postings(key);
      const isIn = (id: number): boolean => !left.has(id);
      return ids.every(isIn)
        ? { ids, counts }
        : { ids: ids.filter(isIn), counts: counts.filter((_, at) => isIn(ids[at] as number)) };
    },
    idOf(path) {
      const id = view.idOf(path);
      return id !== undefined && left.has(id) ? undefined : id;
    },
  };
}
