import { FIELD, type Lengths } from '../index/fields.ts';
import { definitionsIn } from './definitions.ts';
import { baseName, foldersOf, isTest, kindOf, sequenceOf, speakerOf, subjectOf } from './paths.ts';
import { type Tokenizer, wholeName } from './terms.ts';

/** Beside its kind, what a test is marked with. */
export const TEST = 'test';
/** What begins with the name of who speaks, whatever its file is called. */
export const TURN = 'turn';
/** A turn whose last sentence is a question. */
export const ASKS = 'asks';
const LAST_ASKS = /\?[^.!?]*$/;
const LAST_LOOK = 200;

// What a file says beside the words of its body, each key as often as it is said. Never its text.
export function countDocument(
  path: string,
  text: string,
  tokenizer: Tokenizer,
  count: (key: string) => void,
): Omit<Lengths, 'body'> {
  const countTerms = (field: 'path' | 'base', names: readonly string[]): number => {
    const terms = names.flatMap((name) => tokenizer.name(name));
    for (const term of terms) count(FIELD[field] + term);
    return terms.length;
  };
  const lengths = {
    path: countTerms('path', path.split('/')),
    base: countTerms('base', [baseName(path).replace(/\.[^.]+$/, '')]),
  };
  for (const folder of new Set(foldersOf(path).map(wholeName))) count(FIELD.folder + folder);
  count(FIELD.subject + subjectOf(path));
  const kind = kindOf(path);
  count(FIELD.kind + kind);
  if (isTest(path)) count(FIELD.kind + TEST);
  const sequence = sequenceOf(path);
  if (sequence !== null) count(FIELD.sequence + sequence);
  const speaker = kind === 'code' ? null : speakerOf(text);
  if (speaker !== null) {
    count(FIELD.speaker + speaker);
    count(FIELD.kind + TURN);
    if (LAST_ASKS.test(text.slice(-LAST_LOOK))) count(FIELD.kind + ASKS);
  }
  for (const name of new Set(definitionsIn(path, text).map((definition) => definition.name)))
    count(FIELD.defined + wholeName(name));
  return lengths;
}
