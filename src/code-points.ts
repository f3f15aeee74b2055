// Sizes towards an agent are code points: the same on every machine, and never half a surrogate pair.
export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) if (isPairAt(text, i)) count -= 1;
  return count;
}

export function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

const SURROGATE = /[\ud800-\udfff]/;

// Order by code point, the same on every machine. Plain `<` compares UTF-16 units, which puts U+1F600 before U+FF00.
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above every other unit.
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

// Without surrogates units are code points, and the engine's own sort is many times as fast.
export function sortedByCodePoint(texts: Iterable<string>): string[] {
  const list = [...texts];
  return list.some(hasSurrogates) ? list.sort(compareCodePoints) : list.sort();
}

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

const LINE_END = /\r\n|\n|\r/;

// Lines end at LF, CRLF or CR only. A final line end closes the last line; it does not open another.
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Each with its line end. */
export function linesWithEnds(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [text];
}
