import { definitionsIn } from './definitions.ts';
import { FIELD, type Lengths } from './fields.ts';
import { importsIn } from './imports.ts';
import { baseName, foldersOf, kindOf, subjectOf } from './paths.ts';
import { sequenceOf, speakerOf } from './sequence-names.ts';
import { joined, type Tokenizer, wordsOf } from './terms.ts';

/** All that the index keeps of a file: counts of keys and what the file names. Never its text. */
export interface IndexedDocument {
  path: string;
  keys: Map<string, number>;
  lengths: Lengths;
  imports: string[];
}

export function indexDocument(path: string, text: string, tokenizer: Tokenizer): IndexedDocument {
  const keys = new Map<string, number>();
  const lengths: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  const count = (field: string, term: string): void => {
    const key = field + term;
    keys.set(key, (keys.get(key) ?? 0) + 1);
  };
  tokenizer.keys(FIELD.body, text, (key) => {
    keys.set(key, (keys.get(key) ?? 0) + 1);
    lengths.body += 1;
  });
  for (const term of path.split('/').flatMap((segment) => tokenizer.name(segment).terms)) {
    count(FIELD.path, term);
    lengths.path += 1;
  }
  for (const term of tokenizer.name(baseName(path).replace(/\.[^.]+$/, '')).terms) {
    count(FIELD.base, term);
    lengths.base += 1;
  }
  for (const folder of new Set(foldersOf(path).map((name) => tokenizer.name(name).whole))) count(FIELD.folder, folder);
  count(FIELD.subject, subjectOf(path));
  count(FIELD.kind, kindOf(path));
  const sequence = sequenceOf(path);
  if (sequence !== null) {
    count(FIELD.sequence, sequence);
    const speaker = speakerOf(text);
    if (speaker !== null) count(FIELD.speaker, speaker);
  }
  const names = new Set(definitionsIn(path, text).map((definition) => definition.name));
  for (const name of names) {
    const { terms, whole } = tokenizer.name(name);
    for (const term of terms) {
      count(FIELD.defines, term);
      lengths.defines += 1;
    }
    count(FIELD.defined, whole);
  }
  const imports = importsIn(path, text);
  for (const name of new Set(imports.map(importedSubject))) count(FIELD.imports, name);
  return { path, keys, lengths, imports };
}

/** The last word of what an import names, comparable with `subjectOf` of the file it means. */
export function importedSubject(name: string): string {
  const steps = name.split(/[/.:]+/).filter((step) => step !== '' && !/^(?:[cm]?[jt]sx?|index|vue)$/.test(step));
  return joined(wordsOf(steps.at(-1) ?? name));
}
