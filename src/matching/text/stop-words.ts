// Words that say nothing about where to look.
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can could did do does doing done for from had has have having he her hers him his how i if in ' +
    'into is it its just me my no nor not of off on once only or other our out over own she should so some such than that the their them ' +
    'then there these they this those through to too under until up us was we were what when where which while who whom why will with ' +
    'would you your yours about after again all also am any because before below between both during each few further here more most s t ' +
    'don now when via per let may might must shall'
  ).split(' '),
);

// What nearly every change says of itself (add, fixed, updating), as the tokenizer leaves it: it weighs little beside the
// thing it names.
export const CHANGE_TERMS: ReadonlySet<string> = new Set(
  (
    'add fix updat remov improv chang refact refactor mak use used using support allow handl impl implement ' +
    'introduc mov renam bump ensur avoid prevent correct clean cleanup simplifi drop replac creat delet enabl ' +
    'disabl bet new issu bug featur feat chor doc test wip misc min small cod fil'
  ).split(' '),
);

// What a question to a talk says of the answer it wants (list, explain, how many) and of talking itself (mention, said), as
// the tokenizer leaves it: it weighs little beside what is asked for.
export const ASKING_TERMS: ReadonlySet<string> = new Set(
  (
    'list ord bring brought ment mention different aspect item conversat chat throughout across discuss talk say said tell told ask quest ' +
    'giv show explain walk help summari summariz summaris comprehensiv clear overview detail describ recommend suggest provid ' +
    'includ mani much ever total relat'
  ).split(' '),
);
