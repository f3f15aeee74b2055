import { compareCodePoints } from '../../src/code-points.ts';
import { FIELD, LENGTHS, type Lengths } from '../../src/matching/index/fields.ts';
import type { IndexView, Postings } from '../../src/matching/index/index-view.ts';
import { countDocument } from '../../src/matching/text/document.ts';
import type { Tokenizer } from '../../src/matching/text/terms.ts';

/** What an index keeps of a file: counts of keys. */
interface IndexedDocument {
  path: string;
  keys: Map<string, number>;
  lengths: Lengths;
}

/** The plain reading of a file, word by word. */
export function indexDocument(path: string, text: string, tokenizer: Tokenizer): IndexedDocument {
  const keys = new Map<string, number>();
  const count = (key: string): void => void keys.set(key, (keys.get(key) ?? 0) + 1);
  const terms = tokenizer.list(text);
  for (const term of terms) count(FIELD.body + term);
  return { path, keys, lengths: { body: terms.length, ...countDocument(path, text, tokenizer, count) } };
}

const NO_POSTINGS: Postings = { ids: new Uint32Array(0), counts: new Uint32Array(0) };

// The whole index in memory: the reference that every stored index must equal.
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
  };
}
