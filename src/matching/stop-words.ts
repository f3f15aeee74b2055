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

// What nearly every change says of itself; it weighs little beside the thing it names.
export const CHANGE_WORDS: ReadonlySet<string> = new Set(
  (
    'add adds added adding fix fixes fixed fixing update updates updated updating remove removes removed removing improve improves improved ' +
    'improving change changes changed refactor refactors refactored refactoring make makes use uses used using support supports supported ' +
    'allow allows allowed handle handles handled implement implements implemented introduce move moves moved rename renames renamed bump ' +
    'ensure avoid prevent correct clean cleanup simplify drop replace create delete enable disable better new issue bug feature feat chore ' +
    'docs doc test tests refactoring wip misc minor small code file files'
  ).split(' '),
);
