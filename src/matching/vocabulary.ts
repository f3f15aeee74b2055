import { type Asked, CountingMachine } from './counting.ts';
import { NO_KEY } from './counting-code.ts';
import { FIELD } from './fields.ts';
import type { SourceText } from './source-text.ts';
import { STOP_WORDS } from './stop-words.ts';
import { LONGEST_TERM, type Tokenizer, termOf } from './terms.ts';

const ODD_NAME = -1;
const LINE_END = 10;
const ASCII = 127;
const MOST_KEYS = 200_000;
// A sign takes at most so many bytes.
const UTF8_BYTES = 3;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What else a walk over a text should see. */
export interface Wanted {
  /** Which lines: one of NOTED. */
  noted: number;
  /** The language's bit: see `lead`. */
  leads: number;
  /** How many of the first words lead an import. */
  importWords: number;
  functionWord: number;
}

/**
 * The keys of an index by number, and what each run of letters and digits in a text stands for: taken apart once, found
 * again by its bytes. Counts of the document at hand are kept here.
 */
export class Vocabulary {
  private readonly machine: CountingMachine;
  private readonly tokenizer: Tokenizer;

  constructor(tokenizer: Tokenizer, seed: number) {
    this.tokenizer = tokenizer;
    const asked: Asked = {
      newWord: (word, start, end) => this.newWord(word, this.textAt(start, end)),
      oddRun: (run, start, end) => this.oddRun(run, this.textAt(start, end)),
      countOdd: (start, end) => this.countOdd(this.textAt(start, end)),
      oddName: (start, end) => this.countOddName(this.textAt(start, end)),
    };
    this.machine = new CountingMachine(asked, seed);
  }

  /** True when it should forget what it knows: it only grows. */
  get full(): boolean {
    const { machine } = this;
    return [machine.tableSize('keys'), machine.tableSize('names'), machine.tableSize('odds')].some(
      (size) => size > MOST_KEYS,
    );
  }

  /** All numbers are new from here on. Between two segments only. */
  forget(): void {
    this.machine.forget();
  }

  /** How many postings were taken for the segment at hand: what its memory grows with. */
  get postings(): number {
    return this.machine.sizeOf('postings') / 2;
  }

  key(text: string): number {
    return this.machine.code.key(...this.handed('key', text));
  }

  count(key: number): void {
    this.machine.code.countKey(key);
  }

  /** Counts the words of a name in a field, and all of them as one where they are several; gives how many that are. */
  countWords(field: string, name: string): number {
    const counted = this.machine.code.countWords(...this.handed('name', name), field.charCodeAt(0));
    if (counted !== ODD_NAME) return counted;
    const { terms } = this.tokenizer.name(name);
    for (const term of terms) this.count(this.key(field + term));
    return terms.length;
  }

  /** What stands for an ASCII run in `lines`: for one word in small letters no other run has the same. */
  runOf(word: string): number {
    return this.machine.code.runAt(...this.handed('name', word));
  }

  /** A word that may lead a definition in the language of this bit; gives what stands for it. */
  lead(word: string, bit: number): number {
    const run = this.runOf(word);
    if (run >= 0) this.machine.addLead(run, bit);
    return run;
  }

  /** Counts the terms of a text and gives how many they are; what else was seen is in `lines` and `places`. */
  walk({ bytes }: SourceText, { noted, leads, importWords, functionWord }: Wanted): number {
    const { machine } = this;
    for (const list of ['lines', 'places'] as const) machine.clear(list);
    const place = machine.placeFor('text', bytes.length + 1);
    const text = machine.bytes(place, bytes.length + 1);
    text.set(bytes);
    // An end behind the end: no step of the walk has to look for it.
    text[bytes.length] = LINE_END;
    return machine.code.walk(place, bytes.length, noted, leads, importWords, functionWord);
  }

  /** The lines that may define something in the text that was walked over last: records of LINE. Good until something grows. */
  get lines(): Int32Array {
    return this.machine.list('lines');
  }

  /** Where a word that leads an import stands in it. */
  get places(): number[] {
    return [...this.machine.list('places')];
  }

  /** What stands for a name that is defined there; the same from its place and as a string. */
  nameAt(start: number, end: number): number {
    const text = this.machine.placeFor('text', 0);
    return this.machine.code.name(text + start, text + end);
  }

  nameOf(text: string): number {
    return this.machine.code.name(...this.handed('name', text));
  }

  /** Counts the terms of a defined name and its whole; gives how many terms. */
  countName(name: number): number {
    return this.machine.code.countName(name) - 1;
  }

  /** The counts of the document at hand become postings of the segment. */
  take(): void {
    this.machine.take();
  }

  /** The segment's keys with their postings; the next one starts with none. */
  blocks(): { blocks: Uint8Array; blockEnds: Uint32Array } {
    return this.machine.blocks();
  }

  private oddRun(run: number, text: string): void {
    this.machine.setItems(run, this.keysOf(text));
  }

  private countOdd(text: string): number {
    const keys = this.keysOf(text);
    for (const key of keys) this.count(key);
    return keys.length;
  }

  private keysOf(text: string): number[] {
    return this.tokenizer.list(text).map((term) => this.key(FIELD.body + term));
  }

  private newWord(word: number, text: string): void {
    const term = termOf(text);
    const left = STOP_WORDS.has(text) || term.length > LONGEST_TERM;
    const body = left ? NO_KEY : this.key(FIELD.body + term);
    this.machine.setWordKeys(word, body, this.key(FIELD.defines + term));
  }

  private countOddName(text: string): number {
    const { terms, whole } = this.tokenizer.name(text);
    for (const term of terms) this.count(this.key(FIELD.defines + term));
    this.count(this.key(FIELD.defined + whole));
    return terms.length + 1;
  }

  // A key is asked for while a name is being taken apart: each has its own place.
  private handed(kind: 'name' | 'key', text: string): [start: number, end: number] {
    const room = text.length * UTF8_BYTES;
    const place = this.machine.placeFor(kind, room);
    const { octets } = this.machine;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code > ASCII) return [place, place + encoder.encodeInto(text, octets.subarray(place)).written];
      octets[place + i] = code;
    }
    return [place, place + text.length];
  }

  private textAt(start: number, end: number): string {
    return decoder.decode(this.machine.bytes(start, end - start));
  }
}
