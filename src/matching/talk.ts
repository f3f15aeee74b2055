import { compareCodePoints } from '../code-points.ts';
import { FIELD } from './index/fields.ts';
import type { IndexView } from './index/index-view.ts';
import { CHANGE_WEIGHT, type Query } from './query.ts';
import { TURN } from './text/document.ts';
import { ASKING_TERMS, CHANGE_TERMS } from './text/stop-words.ts';
import { stem } from './text/terms.ts';

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

// Who asks says "did she go", who tells says "I went": forms of one English word that share no stem.
const FORMS =
  'become became,begin began begun,break broke broken,bring brought,build built,buy bought,catch caught,child children,' +
  'choose chose chosen,come came,draw drew drawn,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feel felt,' +
  'fight fought,find found,fly flew flown,foot feet,forget forgot forgotten,get got gotten,give gave given,go went gone,' +
  'grow grew grown,hang hung,hear heard,hide hid hidden,hold held,keep kept,know knew known,lead led,leave left,lend lent,' +
  'lose lost,make made,man men,meet met,pay paid,person people,ride rode ridden,ring rang rung,run ran,say said,see saw seen,' +
  'seek sought,sell sold,send sent,shoot shot,show shown,sing sang sung,sit sat,sleep slept,speak spoke spoken,spend spent,' +
  'stand stood,steal stole stolen,swim swam swum,take took taken,teach taught,tell told,think thought,throw threw thrown,' +
  'tooth teeth,understand understood,wake woke woken,wear wore worn,win won,woman women,write wrote written';

let formsOf: Map<string, readonly string[]> | undefined;

/** The other forms of a term, as the tokenizer leaves them. */
export function otherForms(term: string): readonly string[] {
  formsOf ??= new Map(
    FORMS.split(',').flatMap((group) => {
      const stems = [...new Set(group.split(' ').map(stem))];
      return stems.map((own) => [own, stems.filter((other) => other !== own)] as const);
    }),
  );
  return formsOf.get(term) ?? [];
}
