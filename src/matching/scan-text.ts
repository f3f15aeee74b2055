import { type Codes, HASH_START, hashStep } from './byte-table.ts';
import { definedOn, KEYWORDS, type Language, type LineLook, LONGEST_LINE, SHORTEST_LINE } from './definitions.ts';
import { LONGEST_CHUNK } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A file's text, and the same as numbers at the same places. */
export interface SourceText {
  text: string;
  codes: Codes;
}

const [BLANK, PART, OTHER] = [0, 1, 2];
const [LINE_END, RETURN, EQUALS, GREATER] = [10, 13, 61, 62];
const ASCII = 127;
const LOOKED_CHUNKS = 3;

// What each code below 128 is: a blank, a part of a word, or anything else.
const KIND = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? PART : /\s/.test(String.fromCharCode(code)) ? BLANK : OTHER,
);

export function codesOf(text: string): Codes {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/** A language with its words as numbers of a vocabulary. */
export interface NumberedLanguage {
  language: Language;
  keywords: ReadonlySet<number>;
  leads: ReadonlySet<number> | null;
  before: number;
  functionWord: number;
}

export interface Scanned {
  bodyLength: number;
  /** Numbers of the defined names; each once. */
  names: Set<number>;
  /** Where a word that leads an import stands. */
  places: number[];
}

// One walk over the text: counts the terms of its body, finds the lines that define something and the places that import.
export function scanText(
  { text, codes }: SourceText,
  vocabulary: Vocabulary,
  { numbered, mostImportWord }: { numbered: NumberedLanguage | null; mostImportWord: number },
): Scanned {
  const scanned: Scanned = { bodyLength: 0, names: new Set(), places: [] };
  const line = new Line(vocabulary, numbered, scanned.names);
  const length = codes.length;
  let at = 0;
  while (at < length) {
    const code = codes[at] as number;
    const kind = code > ASCII ? PART : (KIND[code] as number);
    if (kind !== PART) {
      if (code === LINE_END) line.end(text, codes, at);
      else if (kind === OTHER) line.sign(at, code === EQUALS && codes[at + 1] === GREATER);
      at += 1;
      continue;
    }
    const start = at;
    let hash = HASH_START;
    let odd = 0;
    for (; at < length; at += 1) {
      const next = codes[at] as number;
      if (next > ASCII) odd = 1;
      else if (KIND[next] !== PART) break;
      hash = hashStep(hash, next);
    }
    let chunk = -1;
    if (odd === 1) scanned.bodyLength += vocabulary.countOddChunk(text.slice(start, at));
    else if (at - start <= LONGEST_CHUNK) {
      chunk = vocabulary.chunk(codes, start, at, hash);
      scanned.bodyLength += vocabulary.countChunk(chunk);
      if (chunk <= mostImportWord) scanned.places.push(start);
    }
    if (numbered !== null) line.word(start, at, chunk, hash);
  }
  line.end(text, codes, length);
  return scanned;
}

// The line at hand: its first words while nothing but blanks stands between them, and what else a pattern may want.
class Line {
  private readonly vocabulary: Vocabulary;
  private readonly numbered: NumberedLanguage | null;
  private readonly names: Set<number>;
  private start = 0;
  private plain = true;
  private words = 0;
  private readonly starts = [0, 0, 0];
  private readonly ends = [0, 0, 0];
  private readonly chunks = [0, 0, 0];
  private readonly hashes = [0, 0, 0];
  private last = -1;
  private arrow = false;
  private functionWord = false;

  constructor(vocabulary: Vocabulary, numbered: NumberedLanguage | null, names: Set<number>) {
    this.vocabulary = vocabulary;
    this.numbered = numbered;
    this.names = names;
  }

  sign(at: number, arrow: boolean): void {
    // A sign before the first word still lets it lead: `#define`, `*method`.
    if (this.words > 0) this.plain = false;
    this.last = at;
    if (arrow) this.arrow = true;
  }

  word(start: number, end: number, chunk: number, hash: number): void {
    this.last = end - 1;
    // What is no plain word may hide one beside a blank of another script: the pattern looks.
    if (chunk === -1 || chunk === this.numbered?.functionWord) this.functionWord = true;
    if (!this.plain || this.words === LOOKED_CHUNKS) return;
    this.starts[this.words] = start;
    this.ends[this.words] = end;
    this.chunks[this.words] = chunk;
    this.hashes[this.words] = hash;
    this.words += 1;
  }

  end(text: string, codes: Codes, at: number): void {
    if (this.numbered !== null && this.last >= 0) this.define(text, codes, at);
    this.start = at + 1;
    this.plain = true;
    this.words = 0;
    this.last = -1;
    this.arrow = false;
    this.functionWord = false;
  }

  private define(text: string, codes: Codes, at: number): void {
    const { language, keywords, leads, before } = this.numbered as NumberedLanguage;
    const end = at > this.start && codes[at - 1] === RETURN && at < codes.length ? at - 1 : at;
    const length = end - this.start;
    if (length < SHORTEST_LINE || length > LONGEST_LINE) return;
    const [lead] = this.chunks as [number];
    const place = this.words > 0 && lead === before ? 1 : 0;
    if (place + 1 < this.words && keywords.has(this.chunks[place] as number) && this.leadsTheLine(codes)) {
      const name = place + 1;
      if (this.isName(text, codes, name)) {
        const [from, to] = [this.starts[name] as number, this.ends[name] as number];
        this.names.add(this.vocabulary.name(codes, from, to, this.hashes[name] as number));
        return;
      }
    } else if (leads !== null && !this.mayFit(leads, language, codes)) return;
    const name = definedOn(text.slice(this.start, end), language);
    if (name !== null) this.names.add(this.vocabulary.nameOf(name));
  }

  private leadsTheLine(codes: Codes): boolean {
    for (let i = this.start; i < (this.starts[0] as number); i += 1)
      if (KIND[codes[i] as number] !== BLANK) return false;
    return true;
  }

  // An ASCII word that starts like a name and is no keyword of the kind that only looks like one.
  private isName(text: string, codes: Codes, word: number): boolean {
    const [start, end] = [this.starts[word] as number, this.ends[word] as number];
    const first = codes[start] as number;
    return (
      this.chunks[word] !== -1 &&
      !(first >= 48 && first <= 57) &&
      (end - start > 8 || !KEYWORDS.has(text.slice(start, end)))
    );
  }

  private mayFit(leads: ReadonlySet<number>, language: Language, codes: Codes): boolean {
    const [lead] = this.chunks as [number];
    if (this.words > 0 && (lead === -1 || leads.has(lead))) return true;
    if ((codes[this.last] as number) > ASCII) return true;
    const look: LineLook = {
      first: codes[this.start] as number,
      afterLead: this.words > 0 ? (codes[this.ends[0] as number] ?? -1) : -1,
      last: codes[this.last] as number,
      arrow: this.arrow,
      functionWord: this.functionWord,
    };
    return language.also?.(look) ?? false;
  }
}
