import type { Candidates } from './candidates.ts';
import { FIELD } from './fields.ts';
import { type History, historySignals } from './history.ts';
import type { IndexView } from './index-view.ts';
import { bm25, DEFINES, NAME, WHOLE } from './lexical.ts';
import { namedSignals } from './named.ts';
import type { Kind } from './paths.ts';
import type { Query } from './query.ts';
import type { Tokenizer } from './terms.ts';

export const SIGNALS = [
  'words',
  'scope',
  'folder',
  'name',
  'defines',
  'identifier',
  'phrase',
  'path',
  'similar',
  'subjects',
  'recent',
  'source',
  'neighbour',
  'sequence',
  'record',
  'prose',
  'data',
] as const;
export type Signal = (typeof SIGNALS)[number];
export type Signals = Partial<Record<Signal, Float64Array | Uint8Array>>;

// What the files themselves, their names and the past say; what stands beside the best comes after (see rank).
export function directSignals(
  view: IndexView,
  query: Query,
  { history, tokenizer, candidates }: { history: History | null; tokenizer: Tokenizer; candidates: Candidates },
): Signals {
  const signals: Signals = {
    words: bm25(view, query.terms, { parts: WHOLE, candidates }),
    name: bm25(view, query.terms, { parts: NAME, candidates }),
    defines: bm25(view, query.terms, { parts: DEFINES, candidates }),
    ...namedSignals(view, query, candidates),
    ...(history ? historySignals(view, query, { history, tokenizer, candidates }) : {}),
  };
  signals.record = ofKind(view, 'record');
  // A task that speaks of documents wants documents.
  if (!query.aboutProse) signals.prose = ofKind(view, 'prose');
  signals.data = ofKind(view, 'data');
  return signals;
}

function ofKind(view: IndexView, kind: Kind): Uint8Array {
  const marks = new Uint8Array(view.size);
  const { ids } = view.postings(FIELD.kind + kind);
  // Where all files are of a kind, it tells nothing.
  if (ids.length < view.documents) for (const id of ids) marks[id] = 1;
  return marks;
}
