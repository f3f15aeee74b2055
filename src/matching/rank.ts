import { besideSignals } from './beside.ts';
import { Candidates } from './candidates.ts';
import type { History } from './history.ts';
import type { IndexView } from './index-view.ts';
import { leaders } from './leaders.ts';
import { Cells, machine } from './machine.ts';
import { parseQuery } from './query.ts';
import { sequenceGain } from './sequences.ts';
import { directSignals, kindSignals, SIGNALS, type Signal } from './signals.ts';
import type { Tally } from './tally.ts';
import type { Tokenizer } from './terms.ts';

const LOOKED_AT = 400;
const BESIDE_TOP = 20;

/** What a signal says of a document. */
interface Spoken {
  at(id: number): number;
}

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
  return machine().within(() => ranked(view, text, options));
}

function ranked(view: IndexView, text: string, options: RankOptions): Ranked[] {
  const { tokenizer, history = null, top = 10, weights = WEIGHTS, only } = options;
  const query = parseQuery(text, tokenizer);
  const signals = directSignals(view, query, { history, tokenizer });
  for (const tally of Object.values(signals)) tally.level();
  const { words } = signals;
  const gain = words && sequenceGain(view, query, { words, best: () => wordiest(view, words) });
  if (gain) signals.sequence = gain;
  const candidates = new Candidates(view.size);
  for (const tally of Object.values(signals)) candidates.add(tally);
  if (candidates.count === 0) return [];
  const scores = new Cells(Float64Array, view.size);
  scores.all.fill(0);
  const kinds = kindSignals(view, query);
  // What a signal does not speak of it leaves as it is; the kinds, which come last, speak of more than the candidates.
  for (const [tally, weight] of inOrder(signals, weights)) weigh(scores, [[tally, weight]], tally);
  weigh(scores, inOrder(kinds, weights), candidates);
  const best = leaders(view, scores, { ...candidates, top: BESIDE_TOP });
  const beside = besideSignals(
    view,
    best.map((id) => ({ id, strength: scores.all[id] as number })),
  );
  const all = { ...signals, ...kinds, ...beside };
  for (const tally of Object.values(beside)) {
    tally.level();
    candidates.addFew(tally.ids);
  }
  // Only what stands beside another has a new sum.
  const weighed = inOrder<Spoken>(all, weights);
  for (const id of Object.values(beside).flatMap(({ ids }) => ids))
    scores.all[id] = weighed.reduce((sum, [tally, weight]) => sum + weight * tally.at(id), 0);
  if (only) for (const id of candidates.ids) if (!only.has(view.path(id))) scores.all[id] = 0;
  return leaders(view, scores, { ...candidates, top })
    .map((id) => ({ id, path: view.path(id), score: scores.all[id] as number, parts: partsOf(all, weights, id) }))
    .sort((a, b) => b.score - a.score || view.order(a.id, b.id));
}

function wordiest(view: IndexView, { values, list, count }: Tally): number[] {
  return leaders(view, values, { list, count, top: LOOKED_AT });
}

// Always in the same order: sums of the same numbers in another order are not always the same.
function inOrder<T extends Spoken>(signals: Partial<Record<Signal, T>>, weights: Weights): [T, number][] {
  return SIGNALS.flatMap((name): [T, number][] => {
    const tally = signals[name];
    return tally && weights[name] !== 0 ? [[tally, weights[name]]] : [];
  });
}

// Adds to the score of each of these documents its values, each with its weight.
function weigh(scores: Cells<Float64Array>, signals: [Tally, number][], { list, count }: Candidates | Tally): void {
  for (const [{ values }, weight] of signals)
    machine().code.weigh(list.place, count, values.place, scores.place, weight);
}

function partsOf(signals: Partial<Record<Signal, Spoken>>, weights: Weights, id: number): Ranked['parts'] {
  const parts: Ranked['parts'] = {};
  for (const name of SIGNALS) {
    const value = weights[name] * (signals[name]?.at(id) ?? 0);
    if (value !== 0) parts[name] = Math.round(value * 1000) / 1000;
  }
  return parts;
}
