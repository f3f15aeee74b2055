import { compareCodePoints } from '../code-points.ts';
import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { parseInput, parsePart, parseQuery, type Query, type QueryInput } from './query.ts';
import { inverseFrequency } from './signals/lexical.ts';
import { namedSignals } from './signals/named.ts';
import type { Tokenizer } from './text/terms.ts';

/** What of the task a file answers to. No score: which comes first is the caller's question. */
export interface MatchMetadata {
  /** Words of the task that the file holds, by code point. */
  words: string[];
  /** What the task calls by name: the file's path, its folder, something it defines. */
  named: ('scope' | 'path' | 'identifier')[];
}

export type Match = [path: string, metadata: MatchMetadata | null];

/** A file is related when it holds this share of what the task's words weigh, rare words weighing more. */
const MATCH_THRESHOLD = 0.4;
// A word that no file knows can't be matched by any: it raises the bar for all by half its weight.
const UNKNOWN_WORD = 0.5;
// What an earlier step found is a few rare words among many that any report has: so many of its rarest count, and a file
// that holds two of them is what it spoke of.
const RAREST = 12;
const OF_RAREST = 2;
// What more than this share of all files holds is rare nowhere.
const COMMON = 0.25;

// Which files are related to the task: all above the threshold, in path order, none before another. What else is known
// beside the task's own words only ever adds files.
export function match(
  view: IndexView,
  input: string | QueryInput,
  tokenizer: Tokenizer,
  threshold = MATCH_THRESHOLD,
): Match[] {
  const whole = typeof input === 'string' ? { taskText: input } : input;
  const own = matchQuery(view, parseQuery(whole.taskText, tokenizer), threshold);
  if (!whole.previousOutputs && !whole.inheritedContext) return own.map(({ match }) => match);
  const found = new Map(own.map((each) => [each.id, each]));
  for (const each of [
    ...matchQuery(view, parseInput(whole, tokenizer), threshold),
    ...matchRarest(view, parsePart(whole.previousOutputs ?? '', tokenizer).terms),
  ])
    if (!found.has(each.id)) found.set(each.id, each);
  return [...found.values()].sort((a, b) => view.order(a.id, b.id)).map(({ match }) => match);
}

interface Found {
  id: number;
  match: Match;
}

function matchRarest(view: IndexView, terms: Query['terms']): Found[] {
  // Of words equally rare those said more often tell more, then longer ones: they are the rarer in any language.
  const rarest = terms
    .map(({ term, word, weight }) => ({ word, weight, ids: holdersOf(view, term) }))
    .filter(({ ids }) => ids.size > 0 && ids.size <= Math.max(OF_RAREST, view.documents * COMMON))
    .sort(
      (a, b) =>
        a.ids.size - b.ids.size ||
        b.weight - a.weight ||
        b.word.length - a.word.length ||
        compareCodePoints(a.word, b.word),
    )
    .slice(0, RAREST);
  const wordsOf = new Map<number, string[]>();
  for (const { word, ids } of rarest) for (const id of ids) wordsOf.set(id, [...(wordsOf.get(id) ?? []), word]);
  const records = new Set(view.postings(`${FIELD.kind}record`).ids);
  const least = Math.min(OF_RAREST, rarest.length);
  return [...wordsOf]
    .filter(([id, words]) => words.length >= least && view.isLive(id) && !records.has(id))
    .map(([id, words]) => ({
      id,
      match: [view.path(id), { words: [...new Set(words)].sort(compareCodePoints), named: [] }],
    }));
}

function holdersOf(view: IndexView, term: string): Set<number> {
  return new Set([...view.postings(FIELD.body + term).ids, ...view.postings(FIELD.path + term).ids]);
}

function matchQuery(view: IndexView, query: Query, threshold: number): Found[] {
  const { share, words } = covered(view, query.terms);
  const { scope, path, identifier } = namedSignals(view, query);
  const matches: Found[] = [];
  const records = new Set(view.postings(`${FIELD.kind}record`).ids);
  for (let id = 0; id < view.size; id += 1) {
    if (!view.isLive(id)) continue;
    const named: MatchMetadata['named'] = [];
    if ((scope?.at(id) ?? 0) >= 0.9) named.push('scope');
    if ((path?.at(id) ?? 0) > 0) named.push('path');
    if ((identifier?.at(id) ?? 0) > 0) named.push('identifier');
    if (named.length === 0 && ((share[id] as number) < threshold || records.has(id))) continue;
    const found = words(id);
    matches.push({
      id,
      match: [view.path(id), found.length + named.length === 0 ? null : { words: found, named }],
    });
  }
  return matches.sort((a, b) => view.order(a.id, b.id));
}

function covered(view: IndexView, terms: Query['terms']) {
  const share = new Float64Array(view.size);
  const holders: { word: string; ids: Set<number> }[] = [];
  let all = 0;
  for (const { term, weight, word } of terms) {
    const ids = holdersOf(view, term);
    const value = weight * inverseFrequency(view.documents, Math.max(1, ids.size));
    all += ids.size === 0 ? value * UNKNOWN_WORD : value;
    for (const id of ids) share[id] = (share[id] as number) + value;
    holders.push({ word, ids });
  }
  if (all > 0) for (let id = 0; id < share.length; id += 1) share[id] = (share[id] as number) / all;
  const words = (id: number): string[] =>
    [...new Set(holders.filter(({ ids }) => ids.has(id)).map(({ word }) => word))].sort(compareCodePoints);
  return { share, words };
}
