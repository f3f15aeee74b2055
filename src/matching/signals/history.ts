import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import type { Tokenizer } from '../text/terms.ts';
import { inverseFrequency } from './lexical.ts';
import { Tally } from './tally.ts';

export interface Commit {
  subject: string;
  /** Paths as they are called today. */
  files: string[];
}

/** The newest commits first. */
export interface History {
  head: string;
  commits: Commit[];
}

const K1 = 1.2;
const HALF_LIFE_SIMILAR = 500;
/** A change of more files says nothing about any of them. */
export const MOST_FILES = 30;

/** The same for every question: how many terms each subject has; for each term whose subject has it, newest first, and how often. */
interface Past {
  lengths: number[];
  commitsWith: Map<string, { age: number; count: number }[]>;
}

const pasts = new WeakMap<History, Past>();

function pastOf(history: History, tokenizer: Tokenizer): Past {
  const known = pasts.get(history);
  if (known) return known;
  const { lengths, commitsWith }: Past = { lengths: [], commitsWith: new Map() };
  for (const [age, { subject }] of history.commits.entries()) {
    lengths.push(0);
    tokenizer.each(subject, (term) => {
      (lengths[age] as number) += 1;
      const commits = commitsWith.get(term);
      const last = commits?.at(-1);
      if (last?.age === age) last.count += 1;
      else if (commits) commits.push({ age, count: 1 });
      else commitsWith.set(term, [{ age, count: 1 }]);
    });
  }
  pasts.set(history, { lengths, commitsWith });
  return { lengths, commitsWith };
}

// What past changes say: those with like words, and the words once said of a file. Null: nothing of that kind.
export function historySignals(
  view: IndexView,
  query: Query,
  { history, tokenizer }: { history: History; tokenizer: Tokenizer },
): { similar: Tally | null; subjects: Tally | null } {
  const { commits } = history;
  const { lengths, commitsWith } = pastOf(history, tokenizer);
  const filesOf = commits.map(({ files }) =>
    files.length > MOST_FILES ? [] : files.map((file) => view.idOf(file)).filter((id) => id !== undefined),
  );
  const spokenOf = new Map<number, number>();
  let spoken = 0;
  for (const [age, ids] of filesOf.entries())
    for (const id of ids) {
      spokenOf.set(id, (spokenOf.get(id) ?? 0) + (lengths[age] as number));
      spoken += lengths[age] as number;
    }
  const average = spoken / Math.max(1, spokenOf.size) || 1;
  const [similar, subjects] = [new Tally(view.size), new Tally(view.size)];
  const likeness = new Map<number, number>();
  for (const { term, weight } of query.terms) {
    const having = commitsWith.get(term) ?? [];
    const rarity = weight * inverseFrequency(commits.length, having.length);
    const saidOf = new Map<number, number>();
    for (const { age, count } of having) {
      likeness.set(age, (likeness.get(age) ?? 0) + (rarity * count * (K1 + 1)) / (K1 + count));
      for (const id of filesOf[age] as number[]) saidOf.set(id, (saidOf.get(id) ?? 0) + count);
    }
    const idf = inverseFrequency(spokenOf.size, saidOf.size);
    for (const [id, count] of saidOf) {
      const tf = count / (0.25 + (0.75 * (spokenOf.get(id) as number)) / average);
      subjects.set(id, subjects.at(id) + (weight * idf * tf * (K1 + 1)) / (K1 + tf));
    }
  }
  // The newest first: sums of the same numbers in another order are not always the same.
  for (const [age, like] of [...likeness].sort(([a], [b]) => a - b)) {
    const { length } = (commits[age] as Commit).files;
    similar.increase(filesOf[age] as number[], (like * 0.5 ** (age / HALF_LIFE_SIMILAR)) / Math.sqrt(length || 1));
  }
  const orNull = (tally: Tally) => (tally.ids.length === 0 ? null : tally);
  return { similar: orNull(similar), subjects: orNull(subjects) };
}
