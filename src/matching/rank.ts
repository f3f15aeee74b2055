import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { parseInput, type Query, type QueryInput } from './query.ts';
import { passageScores } from './score-passages.ts';
import { sequenceGain, sourceSignal } from './signals/beside.ts';
import type { History } from './signals/history.ts';
import { directSignals, KINDS, kindSignals, SIGNALS, type Signal, type Signals } from './signals/signals.ts';
import { Tally } from './signals/tally.ts';
import { askedOf, isTalk } from './talk.ts';
import { CHANGE_TERMS } from './text/stop-words.ts';
import type { Tokenizer } from './text/terms.ts';

const LOOKED_AT = 400;
// Said of nearly every change, but they name a thing: a folder, a kind of file.
const NAMED_KINDS: ReadonlySet<string> = new Set(['doc', 'test']);
const BESIDE_TOP = 20;
// So many files are read for their best passage.
const PASSAGE_TOP = 15;

type Weights = Readonly<Record<Signal, number>>;

// The weights were measured (docs/matching.md). The kinds take their share of what the others say, so that none of them
// takes a file out.
const WEIGHTS: Weights = {
  words: 1,
  scope: 0.6,
  name: 0.4,
  identifier: 0.4,
  path: 0.3,
  similar: 0.5,
  subjects: 0.2,
  source: 0.2,
  sequence: 1,
  passage: 0.8,
  record: -0.7,
  test: -0.4,
  prose: -0.4,
  data: -0.3,
};

// A description has words that any past change may share.
const OF_DESCRIPTION: Weights = { ...WEIGHTS, similar: 0.2 };

// What the text calls by name is as sure as it is: only sums over words are divided by the best of them.
const LEVELLED: readonly Signal[] = ['words', 'name', 'similar', 'subjects'];

export interface Ranked {
  id: number;
  path: string;
  score: number;
  parts: Partial<Record<Signal, number>>;
}

export interface RankOptions {
  tokenizer: Tokenizer;
  history?: History | null;
  top?: number;
  weights?: Weights;
  /** The text of a file, where its best passage may count. */
  read?(path: string): string | null;
  /** Only these paths compete. */
  only?: ReadonlySet<string>;
}

export function rank(view: IndexView, input: string | QueryInput, options: RankOptions): Ranked[] {
  const { tokenizer, history = null, top = 10, only, read } = options;
  const parsed = parseInput(typeof input === 'string' ? { taskText: input } : input, tokenizer);
  const query = meantBy(view, askedOf(view, parsed));
  const { weights = query.isDescribed ? OF_DESCRIPTION : WEIGHTS } = options;
  const signals = directSignals(view, query, { history, tokenizer });
  for (const name of LEVELLED) signals[name]?.level();
  const { words } = signals;
  const gain =
    words &&
    sequenceGain(view, query, {
      words,
      inTalk: isTalk(view),
      best: () => leaders(view, words.values, words.ids, LOOKED_AT),
    });
  if (gain) signals.sequence = gain;
  const candidates = idsOf(Object.values(signals));
  const kinds = kindSignals(view, query);
  const scores = new Float64Array(view.size);
  weigh(scores, { ...signals, ...kinds }, weights, candidates);
  const best = leaders(view, scores, candidates, BESIDE_TOP);
  const source = sourceSignal(
    view,
    best.map((id) => ({ id, strength: scores[id] as number })),
  );
  source.level();
  const all: Signals = { ...signals, ...kinds, source };
  // Only the source of a test has a new sum.
  weigh(scores, all, weights, source.ids);
  const competing = [...new Set([...candidates, ...source.ids])].filter((id) => !only || only.has(view.path(id)));
  // A description is about one place: a file that says all of it in one passage is meant more than one that says it all over.
  if (read && query.isDescribed) {
    const first = leaders(view, scores, competing, PASSAGE_TOP);
    all.passage = passageSignal(view, query, { tokenizer, read, ids: first });
    weigh(scores, all, weights, first);
  }
  return leaders(view, scores, competing, top).map((id) => ({
    id,
    path: view.path(id),
    score: scores[id] as number,
    parts: partsOf(all, weights, id),
  }));
}

function idsOf(tallies: readonly Tally[]): Set<number> {
  const ids = new Set<number>();
  for (const tally of tallies) for (const id of tally.ids) ids.add(id);
  return ids;
}

// The score of each of these documents: the sum of what the signals say, each with its weight, less what its kind takes.
// Always in the same order: sums of the same numbers in another order are not always the same.
function weigh(scores: Float64Array, signals: Signals, weights: Weights, ids: Iterable<number>): void {
  const weighed = SIGNALS.flatMap((name): [Tally, number][] => {
    const tally = signals[name];
    return tally && weights[name] !== 0 && !isKind(name) ? [[tally, weights[name]]] : [];
  });
  const kinds = KINDS.flatMap((name): [Tally, number][] => {
    const tally = signals[name];
    return tally ? [[tally, weights[name]]] : [];
  });
  for (const id of ids) {
    let score = 0;
    for (const [tally, weight] of weighed) score += weight * tally.at(id);
    let left = 1;
    for (const [tally, weight] of kinds) left += weight * tally.at(id);
    scores[id] = score * left;
  }
}

function partsOf(signals: Signals, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  let sum = 0;
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.at(id) ?? 0);
    if (value === 0) continue;
    if (!isKind(name)) sum += value;
    parts[name] = rounded(isKind(name) ? value * sum : value);
  }
  return parts;
}

function isKind(name: Signal): boolean {
  return KINDS.includes(name);
}

// Where no file holds a word of what is to be done, how it is to be done (add, fix) finds nothing either.
function meantBy(view: IndexView, query: Query): Query {
  const own = query.terms.filter(({ term }) => !CHANGE_TERMS.has(term) || NAMED_KINDS.has(term));
  const isFound = own.some(({ term }) =>
    [FIELD.body, FIELD.path].some((field) => view.postings(field + term).ids.length > 0),
  );
  return isFound || own.length === 0 ? query : { ...query, terms: own };
}

/** The documents with the `top` best scores above zero, the best first; of equal ones the one whose path comes first. */
export function leaders(view: IndexView, scores: Float64Array, ids: Iterable<number>, top: number): number[] {
  const scoreOf = (id: number): number => scores[id] as number;
  let best = [...ids].filter((id) => scoreOf(id) > 0);
  if (best.length > top) {
    // Numbers alone are sorted many times as fast as documents.
    const least = Float64Array.from(best, scoreOf).sort()[best.length - top] as number;
    best = best.filter((id) => scoreOf(id) >= least);
  }
  return best.sort((a, b) => scoreOf(b) - scoreOf(a) || view.order(a, b)).slice(0, top);
}

// As far as passages of a bundle reach.
const MOST_CHARS = 200_000;

// How much of the text the best passage of each file says, beside the best of them all.
function passageSignal(
  view: IndexView,
  query: Query,
  { tokenizer, read, ids }: { tokenizer: Tokenizer; read(path: string): string | null; ids: readonly number[] },
): Tally {
  const scoresOf = passageScores(view, query, { tokenizer });
  const best = new Tally(view.size);
  for (const id of ids) {
    const path = view.path(id);
    for (const { score } of scoresOf(path, (read(path) ?? '').slice(0, MOST_CHARS))) best.raise([id], score);
  }
  best.level();
  return best;
}
