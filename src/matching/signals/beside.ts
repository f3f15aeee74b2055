import { FIELD } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { ASKS, TURN } from '../text/document.ts';
import { baseName, foldersOf, isTest, LAST_NUMBER, NOT_CODE, sequenceOf, subjectOf } from '../text/paths.ts';
import { Tally } from './tally.ts';

// The source of each test among the best hits.
export function sourceSignal(view: IndexView, best: readonly { id: number; strength: number }[]): Tally {
  const source = new Tally(view.size);
  for (const { id, strength } of best) {
    const path = view.path(id);
    if (!isTest(path)) continue;
    for (const other of view.postings(FIELD.subject + subjectOf(path)).ids) {
      const otherPath = view.path(other);
      if (!isTest(otherPath)) source.raise([other], strength * closeness(path, otherPath));
    }
  }
  return source;
}

// Folders that both paths share count for a pair; the same extension too.
function closeness(a: string, b: string): number {
  const [left, right] = [new Set(foldersOf(a)), foldersOf(b)];
  const shared = right.filter((folder) => left.has(folder)).length;
  const all = new Set([...left, ...right]).size;
  const ending = (path: string) => baseName(path).split('.').at(-1);
  return (0.5 + (0.5 * shared) / Math.max(1, all)) * (ending(a) === ending(b) ? 1 : 0.7);
}

const FEWEST = 6;
// A short turn is understood by what is beside it; one of more terms than this says enough by itself.
const SELF_CONTAINED = 120;

interface SequenceWeights {
  before: readonly number[];
  after: readonly number[];
  named: number;
  group: number;
  /** How much more the one before counts where it asks, and where it does not. */
  asked: number;
  unasked: number;
  /** A neighbour of more terms than this says something of everything. */
  longest: number;
}

const NOTES: SequenceWeights = {
  ...{ before: [0.5, 0.3], after: [0.3, 0.2], named: 2, group: 0.5 },
  ...{ asked: 1, unasked: 1, longest: Number.POSITIVE_INFINITY },
};
const TALK: SequenceWeights = { ...NOTES, asked: 1.4, unasked: 0.7, longest: 500 };

// What follows a question often answers it: each member also counts by its neighbours, its speaker and its company.
export function sequenceGain(
  view: IndexView,
  query: Query,
  { words, inTalk, best }: { words: Tally; inTalk: boolean; best: () => readonly number[] },
): Tally | null {
  // Numbered files of these kinds follow each other; those of code do not.
  if (NOT_CODE.every((kind) => view.postings(FIELD.kind + kind).ids.length === 0)) return null;
  const sequences = new Set<string>();
  for (const id of best()) {
    const name = sequenceOf(view.path(id));
    if (name !== null) sequences.add(name);
  }
  const weights = inTalk ? TALK : NOTES;
  const asking = new Set(inTalk ? view.postings(FIELD.kind + ASKS).ids : []);
  const scores = new Map<number, number>();
  const lengths = view.lengths('body');
  const named = new Set(query.names.flatMap((name) => [...view.postings(FIELD.speaker + name).ids]));
  const lessOver = (terms: number, of: number): number => 1 / (1 + ((lengths[of] as number) / terms) ** 2);
  for (const name of sequences) {
    const members = membersOf(view, name);
    if (members.length < FEWEST) continue;
    const company = meanOfBest(members.map((id) => words.at(id)));
    for (const [i, id] of members.entries()) {
      const at = (place: number): number => {
        const other = members[place];
        if (other === undefined) return 0;
        const follows = place === i - 1 ? (asking.has(other) ? weights.asked : weights.unasked) : 1;
        return words.at(other) * lessOver(weights.longest, other) * follows;
      };
      let score = words.at(id);
      const lean = lessOver(SELF_CONTAINED, id);
      for (const [n, weight] of weights.before.entries()) score += lean * weight * at(i - n - 1);
      for (const [n, weight] of weights.after.entries()) score += lean * weight * at(i + n + 1);
      if (named.has(id)) score *= weights.named;
      scores.set(id, score + weights.group * company);
    }
  }
  // Turns whose names say nothing of their order are still told apart by who speaks.
  const turns = view.postings(FIELD.kind + TURN).ids;
  if (named.size > 0 && turns.length >= FEWEST)
    for (const id of turns) if (!scores.has(id)) scores.set(id, words.at(id) * (named.has(id) ? weights.named : 1));
  return scores.size === 0 ? null : gainOver(view, words, scores);
}

function membersOf(view: IndexView, name: string): number[] {
  const numberOf = (path: string): number => Number(LAST_NUMBER.exec(baseName(path))?.[0] ?? 0);
  return Array.from(view.postings(FIELD.sequence + name).ids, (id) => ({ id, number: numberOf(view.path(id)) }))
    .sort((a, b) => a.number - b.number || view.order(a.id, b.id))
    .map(({ id }) => id);
}

function meanOfBest(values: readonly number[]): number {
  const best = [...values].sort((a, b) => b - a).slice(0, 3);
  return best.reduce((sum, value) => sum + value, 0) / best.length;
}

// Members are put in a new order among themselves; against all other files they rank as high as before.
function gainOver(view: IndexView, words: Tally, scores: ReadonlyMap<number, number>): Tally {
  let most = 0;
  let mostBefore = 0;
  for (const [id, score] of scores) {
    most = Math.max(most, score);
    mostBefore = Math.max(mostBefore, words.at(id));
  }
  const gain = new Tally(view.size);
  for (const [id, score] of scores) gain.set(id, (score / most) * mostBefore - words.at(id));
  return gain;
}
