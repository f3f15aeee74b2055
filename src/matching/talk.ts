import { compareCodePoints } from '../code-point-order.ts';
import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { CHANGE_WEIGHT, type Query } from './query.ts';
import { TURN } from './text/document.ts';
import { ASKING_TERMS, CHANGE_TERMS } from './text/stop-words.ts';
import { otherForms } from './text/verb-forms.ts';

const FEWEST_TURNS = 6;
const ASKING_WEIGHT = 0.3;
// What was said in another form than it is asked for.
const OTHER_FORM = 0.6;

/** True where most files are turns of a talk: it is asked what was said, not what to change. */
export function isTalk(view: IndexView): boolean {
  const turns = view.postings(FIELD.kind + TURN).ids.length;
  return turns >= FEWEST_TURNS && turns * 2 > view.documents;
}

/** The question as these files are asked: of a talk a change is a word like any other, and how to answer weighs little. */
export function askedOf(view: IndexView, query: Query): Query {
  if (!isTalk(view)) return query;
  const terms = new Map<string, Query['terms'][number]>();
  for (const { term, word, weight } of query.terms) {
    const whole = CHANGE_TERMS.has(term) ? weight / CHANGE_WEIGHT : weight;
    terms.set(term, { term, word, weight: ASKING_TERMS.has(term) ? ASKING_WEIGHT * whole : whole });
  }
  for (const { term, word, weight } of [...terms.values()])
    for (const form of otherForms(term))
      if (!terms.has(form)) terms.set(form, { term: form, word, weight: OTHER_FORM * weight });
  return { ...query, terms: [...terms.values()].sort((a, b) => compareCodePoints(a.term, b.term)) };
}
