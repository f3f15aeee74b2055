/** The tokenizer whose counts we show. Claude's own counts run about 12 % higher. */
export const TOKENIZER = 'o200k_base';

// The tokenizer takes quadratic time on one long run of letters: a line of 10 MB would take hours.
const SLICE = 400;
// What is counted has mostly been counted before: a context that grows step by step.
const MAX_REMEMBERED = 4_096;

// A file may speak of `<|endoftext|>`: there it is text like any other.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

// Loading the tables takes some 400 ms: only those who ask for a count pay for it.
export async function tokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const counts = new Map<string, number>();
  return (text) => {
    let sum = 0;
    for (const slice of slices(text)) {
      const count = counts.get(slice) ?? countTokens(slice, AS_TEXT);
      if (counts.size >= MAX_REMEMBERED) counts.clear();
      counts.set(slice, count);
      sum += count;
    }
    return sum;
  };
}

/** The same for who may never ask. */
export function lateTokenCounter(): (text: string) => Promise<number> {
  let counter: ReturnType<typeof tokenCounter> | undefined;
  return async (text) => {
    counter ??= tokenCounter();
    return (await counter)(text);
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
