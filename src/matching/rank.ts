import type { IndexView } from './index/index-view.ts';
import { parseInput, type QueryInput } from './query.ts';
import { besideSignals } from './signals/beside.ts';
import type { History } from './signals/history.ts';
import { leaders } from './signals/leaders.ts';
import { sequenceGain } from './signals/sequences.ts';
import { directSignals, kindSignals, SIGNALS, type Signal, type Signals } from './signals/signals.ts';
import type { Tally } from './signals/tally.ts';
import type { Tokenizer } from './text/terms.ts';

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

export function rank(view: IndexView, input: string | QueryInput, options: RankOptions): Ranked[] {
  const { tokenizer, history = null, top = 10, weights = WEIGHTS, only } = options;
  const query = parseInput(typeof input === 'string' ? { taskText: input } : input, tokenizer);
  const signals = directSignals(view, query, { history, tokenizer });
  for (const tally of Object.values(signals)) tally.level();
  const { words } = signals;
  const gain =
    words && sequenceGain(view, query, { words, best: () => leaders(view, words.values, words.ids, LOOKED_AT) });
  if (gain) signals.sequence = gain;
  const candidates = idsOf(Object.values(signals));
  const kinds = kindSignals(view, query);
  const scores = new Float64Array(view.size);
  weigh(scores, { ...signals, ...kinds }, weights, candidates);
  const best = leaders(view, scores, candidates, BESIDE_TOP);
  const beside = besideSignals(
    view,
    best.map((id) => ({ id, strength: scores[id] as number })),
  );
  for (const tally of Object.values(beside)) tally.level();
  const all = { ...signals, ...kinds, ...beside };
  // Only what stands beside another has a new sum.
  const lifted = idsOf(Object.values(beside));
  weigh(scores, all, weights, lifted);
  const competing = [...new Set([...candidates, ...lifted])].filter((id) => !only || only.has(view.path(id)));
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

// The score of each of these documents: the sum of what the signals say, each with its weight. Always in the same order:
// sums of the same numbers in another order are not always the same.
function weigh(scores: Float64Array, signals: Signals, weights: Weights, ids: Iterable<number>): void {
  const weighed = SIGNALS.flatMap((name): [Tally, number][] => {
    const tally = signals[name];
    return tally && weights[name] !== 0 ? [[tally, weights[name]]] : [];
  });
  for (const id of ids) {
    let score = 0;
    for (const [tally, weight] of weighed) score += weight * tally.at(id);
    scores[id] = score;
  }
}

function partsOf(signals: Signals, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.at(id) ?? 0);
    if (value !== 0) parts[name] = Math.round(value * 1000) / 1000;
  }
  return parts;
}
