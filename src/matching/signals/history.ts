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

/** Null: the git history says nothing of that kind. */
export interface HistorySignals {
  similar: Tally | null;
  subjects: Tally | null;
}

/** What is the same for every question: read once for each history. */
interface Past {
  /** How many terms each commit's subject has. */
  lengths: number[];
  /** For each term the commits whose subject has it, the newest first, and how often. */
  commitsWith: Map<string, { age: number; count: number }[]>;
}

const pasts = new WeakMap<History, Past>();

function pastOf(history: History, tokenizer: Tokenizer): Past {
  let past = pasts.get(history);
  if (!past) {
    const { lengths, commitsWith }: Past = { lengths: [], commitsWith: new Map() };
    for (const [age, { subject }] of history.commits.entries()) {
      let length = 0;
      tokenizer.each(subject, (term) => {
        length += 1;
        const commits = commitsWith.get(term);
        const last = commits?.at(-1);
        if (last?.age === age) last.count += 1;
        else if (commits) commits.push({ age, count: 1 });
        else commitsWith.set(term, [{ age, count: 1 }]);
      });
      lengths.push(length);
    }
    past = { lengths, commitsWith };
    pasts.set(history, past);
  }
  return past;
}

/** The same for one state of the files. */
interface Touched {
  history: History;
  /** The documents of each commit; none where it changed too many files. */
  ids: number[][];
  /** How many terms were said of each document. */
  spokenOf: Map<number, number>;
}

const touchedIn = new WeakMap<IndexView, Touched>();

function touchedBy(view: IndexView, history: History, { lengths }: Past): Touched {
  const known = touchedIn.get(view);
  if (known?.history === history) return known;
  const touched: Touched = { history, ids: [], spokenOf: new Map() };
  const { spokenOf } = touched;
  for (const [age, { files }] of history.commits.entries()) {
    const ids = files.length > MOST_FILES ? [] : files.map((file) => view.idOf(file)).filter((id) => id !== undefined);
    touched.ids.push(ids);
    for (const id of ids) spokenOf.set(id, (spokenOf.get(id) ?? 0) + (lengths[age] as number));
  }
  touchedIn.set(view, touched);
  return touched;
}

// What past changes say: those with like words, and the words once said of a file.
export function historySignals(
  view: IndexView,
  query: Query,
  { history, tokenizer }: { history: History; tokenizer: Tokenizer },
): HistorySignals {
  const past = pastOf(history, tokenizer);
  const { ids, spokenOf } = touchedBy(view, history, past);
  const filesWith = new Map<string, Map<number, number>>();
  const likeness = new Map<number, number>();
  for (const { term, weight } of query.terms) {
    const commits = past.commitsWith.get(term);
    if (!commits) continue;
    const idf = inverseFrequency(history.commits.length, commits.length);
    const perFile = new Map<number, number>();
    for (const { age, count } of commits) {
      likeness.set(age, (likeness.get(age) ?? 0) + (weight * idf * count * (K1 + 1)) / (K1 + count));
      for (const id of ids[age] as number[]) perFile.set(id, (perFile.get(id) ?? 0) + count);
    }
    if (perFile.size > 0) filesWith.set(term, perFile);
  }
  const similar = similarScores(view, { history, ids, likeness });
  return { similar, subjects: subjectScores(view, query, { filesWith, spokenOf }) };
}

function similarScores(
  view: IndexView,
  { history, ids, likeness }: { history: History; ids: readonly number[][]; likeness: ReadonlyMap<number, number> },
): Tally | null {
  let similar: Tally | null = null;
  // The newest first: sums of the same numbers in another order are not always the same.
  for (const [age, like] of [...likeness].sort(([a], [b]) => a - b)) {
    const share = (like * 0.5 ** (age / HALF_LIFE_SIMILAR)) / Math.sqrt((history.commits[age] as Commit).files.length);
    if (like === 0) continue;
    for (const id of ids[age] as number[]) {
      similar ??= new Tally(view.size);
      similar.set(id, similar.at(id) + share);
    }
  }
  return similar;
}

function subjectScores(
  view: IndexView,
  query: Query,
  { filesWith, spokenOf }: { filesWith: Map<string, Map<number, number>>; spokenOf: Map<number, number> },
): Tally | null {
  if (filesWith.size === 0) return null;
  const scores = new Tally(view.size);
  let spoken = 0;
  for (const length of spokenOf.values()) spoken += length;
  const average = spoken / Math.max(1, spokenOf.size) || 1;
  for (const { term, weight } of query.terms) {
    const perFile = filesWith.get(term);
    if (!perFile) continue;
    const idf = inverseFrequency(spokenOf.size, perFile.size);
    for (const [id, count] of perFile) {
      const tf = count / (0.25 + (0.75 * (spokenOf.get(id) as number)) / average);
      scores.set(id, scores.at(id) + (weight * idf * tf * (K1 + 1)) / (K1 + tf));
    }
  }
  return scores;
}
