import { besideSignals } from './beside.ts';
import type { History } from './history.ts';
import type { IndexView } from './index-view.ts';
import { byCodePoint, parseQuery } from './query.ts';
import { sequenceGain } from './sequences.ts';
import { directSignals, SIGNALS, type Signal, type Signals } from './signals.ts';
import type { Tokenizer } from './terms.ts';

const LOOKED_AT = 400;
const BESIDE_TOP = 20;

export type Weights = Readonly<Record<Signal, number>>;

// Each signal is divided by its best value for the query; the weights were measured (docs/matching.md).
export const WEIGHTS: Weights = {
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
  const signals = directSignals(view, query, { history, tokenizer });
  for (const values of Object.values(signals)) normalise(values);
  const words = signals.words as Float64Array;
  const gain = sequenceGain(view, query, { words, best: bestOf(view, words, LOOKED_AT) });
  if (gain) signals.sequence = gain;
  const base = weighted(view, signals, weights);
  const best = bestOf(view, base, BESIDE_TOP);
  const beside: Signals = { ...besideSignals(view, base, best) };
  for (const values of Object.values(beside)) normalise(values);
  const all = { ...signals, ...beside };
  const scores = weighted(view, all, weights);
  return bestOf(view, scores, top, only).map((id) => ({
    id,
    path: view.path(id),
    score: scores[id] as number,
    parts: partsOf(all, weights, id),
  }));
}

export function normalise(values: Float64Array): void {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  if (most > 0) for (let i = 0; i < values.length; i += 1) values[i] = (values[i] as number) / most;
}

export function weighted(view: IndexView, signals: Signals, weights: Weights): Float64Array {
  const scores = new Float64Array(view.size);
  for (const name of SIGNALS) {
    const values = signals[name];
    const weight = weights[name];
    if (!values || weight === 0) continue;
    for (let i = 0; i < values.length; i += 1) scores[i] = (scores[i] as number) + weight * (values[i] as number);
  }
  return scores;
}

// The best first; equal scores by path, so that numbers of documents never show.
export function bestOf(view: IndexView, scores: Float64Array, top: number, only?: ReadonlySet<string>): number[] {
  const ids: number[] = [];
  for (let id = 0; id < scores.length; id += 1) {
    if ((scores[id] as number) > 0 && view.isLive(id) && (!only || only.has(view.path(id)))) ids.push(id);
  }
  const paths = new Map<number, string>();
  const pathOf = (id: number): string => {
    const path = paths.get(id) ?? view.path(id);
    paths.set(id, path);
    return path;
  };
  return contenders(ids, scores, top)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || byCodePoint(pathOf(a), pathOf(b)))
    .slice(0, top);
}

// Of very many, only those that reach the last place, with all its equals: the rest need no sorting by path.
function contenders(ids: number[], scores: Float64Array, top: number): number[] {
  if (ids.length <= top) return ids;
  const sorted = Float64Array.from(ids, (id) => scores[id] as number).sort();
  const edge = sorted[sorted.length - top] as number;
  return ids.filter((id) => (scores[id] as number) >= edge);
}

function partsOf(signals: Signals, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.[id] ?? 0);
    if (value !== 0) parts[name] = Math.round(value * 1000) / 1000;
  }
  return parts;
}
