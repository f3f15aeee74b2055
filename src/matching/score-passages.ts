import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { type Passage, passagesOf, type ScoredPassage } from './passages.ts';
import type { Query } from './query.ts';
import { inverseFrequency } from './signals/lexical.ts';
import { framedFiles } from './signals/named.ts';
import { kindOf } from './text/paths.ts';
import { type Tokenizer, wholeName } from './text/terms.ts';

const K1 = 1.2;
const B = 0.3;
// A passage of usual length has so many terms.
const USUAL_TERMS = 120;
const TITLE_TIMES = 2;
// A definition is given whole; one that is longer than this in pieces.
const GIVEN_LINES = 150;
// What a passage is called says more than what is in it. Its words count beside the best passage of its file.
const [TITLE_WEIGHT, WORDS_POWER, LEAST_WORDS] = [2, 0.7, 0.05];
// As powers of e, measured (docs/decisions): the share of the text's words that it holds, its name is in the text as code,
// the class around it is named, a stack frame points into it, it holds a message that the text quotes, it is made of imports.
const COVERED = 5;
const [NAMED, NAMED_WEIGHT, INSIDE_NAMED, FRAME, MESSAGE, IMPORTS] = [0.18, 0.6, 0.18, 0.6, 0.3, -0.3];
const IMPORT_LINE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|#\s*include\b|using\s|require\b|package\s|(?:const|let|var)\s[^=]*=\s*require\()/;

/** The passages of a text in its order, each with what it shares with the task: comparable between files. */
export type ScorePassages = (path: string, text: string) => ScoredPassage[];

export function bestFirst(passages: readonly ScoredPassage[]): ScoredPassage[] {
  return passages.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
}

/** What `load` gives of a file and `match` names of it: one choice, the same for the same task. */
export function givenPassages(view: IndexView, query: Query, tokenizer: Tokenizer): ScorePassages {
  const named = new Map(query.identifiers.map(({ name, weight }) => [name, weight]));
  const called = new Set([...query.names, ...named.keys()]);
  const framed = framedFiles(view, query);
  const scored = passageScores(view, query, { tokenizer, longest: GIVEN_LINES });
  return (path, text) => {
    const isFramed = framed.has(view.idOf(path) ?? -1);
    const inFile = query.frames.filter((frame) => isSameFile(frame.path, path));
    const passages = scored(path, text);
    const best = passages.reduce((most, { score }) => Math.max(most, score), Number.MIN_VALUE);
    return passages.map((passage) => {
      const [name = '', around = ''] = kindOf(path) === 'code' ? namesOf(passage) : [];
      const files = named.has(name) ? view.postings(FIELD.defined + name).ids.length : 0;
      const isPointedAt = inFile.some(({ line }) => passage.start <= line && line <= passage.end);
      const power =
        COVERED * passage.covered +
        (files > 0 ? (NAMED + NAMED_WEIGHT * (named.get(name) ?? 0)) / Math.sqrt(files) : 0) +
        (called.has(around) ? INSIDE_NAMED : 0) +
        (isPointedAt ? FRAME : 0) +
        (query.messages.some((message) => passage.text.includes(message)) ? MESSAGE : 0) +
        (isImports(passage.text) ? IMPORTS : 0);
      const words = passage.score > 0 ? (passage.score / best + LEAST_WORDS) ** WORDS_POWER : 0;
      return { ...passage, score: words * Math.exp(power), isFramed: isFramed && isPointedAt };
    });
  };
}

// The last of a definition's names, and the one around it.
function namesOf({ title }: Passage): string[] {
  return (title ?? '').split('.').slice(-2).map(wholeName).reverse();
}

function isSameFile(said: string, path: string): boolean {
  const [a, b] = [said, path].map((each) => each.split('/').slice(-2));
  return (a as string[]).at(-1) === (b as string[]).at(-1) && (a?.length === 1 || b?.length === 1 || a?.[0] === b?.[0]);
}

function isImports(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => IMPORT_LINE.test(line)).length * 2 > lines.length;
}

// No passage has more than `longest` lines. Words are weighed by how rare they are in the whole project, so that a passage of
// one file can be compared with one of another.
export function passageScores(
  view: IndexView,
  query: Query,
  { tokenizer, longest }: { tokenizer: Tokenizer; longest?: number },
): (path: string, text: string) => (ScoredPassage & { covered: number })[] {
  const wanted = new Map(
    query.terms.map(({ term, weight }) => {
      const holders = [FIELD.body, FIELD.path].map((field) => view.postings(field + term).ids.length);
      return [term, weight * inverseFrequency(view.documents, Math.min(view.documents, Math.max(...holders)))];
    }),
  );
  let all = Number.MIN_VALUE;
  for (const weight of wanted.values()) all += weight;
  const scored = (passage: Passage) => {
    const { text, title } = passage;
    const counts = new Map<string, number>();
    let length = 0;
    const add = (term: string, times: number): void => {
      if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + times);
    };
    tokenizer.each(text, (term) => {
      length += 1;
      add(term, 1);
    });
    const inTitle = new Set(tokenizer.list(title ?? ''));
    for (const term of inTitle) add(term, TITLE_TIMES);
    let [score, covered] = [0, 0];
    for (const [term, times] of counts) {
      const weight = wanted.get(term) as number;
      covered += weight;
      const count = times / (1 - B + (B * length) / USUAL_TERMS);
      score += (weight * count * (K1 + 1)) / (K1 + count) + (inTitle.has(term) ? TITLE_WEIGHT * weight : 0);
    }
    return { ...passage, score, covered: covered / all };
  };
  return (path, text) => passagesOf(path, text, longest).map(scored);
}
