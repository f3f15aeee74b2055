import type { countTokens as Count } from 'gpt-tokenizer/encoding/o200k_base';

/** The tokenizer whose counts we show. Claude's own counts run about 12 % higher. */
export const TOKENIZER = 'o200k_base';

// The tokenizer takes quadratic time on one long run of letters: a line of 10 MB would take hours.
const SLICE = 400;

// A file may speak of `<|endoftext|>`: there it is text like any other.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

// Loading the tables takes some 400 ms: only those who ask for a count pay for it.
export async function countTokens(text: string): Promise<number> {
  return (await carefulTokenCounter())(text);
}

/** The same for who counts again and again. */
export async function carefulTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => {
    let count = 0;
    for (const slice of slices(text)) count += countTokens(slice, AS_TEXT);
    return count;
  };
}

const REMEMBERED = 4_096;

// For a run: what it counts has mostly been counted before (a context that grows step by step), slice by slice.
export function rememberingCounter(): (text: string) => Promise<number> {
  const counts = new Map<string, number>();
  let count: typeof Count | null = null;
  return async (text) => {
    count ??= (await import('gpt-tokenizer/encoding/o200k_base')).countTokens;
    let sum = 0;
    for (const slice of slices(text)) {
      let known = counts.get(slice);
      if (known === undefined) {
        known = count(slice, AS_TEXT);
        if (counts.size >= REMEMBERED) counts.clear();
        counts.set(slice, known);
      }
      sum += known;
    }
    return sum;
  };
}

// Cut before a blank, where the tokenizer begins a new word itself: the sum of ordinary text stays exact.
function* slices(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + SLICE);
    if (end < text.length) {
      const blank = text.lastIndexOf(' ', end);
      if (blank > start) end = blank;
      else if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end -= 1;
    }
    yield text.slice(start, end);
  }
}

/** For those who count many texts: the tables are loaded once, the counting itself does not wait. */
export async function tokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => countTokens(text, AS_TEXT);
}
