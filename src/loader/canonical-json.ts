import { compareCodePoints, hasSurrogates } from '../code-point-order.ts';

// One text for one value: keys by code point, two blanks, final newline. Hashes and drift rest on it.
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(ordered(value), null, 2)}\n`;
}

// The same value with its keys in order; itself, where they already are: most of a bundle is made that way.
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const item = ordered(value[at]);
      if (item === value[at]) continue;
      copy ??= [...value];
      copy[at] = item;
    }
    return copy ?? value;
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  const items: unknown[] = [];
  let isOrdered = true;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as string;
    const item = ordered(record[key]);
    items.push(item);
    if (item !== record[key] || (at > 0 && !isBefore(keys[at - 1] as string, key))) isOrdered = false;
  }
  if (isOrdered) return value;
  const sorted: Record<string, unknown> = {};
  const places = keys.map((_, at) => at).sort((a, b) => compareCodePoints(keys[a] ?? '', keys[b] ?? ''));
  // defineProperty, because assigning to "__proto__" would set the prototype instead of a key.
  for (const at of places) Object.defineProperty(sorted, keys[at] ?? '', { value: items[at], enumerable: true });
  return sorted;
}

function isBefore(a: string, b: string): boolean {
  return hasSurrogates(a) || hasSurrogates(b) ? compareCodePoints(a, b) < 0 : a < b;
}
