import { besideSignals } from './beside.ts';
import { Candidates } from './candidates.ts';
import type { History } from './history.ts';
import type { IndexView } from './index-view.ts';
import { leaders, level, weighted } from './machine.ts';
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
  const best = (scores: Float64Array, top: number) => bestOf(view, scores, { ids: candidates.ids, top });
  for (const values of Object.values(signals)) level(values, candidates.ids);
  const words = signals.words ?? new Float64Array(view.size);
  const gain = sequenceGain(view, query, { words, best: best(words, LOOKED_AT), candidates });
  if (gain) signals.sequence = gain;
  const weigh = (some: Signals) => weighted(inOrder(some, weights), candidates.ids, view.size);
  const base = weigh(signals);
  const beside = besideSignals(view, base, { best: best(base, BESIDE_TOP), candidates });
  for (const values of Object.values(beside)) level(values, candidates.ids);
  const all = { ...signals, ...beside };
  const scores = weigh(all);
  const { ids } = candidates;
  const able = only ? ids.filter((id) => only.has(view.path(id))) : ids;
  return bestOf(view, scores, { ids: able, top }).map((id) => ({
    id,
    path: view.path(id),
    score: scores[id] as number,
    parts: partsOf(all, weights, id),
  }));
}

// Always in the same order: sums of the same numbers in another order are not always the same.
function inOrder(signals: Signals, weights: Weights): [Float64Array, number][] {
  return SIGNALS.flatMap((name): [Float64Array, number][] => {
    const values = signals[name];
    return values && weights[name] !== 0 ? [[values, weights[name]]] : [];
  });
}

// The best first; equal scores by path, so that numbers of documents never show.
function bestOf(view: IndexView, scores: Float64Array, { ids, top }: { ids: Uint32Array; top: number }): number[] {
  return [...leaders(scores, ids, top)]
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || view.order(a, b))
    .slice(0, top);
}

function partsOf(signals: Signals, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.[id] ?? 0);
    if (value !== 0) parts[name] = Math.round(value * 1000) / 1000;
  }
  return parts;
}
