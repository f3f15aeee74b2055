import { FIELD, type Lengths } from '../index/fields.ts';
import { definitionsIn } from './definitions.ts';
import { importsIn } from './imports.ts';
import { baseName, foldersOf, isTest, kindOf, sequenceOf, speakerOf, subjectOf } from './paths.ts';
import { type Tokenizer, wholeName } from './terms.ts';

/** All that the index keeps of a file: counts of keys and what the file names. Never its text. */
export interface IndexedDocument extends DocumentFacts {
  path: string;
  keys: Map<string, number>;
}

export interface DocumentFacts {
  lengths: Lengths;
  imports: string[];
}

/** Beside its kind, what a test is marked with. */
export const TEST = 'test';
/** What begins with the name of who speaks, whatever its file is called. */
export const TURN = 'turn';
/** A turn whose last sentence is a question. */
export const ASKS = 'asks';
const LAST_ASKS = /\?[^.!?]*$/;
const LAST_LOOK = 200;

/** Counts the keys of one document. */
export interface KeyCounter {
  count(field: string, term: string): void;
  /** Counts the words of the text itself and gives how many they are. */
  countBody(text: string): number;
}

/** What a file says, as counts of keys. */
export function countDocument(
  path: string,
  text: string,
  { tokenizer, counter }: { tokenizer: Tokenizer; counter: KeyCounter },
): DocumentFacts {
  const lengths: Lengths = { body: counter.countBody(text), path: 0, base: 0 };
  const countTerms = (field: 'path' | 'base', terms: readonly string[]): void => {
    for (const term of terms) counter.count(FIELD[field], term);
    lengths[field] += terms.length;
  };
  for (const segment of path.split('/')) countTerms('path', tokenizer.name(segment));
  countTerms('base', tokenizer.name(baseName(path).replace(/\.[^.]+$/, '')));
  for (const folder of new Set(foldersOf(path).map(wholeName))) counter.count(FIELD.folder, folder);
  counter.count(FIELD.subject, subjectOf(path));
  const kind = kindOf(path);
  counter.count(FIELD.kind, kind);
  if (isTest(path)) counter.count(FIELD.kind, TEST);
  const sequence = sequenceOf(path);
  if (sequence !== null) counter.count(FIELD.sequence, sequence);
  const speaker = kind === 'code' ? null : speakerOf(text);
  if (speaker !== null) {
    counter.count(FIELD.speaker, speaker);
    counter.count(FIELD.kind, TURN);
    if (LAST_ASKS.test(text.slice(-LAST_LOOK))) counter.count(FIELD.kind, ASKS);
  }
  for (const name of new Set(definitionsIn(path, text).map((definition) => definition.name)))
    counter.count(FIELD.defined, wholeName(name));
  return { lengths, imports: importsIn(path, text) };
}

export function indexDocument(path: string, text: string, tokenizer: Tokenizer): IndexedDocument {
  const keys = new Map<string, number>();
  const count = (field: string, term: string): void => void keys.set(field + term, (keys.get(field + term) ?? 0) + 1);
  const countBody = (body: string): number => {
    const terms = tokenizer.list(body);
    for (const term of terms) count(FIELD.body, term);
    return terms.length;
  };
  return { path, keys, ...countDocument(path, text, { tokenizer, counter: { count, countBody } }) };
}
