/** A line that says nearly the same already. */
export interface SimilarLine {
  /** From 1. */
  line: number;
  text: string;
  /** 0 to 1: shared words over all words. */
  score: number;
}

const LEAST_SCORE = 0.5;
const MAX_SHOWN = 2;
const LEAST_WORDS = 2;

// By the words two lines share, in any order: the same answer on every machine, and quick on long notes.
export function similarLines(content: string, lines: readonly string[], firstLine: number): SimilarLine[] {
  const wanted = content
    .split(/\r\n|\n|\r/)
    .map(wordsOf)
    .filter((words) => words.size >= LEAST_WORDS);
  const found: SimilarLine[] = [];
  for (const [index, text] of lines.entries()) {
    const words = wordsOf(text);
    if (words.size < LEAST_WORDS) continue;
    const score = Math.max(0, ...wanted.map((own) => likeness(own, words)));
    if (score >= LEAST_SCORE) found.push({ line: firstLine + index, text: text.trim(), score });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MAX_SHOWN);
}

export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** 0 to 1: shared words over all words. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
