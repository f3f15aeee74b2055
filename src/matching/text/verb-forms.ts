import { stem } from './stem.ts';

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
