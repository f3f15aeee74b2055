import { LINE, NOTED, ODD_RUN, WORD } from './counting-code.ts';
import { definedOn, type Language, LONGEST_LINE, SHORTEST_LINE } from './definitions.ts';
import type { SourceText } from './source-text.ts';
import type { Vocabulary } from './vocabulary.ts';

const RETURN = 13;
const ASCII = 127;
// A line's record, and the first words in it, as numbers.
const [START, END, WORDS, LAST, FLAGS, WORD_AT, LINE_STEP] = [
  LINE.start,
  LINE.end,
  LINE.words,
  LINE.last,
  LINE.flags,
  LINE.word,
  LINE.size,
].map((place) => place / 4) as [number, number, number, number, number, number, number];
const [RUN, WORD_STEP] = [WORD.run / 4, WORD.size / 4];

/** A language with its words as numbers of a vocabulary. */
export interface NumberedLanguage {
  language: Language;
  keywords: ReadonlySet<number>;
  leads: ReadonlySet<number> | null;
  before: number | null;
  functionWord: number;
  /** Which lines of it may define something, and the bit of the words that lead them. */
  noted: number;
  bit: number;
  /** They only look like names. */
  notNames: ReadonlySet<number>;
}

export interface Scanned {
  bodyLength: number;
  /** Numbers of the defined names; each once. */
  names: Set<number>;
  /** Where a word that leads an import stands. */
  places: number[];
}

// One walk over the text counts the terms of its body and finds the places that import; then the lines that may define
// something are looked at.
export function scanText(
  source: SourceText,
  vocabulary: Vocabulary,
  { numbered, importWords }: { numbered: NumberedLanguage | null; importWords: number },
): Scanned {
  const { noted, bit: leads, functionWord } = numbered ?? { noted: NOTED.none, bit: 0, functionWord: ODD_RUN };
  const bodyLength = vocabulary.walk(source, { noted, leads, importWords, functionWord });
  const names = new Set<number>();
  if (numbered !== null) {
    let { lines } = vocabulary;
    const { length } = lines;
    for (let at = 0; at < length; at += LINE_STEP) {
      // The memory grew, and they have moved.
      if (lines.length === 0) lines = vocabulary.lines;
      const name = definedOnLine(lines, at, { source, numbered, vocabulary });
      if (name !== null) names.add(name);
    }
  }
  return { bodyLength, names, places: vocabulary.places };
}

// What stands for the name; null where the line at this place among `lines` defines nothing.
function definedOnLine(
  lines: Int32Array,
  at: number,
  { source, numbered, vocabulary }: { source: SourceText; numbered: NumberedLanguage; vocabulary: Vocabulary },
): number | null {
  const { bytes } = source;
  const { language, keywords, leads, before, notNames } = numbered;
  const start = lines[at + START] as number;
  const stop = lines[at + END] as number;
  const words = lines[at + WORDS] as number;
  const flags = lines[at + FLAGS] as number;
  const end = bytes[stop - 1] === RETURN && stop > start && stop < bytes.length ? stop - 1 : stop;
  // Signs count, not bytes.
  const length = flags & LINE.odd ? source.slice(start, end).length : end - start;
  if (length < SHORTEST_LINE || length > LONGEST_LINE) return null;
  // The word that leads, or the one behind what may stand before it.
  const first = at + WORD_AT;
  const lead = words > 0 && lines[first + RUN] === before ? first + WORD_STEP : first;
  const name = lead + WORD_STEP;
  if (name < first + words * WORD_STEP && keywords.has(lines[lead + RUN] as number) && !(flags & LINE.signFirst)) {
    const from = lines[name + START] as number;
    const run = lines[name + RUN] as number;
    // A name of one word is known by it.
    if (run !== ODD_RUN && !isDigit(bytes[from] as number) && !notNames.has(run))
      return run >= 0 ? run : vocabulary.nameAt(from, lines[name + END] as number);
  } else if (leads !== null && !mayFit()) return null;
  const defined = definedOn(source.slice(start, end), language);
  return defined === null ? null : vocabulary.nameOf(defined);

  function mayFit(): boolean {
    const run = words > 0 ? (lines[first + RUN] as number) : null;
    const last = bytes[lines[at + LAST] as number] as number;
    if (last > ASCII || run === ODD_RUN || (run !== null && leads?.has(run))) return true;
    return (
      language.also?.({
        first: bytes[start] as number,
        afterLead: run === null ? -1 : (bytes[lines[first + END] as number] ?? -1),
        last,
        equals: (flags & LINE.equals) !== 0,
        arrow: (flags & LINE.arrow) !== 0,
        functionWord: (flags & LINE.functionWord) !== 0,
      }) ?? false
    );
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
