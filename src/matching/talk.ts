import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { CHANGE_WEIGHT, type Query } from './query.ts';
import { TURN } from './text/document.ts';
import { ASKING_TERMS, CHANGE_TERMS } from './text/stop-words.ts';

const FEWEST_TURNS = 6;
const ASKING_WEIGHT = 0.3;

/** True where most files are turns of a talk: it is asked what was said, not what to change. */
export function isTalk(view: IndexView): boolean {
  const turns = view.postings(FIELD.kind + TURN).ids.length;
  return turns >= FEWEST_TURNS && turns * 2 > view.documents;
}

/** The question as these files are asked: of a talk a change is a word like any other, and how to answer weighs little. */
export function askedOf(view: IndexView, query: Query): Query {
  if (!isTalk(view)) return query;
  const terms = query.terms.map((each) => {
    const whole = CHANGE_TERMS.has(each.term) ? each.weight / CHANGE_WEIGHT : each.weight;
    return { ...each, weight: ASKING_TERMS.has(each.term) ? ASKING_WEIGHT * whole : whole };
  });
  return { ...query, terms };
}
