import { compareCodePoints } from './code-points.ts';

// One text for one value: keys by code point, two blanks, final newline. Hashes and drift rest on it.
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(ordered(value), null, 2)}\n`;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const sorted: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b))) {
    // defineProperty, because assigning to "__proto__" would set the prototype instead of a key.
    Object.defineProperty(sorted, key, { value: ordered(item), enumerable: true });
  }
  return sorted;
}
