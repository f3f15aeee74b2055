import type { Candidates } from './candidates.ts';
import { FIELD } from './fields.ts';
import type { IndexView } from './index-view.ts';
import { inverseFrequency } from './lexical.ts';
import { foldersOf } from './paths.ts';
import type { Query } from './query.ts';
import { joined, wordsOf } from './terms.ts';

const GENERIC = new Set(
  'src lib libs test tests spec specs dist build packages package docs doc examples example scripts app apps source internal common utils util helpers core main types type'.split(
    ' ',
  ),
);

export interface NamedSignals {
  scope?: Float64Array;
  folder?: Float64Array;
  identifier?: Float64Array;
  phrase?: Float64Array;
  path?: Float64Array;
}

// What the text calls by name: a scope, a folder, something defined, a path. What it does not speak of is left out: one
// list of numbers for a hundred thousand files takes its time.
export function namedSignals(view: IndexView, query: Query, candidates: Candidates): NamedSignals {
  const { scope, folders, identifiers, phrases, paths } = query;
  const [defined, spoken] = [identifiers, phrases].map((names) => definedIn(view, names)) as [
    Uint32Array[],
    Uint32Array[],
  ];
  const inside = foldersIn(view, folders);
  return {
    ...(scope ? { scope: scopeScores(view, scope, candidates) } : {}),
    ...(inside.length > 0 ? { folder: folderScores(view, inside, candidates) } : {}),
    ...(defined.length > 0 ? { identifier: definedScores(view, defined, candidates) } : {}),
    ...(spoken.length > 0 ? { phrase: definedScores(view, spoken, candidates) } : {}),
    ...(paths.length > 0 ? { path: pathScores(view, paths, candidates) } : {}),
  };
}

function scopeScores(view: IndexView, scope: string[], touched: Candidates): Float64Array {
  const scores = new Float64Array(view.size);
  const wanted = scope.map((part) => joined(wordsOf(part)));
  const last = wanted.at(-1) as string;
  const words = [...new Set(scope.flatMap(wordsOf))];
  const candidates = new Set<number>();
  for (const name of wanted)
    for (const field of [FIELD.folder, FIELD.subject, FIELD.path])
      for (const id of view.postings(field + name).ids) candidates.add(id);
  for (const word of words.slice(0, 1)) for (const id of view.postings(FIELD.path + word).ids) candidates.add(id);
  for (const id of candidates) {
    touched.add(id);
    const path = view.path(id);
    const segments = path
      .split('/')
      .map((segment, i, all) =>
        joined(wordsOf(i === all.length - 1 ? segment.replace(/(?:\.(?:test|spec|d))?\.[^.]+$/, '') : segment)),
      );
    const parts = new Set(path.split('/').flatMap(wordsOf));
    scores[id] = wanted.every((name) => segments.includes(name))
      ? 1
      : segments.includes(last)
        ? 0.9
        : words.every((word) => parts.has(word))
          ? 0.7
          : 0;
  }
  return scores;
}

function foldersIn(view: IndexView, names: readonly string[]): Uint32Array[] {
  return names
    .filter((name) => name.length >= 2 && !GENERIC.has(name))
    .map((name) => view.postings(FIELD.folder + name).ids)
    .filter((ids) => ids.length > 0);
}

function folderScores(view: IndexView, lists: readonly Uint32Array[], touched: Candidates): Float64Array {
  const scores = new Float64Array(view.size);
  for (const ids of lists) {
    const weight = inverseFrequency(view.documents, ids.length);
    for (const id of ids) {
      touched.add(id);
      scores[id] = Math.max(scores[id] as number, weight);
    }
  }
  return scores;
}

function definedIn(view: IndexView, names: readonly string[]): Uint32Array[] {
  return names
    .filter((name) => name.length >= 3)
    .map((name) => view.postings(FIELD.defined + name).ids)
    .filter((ids) => ids.length > 0);
}

function definedScores(view: IndexView, lists: readonly Uint32Array[], touched: Candidates): Float64Array {
  const scores = new Float64Array(view.size);
  for (const ids of lists) {
    for (const id of ids) {
      touched.add(id);
      scores[id] = (scores[id] as number) + 1 / Math.sqrt(ids.length);
    }
  }
  return scores;
}

function pathScores(view: IndexView, paths: readonly string[], touched: Candidates): Float64Array {
  const scores = new Float64Array(view.size);
  for (const mentioned of paths) {
    const wanted = mentioned.replace(/^\.?\//, '').toLowerCase();
    const base = wanted.split('/').at(-1) as string;
    const name = joined(wordsOf(base));
    for (const id of view.postings(FIELD.path + name).ids) {
      touched.add(id);
      const path = view.path(id).toLowerCase();
      if (path === wanted || path.endsWith(`/${wanted}`)) scores[id] = 1;
      else if (foldersOf(path).join('/').endsWith(wanted)) scores[id] = Math.max(scores[id] as number, 0.5);
    }
  }
  return scores;
}
