import { DocumentCounter } from '../matching/document-counter.ts';
import type { Tokenizer } from '../matching/terms.ts';

/** Counts of files whose words may have been chosen to meet in one slot of a table: where they meet is left to chance. */
export function newCounter(tokenizer: Tokenizer): DocumentCounter {
  return new DocumentCounter(tokenizer, Math.floor(Math.random() * 2 ** 32));
}
