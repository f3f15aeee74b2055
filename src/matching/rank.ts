import { besideSignals } from './beside.ts';
import { Candidates } from './candidates.ts';
import type { History } from './history.ts';
import type { IndexView } from './index-view.ts';
import { parseQuery } from './query.ts';
import { sequenceGain } from './sequences.ts';
import { directSignals, SIGNALS, type Signal, type Signals } from './signals.ts';
import type { Tokenizer } from './terms.ts';

const LOOKED_AT = 400;
const BESIDE_TOP = 20;

type Weights = Readonly<Record<Signal, number>>;

// Each signal is divided by its best value for the query; the weights were measured (docs/matching.md).
const WEIGHTS: Weights = {
  words: 1,
  scope: 0.6,
  folder: 0.2,
  name: 0.35,
  defines: 0.2,
  identifier: 0.2,
  phrase: 0.3,
  path: 0.25,
  similar: 0.5,
  subjects: 0.25,
  recent: 0.25,
  source: 0.2,
  neighbour: 0.15,
  sequence: 1,
  record: -0.5,
  prose: -0.2,
  data: -0.1,
};

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
  /** Only these paths compete. */
  only?: ReadonlySet<string>;
}

export function rank(view: IndexView, text: string, options: RankOptions): Ranked[] {
  const { tokenizer, history = null, top = 10, weights = WEIGHTS, only } = options;
  const query = parseQuery(text, tokenizer);
  const candidates = new Candidates(view.size);
  const signals = directSignals(view, query, { history, tokenizer, candidates });
  const { ids } = candidates;
  for (const values of Object.values(signals)) normalise(values, ids);
  const words = (signals.words as Float64Array | undefined) ?? new Float64Array(view.size);
  const gain = sequenceGain(view, query, { words, best: bestOf(view, words, { ids, top: LOOKED_AT }), candidates });
  if (gain) signals.sequence = gain;
  const base = weighted(signals, weights, ids, view.size);
  const beside: Signals = {
    ...besideSignals(view, base, { best: bestOf(view, base, { ids, top: BESIDE_TOP }), candidates }),
  };
  for (const values of Object.values(beside)) normalise(values, ids);
  const all = { ...signals, ...beside };
  const scores = weighted(all, weights, ids, view.size);
  return bestOf(view, scores, { ids, top, only }).map((id) => ({
    id,
    path: view.path(id),
    score: scores[id] as number,
    parts: partsOf(all, weights, id),
  }));
}

function normalise(values: Float64Array | Uint8Array, ids: readonly number[]): void {
  let most = 0;
  for (const id of ids) if ((values[id] as number) > most) most = values[id] as number;
  if (most > 0) for (const id of ids) values[id] = (values[id] as number) / most;
}

function weighted(signals: Signals, weights: Weights, ids: readonly number[], size: number): Float64Array {
  const scores = new Float64Array(size);
  for (const name of SIGNALS) {
    const values = signals[name];
    const weight = weights[name];
    if (values && weight !== 0) {
      for (const id of ids) scores[id] = (scores[id] as number) + weight * (values[id] as number);
    }
  }
  return scores;
}

// The best first; equal scores by path, so that numbers of documents never show.
function bestOf(
  view: IndexView,
  scores: Float64Array,
  { ids, top, only }: { ids: readonly number[]; top: number; only?: ReadonlySet<string> | undefined },
): number[] {
  const able = ids.filter((id) => (scores[id] as number) > 0 && (!only || only.has(view.path(id))));
  return contenders(able, scores, top)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || view.order(a, b))
    .slice(0, top);
}

// Of very many, only those that reach the last place, with all its equals: the rest need no sorting by path.
function contenders(ids: number[], scores: Float64Array, top: number): number[] {
  if (ids.length <= top) return ids;
  const edge = lastPlace(ids, scores, top);
  return ids.filter((id) => (scores[id] as number) >= edge);
}

// The score of the last place: the root of a heap that holds the best so far.
function lastPlace(ids: readonly number[], scores: Float64Array, top: number): number {
  const heap = new Float64Array(top).fill(Number.NEGATIVE_INFINITY);
  for (const id of ids) {
    const score = scores[id] as number;
    if (score <= (heap[0] as number)) continue;
    let at = 0;
    for (let child = 1; child < top; child = 2 * at + 1) {
      if (child + 1 < top && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= score) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = score;
  }
  return heap[0] as number;
}

function partsOf(signals: Signals, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.[id] ?? 0);
    if (value !== 0) parts[name] = Math.round(value * 1000) / 1000;
  }
  return parts;
}
