const WORD = /[\p{L}\p{N}]{3,}/gu;

// Whole words in small letters; short ones say nothing about what a text is about.
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) words.add(word.toLowerCase());
  return words;
}

export function sharedWords(words: ReadonlySet<string>, text: string): number {
  const seen = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    const small = word.toLowerCase();
    if (words.has(small)) seen.add(small);
  }
  return seen.size;
}
