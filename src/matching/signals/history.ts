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

/** What is the same for every question: for each term the commits whose subject has it, the newest first, and how often. */
type Subjects = Map<string, { age: number; count: number }[]>;

const subjects = new WeakMap<History, Subjects>();

function subjectsOf(history: History, tokenizer: Tokenizer): Subjects {
  const commitsWith: Subjects = subjects.get(history) ?? new Map();
  if (subjects.has(history)) return commitsWith;
  subjects.set(history, commitsWith);
  for (const [age, { subject }] of history.commits.entries())
    tokenizer.each(subject, (term) => {
      const commits = commitsWith.get(term);
      const last = commits?.at(-1);
      if (last?.age === age) last.count += 1;
      else if (commits) commits.push({ age, count: 1 });
      else commitsWith.set(term, [{ age, count: 1 }]);
    });
  return commitsWith;
}

// What was touched by past changes with like words; null where there is none.
export function similarCommits(
  view: IndexView,
  query: Query,
  { history, tokenizer }: { history: History; tokenizer: Tokenizer },
): Tally | null {
  const { commits } = history;
  const likeness = new Map<number, number>();
  for (const { term, weight } of query.terms) {
    const having = subjectsOf(history, tokenizer).get(term) ?? [];
    const idf = inverseFrequency(commits.length, having.length);
    for (const { age, count } of having)
      likeness.set(age, (likeness.get(age) ?? 0) + (weight * idf * count * (K1 + 1)) / (K1 + count));
  }
  const similar = new Tally(view.size);
  // The newest first: sums of the same numbers in another order are not always the same.
  for (const [age, like] of [...likeness].sort(([a], [b]) => a - b)) {
    const { files } = commits[age] as Commit;
    if (like === 0 || files.length > MOST_FILES) continue;
    const ids = files.map((file) => view.idOf(file)).filter((id) => id !== undefined);
    similar.increase(ids, (like * 0.5 ** (age / HALF_LIFE_SIMILAR)) / Math.sqrt(files.length));
  }
  return similar.ids.length === 0 ? null : similar;
}
