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
  /** False: no path starts with this. */
  hasStart(start: string): boolean;
  imports(id: number): string[];
}
