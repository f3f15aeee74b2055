import { KEYWORDS, type Language, languageOf } from './definitions.ts';
import { importedSubject } from './document.ts';
import { FIELD, type Lengths } from './fields.ts';
import { IMPORT_WORDS, importsAt, importsByWord, importsIn, mayImport } from './imports.ts';
import { baseName, foldersOf, kindOf, subjectOf } from './paths.ts';
import { type NumberedLanguage, scanText } from './scan-text.ts';
import { SPEAKER_BYTES, sequenceOf, speakerOf } from './sequence-names.ts';
import type { SourceText } from './source-text.ts';
import type { Tokenizer } from './terms.ts';
import { Vocabulary } from './vocabulary.ts';

/** What a folder adds to each of its files: the keys of its path, and of the names in it. */
interface FolderKeys {
  name: string;
  path: number[];
  names: number[];
}

/** What indexDocument says of a file, as counts of numbered keys in a vocabulary: for many files, fast. */
export class DocumentCounter {
  private readonly tokenizer: Tokenizer;
  private words: Vocabulary | null = null;
  private languages = new Map<Language, NumberedLanguage>();
  /** Files come in path order: the next one is most often in the same folder. */
  private folder: FolderKeys | null = null;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  // Made when the first file comes: most calls find nothing to read.
  get vocabulary(): Vocabulary {
    if (this.words === null) {
      this.words = new Vocabulary(this.tokenizer);
      learnImportWords(this.words);
    }
    return this.words;
  }

  /** Starts over where the vocabulary has become large. Between two segments only: the numbers change. */
  makeRoom(): void {
    if (!this.words?.full) return;
    this.words.forget();
    learnImportWords(this.words);
    this.languages = new Map();
    this.folder = null;
  }

  /** Leaves the counts in the vocabulary. */
  count(path: string, source: SourceText): { lengths: Lengths; imports: string[] } {
    const { vocabulary } = this;
    const language = languageOf(path);
    const byWord = importsByWord(path);
    const { bodyLength, names, places } = scanText(source, vocabulary, {
      numbered: language && this.numbered(language),
      importWords: byWord ? IMPORT_WORDS.length : 0,
    });
    const lengths: Lengths = { body: bodyLength, path: 0, base: 0, defines: 0 };
    const count = (field: string, term: string): void => vocabulary.count(vocabulary.key(field + term));
    const folder = this.folderOf(path);
    for (const key of folder.path) vocabulary.count(key);
    lengths.path = folder.path.length + vocabulary.countWords(FIELD.path, baseName(path));
    lengths.base = vocabulary.countWords(FIELD.base, baseName(path).replace(/\.[^.]+$/, ''));
    for (const key of folder.names) vocabulary.count(key);
    count(FIELD.subject, subjectOf(path));
    count(FIELD.kind, kindOf(path));
    const sequence = sequenceOf(path);
    if (sequence !== null) {
      count(FIELD.sequence, sequence);
      const speaker = speakerOf(source.slice(0, SPEAKER_BYTES));
      if (speaker !== null) count(FIELD.speaker, speaker);
    }
    for (const name of names) lengths.defines += vocabulary.countName(name);
    const imports = byWord ? importsAt(places, source) : mayImport(path) ? importsIn(path, source.slice(0)) : [];
    for (const name of new Set(imports.map(importedSubject))) count(FIELD.imports, name);
    return { lengths, imports };
  }

  private folderOf(path: string): FolderKeys {
    const name = path.slice(0, path.lastIndexOf('/') + 1);
    if (this.folder?.name !== name) {
      const { vocabulary, tokenizer } = this;
      const names = foldersOf(path).map((folder) => tokenizer.name(folder));
      this.folder = {
        name,
        path: names.flatMap(({ terms }) => terms.map((term) => vocabulary.key(FIELD.path + term))),
        names: [...new Set(names.map(({ whole }) => whole))].map((whole) => vocabulary.key(FIELD.folder + whole)),
      };
    }
    return this.folder;
  }

  private numbered(language: Language): NumberedLanguage {
    let numbered = this.languages.get(language);
    if (!numbered) {
      numbered = {
        language,
        keywords: this.numbersOf(language.keywords ?? []),
        leads: language.leads ? this.numbersOf(language.leads) : null,
        before: language.before ? this.vocabulary.runOf(language.before) : null,
        functionWord: this.vocabulary.runOf('function'),
        notNames: this.numbersOf([...KEYWORDS]),
      };
      this.languages.set(language, numbered);
    }
    return numbered;
  }

  private numbersOf(words: readonly string[]): Set<number> {
    return new Set(words.map((word) => this.vocabulary.runOf(word)));
  }
}

// They get the first numbers: one comparison tells them from all others.
function learnImportWords(vocabulary: Vocabulary): void {
  for (const word of IMPORT_WORDS) vocabulary.runOf(word);
}
