import { FIELD } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { TEST } from '../text/document.ts';
import type { Tokenizer } from '../text/terms.ts';
import { type History, historySignals } from './history.ts';
import { bm25, NAME, WHOLE } from './lexical.ts';
import { namedSignals } from './named.ts';
import { Tally } from './tally.ts';

export const SIGNALS = [
  'words',
  'scope',
  'name',
  'identifier',
  'path',
  'similar',
  'subjects',
  'source',
  'sequence',
  'passage',
  'test',
  'record',
  'prose',
  'data',
] as const;
export type Signal = (typeof SIGNALS)[number];
/** The last of them: what a file is, whatever the task says. */
export const KINDS: readonly Signal[] = ['test', 'record', 'prose', 'data'];
// A commit changes its tests too.
const TEST_OF_TITLE = 0.25;
export type Signals = Partial<Record<Signal, Tally>>;

// What the files themselves, their names and the git history say; what is beside the best comes after (see rank).
export function directSignals(
  view: IndexView,
  query: Query,
  { history, tokenizer }: { history: History | null; tokenizer: Tokenizer },
): Signals {
  const [words, name] = [WHOLE, NAME].map((parts) => bm25(view, query.terms, parts));
  const named = namedSignals(view, query);
  const past = history ? historySignals(view, query, { history, tokenizer }) : {};
  return filled({ words, name, ...named, ...past });
}

// The kind of a file only weighs what something else speaks for.
export function kindSignals(view: IndexView, query: Query): Signals {
  const [record, prose, data] = (['record', 'prose', 'data'] as const).map((kind) => ofKind(view, kind));
  // A task that speaks of documents wants documents, one that speaks of tests wants tests.
  return filled({
    record,
    prose: query.aboutProse ? null : prose,
    data: query.aboutData ? null : data,
    // Who describes an issue asks for the source: its tests are written after.
    test: query.aboutTests ? null : ofKind(view, TEST, query.isDescribed ? 1 : TEST_OF_TITLE),
  });
}

// Without those that no file has: weighing nothing a hundred thousand times takes its time.
function filled(signals: { [name in Signal]?: Signals[name] | null }): Signals {
  return Object.fromEntries(Object.entries(signals).filter(([, values]) => values)) as Signals;
}

function ofKind(view: IndexView, kind: string, share = 1): Tally | null {
  const { ids } = view.postings(FIELD.kind + kind);
  // Where all files are of a kind, it tells nothing.
  if (ids.length === 0 || ids.length === view.documents) return null;
  const marks = new Tally(view.size);
  marks.raise(ids, share);
  return marks;
}
