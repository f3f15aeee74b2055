import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { type Passage, passagesOf, type ScoredPassage } from './passages.ts';
import { parseQuery, type Query } from './query.ts';
import { inverseFrequency } from './signals/lexical.ts';
import type { Tokenizer } from './text/terms.ts';

const K1 = 1.2;
const B = 0.3;
// A passage of usual length has so many terms.
const USUAL_TERMS = 120;
const TITLE_TIMES = 2;

// A longer part of a file is given in pieces of so many lines.
const GIVEN_LINES = 40;

/** The passages of a text in its order, each with what it shares with the task: comparable between files. */
export type ScorePassages = (path: string, text: string) => ScoredPassage[];

/** What `load` gives of a file and `match` names of it: one choice, the same for the same task. */
export function givenPassages(view: IndexView, task: string, tokenizer: Tokenizer): ScorePassages {
  return passageScores(view, parseQuery(task, tokenizer), { tokenizer, longest: GIVEN_LINES });
}

export function bestFirst(passages: readonly ScoredPassage[]): ScoredPassage[] {
  return passages.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
}

// No passage has more than `longest` lines. Words are weighed by how rare they are in the whole project, so that a passage of one file can be compared with one of another.
export function passageScores(
  view: IndexView,
  query: Query,
  { tokenizer, longest }: { tokenizer: Tokenizer; longest?: number },
): ScorePassages {
  const wanted = new Map(
    query.terms.map(({ term, weight }) => {
      const holders = [FIELD.body, FIELD.path].map((field) => view.postings(field + term).ids.length);
      return [term, weight * inverseFrequency(view.documents, Math.min(view.documents, Math.max(...holders)))];
    }),
  );
  const scoreOf = ({ text, title }: Passage, inPath: ReadonlyMap<string, number>): number => {
    const counts = new Map(inPath);
    let length = 0;
    const add = (term: string, times: number): void => {
      if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + times);
    };
    tokenizer.each(text, (term) => {
      length += 1;
      add(term, 1);
    });
    if (title) tokenizer.each(title, (term) => add(term, TITLE_TIMES));
    let score = 0;
    for (const [term, weight] of wanted) {
      const count = (counts.get(term) ?? 0) / (1 - B + (B * length) / USUAL_TERMS);
      if (count > 0) score += (weight * count * (K1 + 1)) / (K1 + count);
    }
    return score;
  };
  return (path, text) => {
    const inPath = new Map<string, number>();
    tokenizer.each(path, (term) => {
      if (wanted.has(term)) inPath.set(term, (inPath.get(term) ?? 0) + 1);
    });
    return passagesOf(path, text, longest).map((passage) => ({ ...passage, score: scoreOf(passage, inPath) }));
  };
}
