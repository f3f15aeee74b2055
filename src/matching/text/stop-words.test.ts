import { expect, test } from 'vitest';
import { ASKING_TERMS, CHANGE_TERMS } from './stop-words.ts';
import { stem } from './terms.ts';

test('T20 the words that every change says of itself are known in the form the tokenizer gives them', () => {
  const words = `
    add adds added adding fix fixes fixed fixing update updates updated updating remove removes removed
    removing improve improves improved improving change changes changed refactor refactors refactored
    refactoring make makes use uses used using support supports supported allow allows allowed handle
    handles handled implement implements implemented introduce move moves moved rename renames renamed
    bump ensure avoid prevent correct clean cleanup simplify drop replace create delete enable disable
    better new issue bug feature feat chore docs doc test tests refactoring wip misc minor small code
    file files`;
  expect(new Set(words.trim().split(/\s+/).map(stem))).toEqual(CHANGE_TERMS);
});

test('T20 what a question says of its answer is known in the form the tokenizer gives it', () => {
  const words = `
    list lists listed order orders bring brought mention mentions mentioned different aspect aspects item items
    conversation conversations chat chats throughout across discuss discussed discussion talk talked say says said tell told
    ask asked question questions give gives show shows explain explained walk help summary summaries summarize summarise
    comprehensive clear clearly overview detail details detailed describe recommend recommended suggest suggested provide
    include including many much ever total related`;
  expect(new Set(words.trim().split(/\s+/).map(stem))).toEqual(ASKING_TERMS);
});
