import { FIELD } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { foldersOf } from '../text/paths.ts';
import { joined, wordsOf } from '../text/terms.ts';
import { inverseFrequency } from './lexical.ts';
import { Tally } from './tally.ts';

const GENERIC = new Set(
  'src lib libs test tests spec specs dist build packages package docs doc examples example scripts app apps source internal common utils util helpers core main types type'.split(
    ' ',
  ),
);

export interface NamedSignals {
  scope?: Tally;
  folder?: Tally;
  identifier?: Tally;
  phrase?: Tally;
  path?: Tally;
}

// What the text calls by name: a scope, a folder, something defined, a path. What it does not speak of is left out: one
// list of numbers for a hundred thousand files takes its time.
export function namedSignals(view: IndexView, query: Query): NamedSignals {
  const { scope, folders, identifiers, phrases, paths } = query;
  const [defined, spoken] = [identifiers, phrases].map((names) => definedIn(view, names)) as [
    Uint32Array[],
    Uint32Array[],
  ];
  const inside = foldersIn(view, folders);
  return {
    ...(scope ? { scope: scopeScores(view, scope) } : {}),
    ...(inside.length > 0 ? { folder: folderScores(view, inside) } : {}),
    ...(defined.length > 0 ? { identifier: definedScores(view, defined) } : {}),
    ...(spoken.length > 0 ? { phrase: definedScores(view, spoken) } : {}),
    ...(paths.length > 0 ? { path: pathScores(view, paths) } : {}),
  };
}

function scopeScores(view: IndexView, scope: string[]): Tally {
  const scores = new Tally(view.size);
  const wanted = scope.map((part) => joined(wordsOf(part)));
  const last = wanted.at(-1) as string;
  const words = [...new Set(scope.flatMap(wordsOf))];
  const candidates = new Set<number>();
  for (const name of wanted)
    for (const field of [FIELD.folder, FIELD.subject, FIELD.path])
      for (const id of view.postings(field + name).ids) candidates.add(id);
  for (const word of words.slice(0, 1)) for (const id of view.postings(FIELD.path + word).ids) candidates.add(id);
  for (const id of candidates) {
    const path = view.path(id);
    const segments = path
      .split('/')
      .map((segment, i, all) =>
        joined(wordsOf(i === all.length - 1 ? segment.replace(/(?:\.(?:test|spec|d))?\.[^.]+$/, '') : segment)),
      );
    const parts = new Set(path.split('/').flatMap(wordsOf));
    const fits = (): number => {
      if (wanted.every((name) => segments.includes(name))) return 1;
      if (segments.includes(last)) return 0.9;
      return words.every((word) => parts.has(word)) ? 0.7 : 0;
    };
    scores.set(id, fits());
  }
  return scores;
}

function foldersIn(view: IndexView, names: readonly string[]): Uint32Array[] {
  return names
    .filter((name) => name.length >= 2 && !GENERIC.has(name))
    .map((name) => view.postings(FIELD.folder + name).ids)
    .filter((ids) => ids.length > 0);
}

function folderScores(view: IndexView, lists: readonly Uint32Array[]): Tally {
  const scores = new Tally(view.size);
  for (const ids of lists) scores.raise(ids, inverseFrequency(view.documents, ids.length));
  return scores;
}

function definedIn(view: IndexView, names: readonly string[]): Uint32Array[] {
  return names
    .filter((name) => name.length >= 3)
    .map((name) => view.postings(FIELD.defined + name).ids)
    .filter((ids) => ids.length > 0);
}

function definedScores(view: IndexView, lists: readonly Uint32Array[]): Tally {
  const scores = new Tally(view.size);
  for (const ids of lists) scores.increase(ids, 1 / Math.sqrt(ids.length));
  return scores;
}

function pathScores(view: IndexView, paths: readonly string[]): Tally {
  const scores = new Tally(view.size);
  for (const mentioned of paths) {
    const wanted = mentioned.replace(/^\.?\//, '').toLowerCase();
    const base = wanted.split('/').at(-1) as string;
    const name = joined(wordsOf(base));
    for (const id of view.postings(FIELD.path + name).ids) {
      const path = view.path(id).toLowerCase();
      if (path === wanted || path.endsWith(`/${wanted}`)) scores.set(id, 1);
      else if (foldersOf(path).join('/').endsWith(wanted)) scores.set(id, Math.max(scores.at(id), 0.5));
    }
  }
  return scores;
}
