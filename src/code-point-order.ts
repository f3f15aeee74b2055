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
