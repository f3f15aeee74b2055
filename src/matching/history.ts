import type { IndexView } from './index-view.ts';
import { inverseFrequency } from './lexical.ts';
import type { Query } from './query.ts';
import { Tally } from './tally.ts';
import type { Tokenizer } from './terms.ts';

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
const HALF_LIFE_RECENT = 30;
/** A change of more files says nothing about any of them. */
export const MOST_FILES = 30;

/** Null: the past says nothing of that kind. */
export interface HistorySignals {
  similar: Tally | null;
  subjects: Tally | null;
  recent: Tally | null;
}

// What past changes say: those with like words, the words once said of a file, and what is being worked on.
export function historySignals(
  view: IndexView,
  query: Query,
  { history, tokenizer }: { history: History; tokenizer: Tokenizer },
): HistorySignals {
  let similar: Tally | null = null;
  let recent: Tally | null = null;
  const wanted = new Set(query.terms.map(({ term }) => term));
  const perCommit: Map<string, number>[] = [];
  const commitsWith = new Map<string, number>();
  const filesWith = new Map<string, Map<number, number>>();
  const spokenOf = new Map<number, number>();
  for (const [age, { subject, files }] of history.commits.entries()) {
    const counts = new Map<string, number>();
    let length = 0;
    tokenizer.each(subject, (term) => {
      length += 1;
      if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    });
    perCommit.push(counts);
    for (const term of counts.keys()) commitsWith.set(term, (commitsWith.get(term) ?? 0) + 1);
    if (files.length > MOST_FILES) continue;
    for (const id of files.map((file) => view.idOf(file))) {
      if (id === undefined) continue;
      recent ??= new Tally(view.size);
      recent.set(id, recent.at(id) + 0.5 ** (age / HALF_LIFE_RECENT));
      spokenOf.set(id, (spokenOf.get(id) ?? 0) + length);
      for (const [term, count] of counts) {
        const perFile = filesWith.get(term) ?? new Map<number, number>();
        filesWith.set(term, perFile);
        perFile.set(id, (perFile.get(id) ?? 0) + count);
      }
    }
  }
  for (const [age, { files }] of history.commits.entries()) {
    if (files.length > MOST_FILES) continue;
    let likeness = 0;
    for (const { term, weight } of query.terms) {
      const count = perCommit[age]?.get(term);
      if (count === undefined) continue;
      const idf = inverseFrequency(history.commits.length, commitsWith.get(term) as number);
      likeness += (weight * idf * count * (K1 + 1)) / (K1 + count);
    }
    if (likeness === 0) continue;
    const share = (likeness * 0.5 ** (age / HALF_LIFE_SIMILAR)) / Math.sqrt(files.length);
    for (const file of files) {
      const id = view.idOf(file);
      if (id === undefined) continue;
      similar ??= new Tally(view.size);
      similar.set(id, similar.at(id) + share);
    }
  }
  return { similar, recent, subjects: subjectScores(view, query, { filesWith, spokenOf }) };
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
