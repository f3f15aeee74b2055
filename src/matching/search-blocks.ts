import { inverseFrequency } from './signals/lexical.ts';
import { createTokenizer } from './text/terms.ts';

/** A run of lines of one text. */
export interface Block {
  /** Where it is, as a person reads it. */
  place: string;
  /** Of its first line, from 1. */
  line: number;
  text: string;
}

export interface FoundBlock extends Block {
  score: number;
}

const SATURATION = 1.2;
// The very words, as they were typed, say more than the same words anywhere.
const PHRASE = 0.5;

// By the words that blocks share with the query, rare ones more; ties in the order they are in.
export function searchBlocks(blocks: readonly Block[], query: string, most: number): FoundBlock[] {
  const { list: terms } = createTokenizer();
  const wanted = [...new Set(terms(query))];
  const counts = blocks.map(({ text }) => countOf(terms(text)));
  const weight = new Map(
    wanted.map((term) => [term, inverseFrequency(blocks.length, counts.filter((each) => each.has(term)).length)]),
  );
  const phrase = plain(query);
  return blocks
    .map((block, at) => {
      let score = 0;
      for (const term of wanted) {
        const times = counts[at]?.get(term) ?? 0;
        score += (weight.get(term) ?? 0) * (times / (times + SATURATION));
      }
      if (phrase !== '' && plain(block.text).includes(phrase)) score = score * (1 + PHRASE) + PHRASE;
      return { ...block, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

/** A text as its blocks, each with the number of its first line. */
export function numberedBlocks(place: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let first = 0;
  for (const [at, line] of [...text.split(/\r\n|\n|\r/), ''].entries()) {
    if (line.trim() !== '') {
      if (open.length === 0) first = at + 1;
      open.push(line);
    } else if (open.length > 0) {
      blocks.push({ place, line: first, text: open.join('\n') });
      open = [];
    }
  }
  return blocks;
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
