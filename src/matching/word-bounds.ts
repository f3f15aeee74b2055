import type { Codes } from './byte-table.ts';

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

// Start and end of each word in an ASCII run, the same words as wordsOf gives: letters, then letters and digits; digits
// alone; a new word where capitals say so. Gives how many they are.
export function wordBounds(codes: Codes, start: number, end: number, bounds: Int32Array): number {
  let words = 0;
  for (let at = start; at < end; ) {
    const first = codes[at] as number;
    const digits = isDigit(first);
    if (!digits && !isUpper(first) && !isLower(first)) {
      at += 1;
      continue;
    }
    bounds[2 * words] = at;
    for (at += 1; at < end; at += 1) {
      const code = codes[at] as number;
      if (isDigit(code)) continue;
      if (digits) break;
      if (isLower(code)) continue;
      if (!isUpper(code)) break;
      if (!isUpper(codes[at - 1] as number) || (at + 1 < end && isLower(codes[at + 1] as number))) break;
    }
    bounds[2 * words + 1] = at;
    words += 1;
  }
  return words;
}
