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

/** Of each run: the fewest that have to go for the rest to be in order, and what is not under the heading that its rank puts it under. */
export function outOfOrder<T extends { run: string; rank: string; isHeading: boolean }>(items: readonly T[]): T[] {
  const runs = new Map<string, T[]>();
  for (const item of items) {
    const run = runs.get(item.run) ?? [];
    run.push(item);
    runs.set(item.run, run);
  }
  return [...runs.values()].flatMap((run) => {
    const byRank = run.toSorted((a, b) => compareCodePoints(a.rank, b.rank));
    const [inOrder, meant, found] = [longestInOrder(run), headingsOver(byRank), headingsOver(run)];
    return run.filter((item) => !inOrder.has(item) || meant.get(item) !== found.get(item));
  });
}

function headingsOver<T extends { isHeading: boolean }>(row: readonly T[]): Map<T, T | null> {
  const over = new Map<T, T | null>();
  let heading: T | null = null;
  for (const item of row) {
    if (item.isHeading) heading = item;
    over.set(item, heading);
  }
  return over;
}

function longestInOrder<T extends { rank: string }>(row: readonly T[]): Set<T> {
  const rankAt = (index = -1) => row[index]?.rank ?? '';
  // The least end of a part in order of each length, and what comes before each item in its part.
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, { rank }] of row.entries()) {
    const found = rank > rankAt(ends.at(-1)) ? -1 : ends.findIndex((end) => rankAt(end) >= rank);
    const at = found === -1 ? ends.length : found;
    before[index] = ends[at - 1] ?? -1;
    ends[at] = index;
  }
  const longest = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) longest.add(index);
  return new Set(row.filter((_, index) => longest.has(index)));
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
