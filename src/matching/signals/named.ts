import { FIELD } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import type { Query, Said } from '../query.ts';
import { foldersOf, isTest } from '../text/paths.ts';
import { joined, wordsOf } from '../text/terms.ts';
import { Tally } from './tally.ts';

// A name that so many files define tells nothing.
const MOST_DEFINED = 100;
// A file that a frame points into is as sure as all words together.
const [MOST_FRAMED, FRAMED] = [3, 4];

export interface NamedSignals {
  scope?: Tally;
  identifier?: Tally;
  path?: Tally;
}

// What the text calls by name: a scope, something defined, a path. What it does not speak of is left out: one
// list of numbers for a hundred thousand files takes its time.
export function namedSignals(view: IndexView, query: Query): NamedSignals {
  const { scope, identifiers, paths } = query;
  const defined = definedIn(view, identifiers);
  return {
    ...(scope ? { scope: scopeScores(view, scope) } : {}),
    ...(defined.length > 0 ? { identifier: definedScores(view, defined) } : {}),
    ...(paths.length > 0 ? { path: pathScores(view, query) } : {}),
  };
}

interface Found {
  ids: readonly number[];
  weight: number;
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

// Where the name is defined; a test that defines it too is not where it lives.
function definedIn(view: IndexView, names: readonly Said[]): Found[] {
  return names
    .filter(({ name }) => name.length >= 3)
    .map(({ name, weight }) => {
      const ids = [...view.postings(FIELD.defined + name).ids];
      const own = ids.length > MOST_DEFINED ? [] : ids.filter((id) => !isTest(view.path(id)));
      return { ids: own.length > 0 ? own : ids, weight };
    })
    .filter(({ ids }) => ids.length > 0);
}

function definedScores(view: IndexView, found: readonly Found[]): Tally {
  const scores = new Tally(view.size);
  for (const { ids, weight } of found) scores.increase(ids, weight / Math.sqrt(ids.length));
  for (const id of scores.ids) scores.set(id, Math.min(1, scores.at(id)));
  return scores;
}

// The files of the project that stack frames point into; none where they are many, as in the trace of a test runner.
export function framedFiles(view: IndexView, { frames }: Query): Set<number> {
  const paths = new Set(frames.map(({ path }) => path.toLowerCase()));
  const files = new Set([...paths].flatMap((path) => filesCalled(view, segmentsOf(path))));
  return files.size > MOST_FRAMED ? new Set() : files;
}

function pathScores(view: IndexView, query: Query): Tally {
  const { paths } = query;
  const scores = new Tally(view.size);
  scores.raise([...framedFiles(view, query)], FRAMED);
  for (const { name, weight } of paths) {
    const mentioned = segmentsOf(name.toLowerCase());
    // The last of a dotted name may be what the module defines, and a member of that.
    for (let drop = 0; drop <= (/\.\w+$/.test(name) ? 0 : 2); drop += 1) {
      const found = filesCalled(view, mentioned.slice(0, mentioned.length - drop));
      for (const id of found) scores.raise([id], weight / Math.sqrt(found.length));
      if (found.length > 0) break;
      if (drop === 0 && mentioned.length > 1)
        for (const id of filesInside(view, mentioned)) scores.raise([id], weight / 2);
    }
  }
  return scores;
}

// The files whose paths end as the mention does, or the mention as they do: those that share the most.
function filesCalled(view: IndexView, mentioned: readonly string[]): number[] {
  const last = mentioned.at(-1);
  if (last === undefined) return [];
  const isFile = /\.\w+$/.test(last);
  const key = joined(wordsOf(last));
  let [most, found]: [number, number[]] = [isFile && mentioned.length === 1 ? 0 : 1, []];
  for (const id of view.postings((isFile ? FIELD.path : FIELD.subject) + key).ids) {
    const path = segmentsOf(view.path(id).toLowerCase());
    const shared = sharedEnd(isFile ? path : moduleOf(path), mentioned);
    if (shared > most) [most, found] = [shared, []];
    if (shared === most && shared > 0 && most > (isFile && mentioned.length === 1 ? 0 : 1)) found.push(id);
  }
  return found;
}

function filesInside(view: IndexView, mentioned: readonly string[]): number[] {
  const folder = joined(wordsOf(mentioned.at(-1) as string));
  return [...view.postings(FIELD.folder + folder).ids].filter((id) =>
    `/${foldersOf(view.path(id)).join('/')}`.toLowerCase().endsWith(`/${mentioned.join('/')}`),
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function moduleOf(path: readonly string[]): string[] {
  const stem = (path.at(-1) as string).replace(/\.[^.]+$/, '');
  return /^(?:__init__|index|mod)$/.test(stem) ? path.slice(0, -1) : [...path.slice(0, -1), stem];
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[a.length - 1 - shared] === b[b.length - 1 - shared]) shared += 1;
  return shared;
}
