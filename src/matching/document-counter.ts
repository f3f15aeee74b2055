import { LEADS_NO_VALUE, NOTED } from './counting-code.ts';
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

/** The keys of one folder's name. */
interface FolderPart {
  terms: number[];
  whole: number;
}

const MOST_PARTS = 10_000;

/** What indexDocument says of a file, as counts of numbered keys in a vocabulary: for many files, fast. */
export class DocumentCounter {
  private readonly tokenizer: Tokenizer;
  private readonly seed: number;
  private words: Vocabulary | null = null;
  private languages = new Map<Language, NumberedLanguage>();
  /** Files come in path order: the next one is most often in the same folder. */
  private folder: FolderKeys | null = null;
  private parts = new Map<string, FolderPart>();

  /** `seed`: a number that who writes the files can't know. */
  constructor(tokenizer: Tokenizer, seed: number) {
    this.tokenizer = tokenizer;
    this.seed = seed;
  }

  // Made when the first file comes: most calls find nothing to read.
  get vocabulary(): Vocabulary {
    if (this.words === null) {
      this.words = new Vocabulary(this.tokenizer, this.seed);
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
    this.parts = new Map();
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
      const parts = foldersOf(path).map((part) => this.partOf(part));
      this.folder = {
        name,
        path: parts.flatMap(({ terms }) => terms),
        names: [...new Set(parts.map(({ whole }) => whole))],
      };
    }
    return this.folder;
  }

  private partOf(name: string): FolderPart {
    let part = this.parts.get(name);
    if (!part) {
      const { terms, whole } = this.tokenizer.name(name);
      part = {
        terms: terms.map((term) => this.vocabulary.key(FIELD.path + term)),
        whole: this.vocabulary.key(FIELD.folder + whole),
      };
      if (this.parts.size < MOST_PARTS) this.parts.set(name, part);
    }
    return part;
  }

  private numbered(language: Language): NumberedLanguage {
    let numbered = this.languages.get(language);
    if (!numbered) {
      const bit = 1 << this.languages.size;
      const leads = language.leads?.map((word) => this.vocabulary.lead(word, bit)) ?? null;
      numbered = {
        language,
        bit,
        noted: notedLines(language, leads),
        keywords: this.numbersOf(language.keywords ?? []),
        leads: leads && new Set(leads),
        before: language.before ? this.vocabulary.runOf(language.before) : null,
        functionWord: this.vocabulary.runOf('function'),
        notNames: new Set([...KEYWORDS].map((word) => this.vocabulary.lead(word, LEADS_NO_VALUE))),
      };
      this.languages.set(language, numbered);
    }
    return numbered;
  }

  private numbersOf(words: readonly string[]): Set<number> {
    return new Set(words.map((word) => this.vocabulary.runOf(word)));
  }
}

// The scan can leave out lines where it knows all that may lead one: each a single word.
function notedLines({ also, alsoValues }: Language, leads: readonly number[] | null): number {
  if (leads === null || leads.some((run) => run < 0)) return NOTED.all;
  return also ? (alsoValues ? NOTED.ledOrValue : NOTED.all) : NOTED.led;
}

// They get the first numbers: one comparison tells them from all others.
function learnImportWords(vocabulary: Vocabulary): void {
  for (const word of IMPORT_WORDS) vocabulary.runOf(word);
}
