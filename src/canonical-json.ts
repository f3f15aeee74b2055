import { compareCodePoints } from './code-point-order.ts';

// One text for one value: keys by code point. What is hashed, signed and compared must not depend on the order of keys.

/** Two blanks and a final newline: bundles, as people and diffs read them. */
export function canonicalJson(value: unknown): string {
  return `${written(value, '\n')}\n`;
}

/** On one line without a blank: what is signed and chained. */
export function canonicalLine(value: unknown): string {
  return written(value, '');
}

// Written here and not by JSON.stringify, because an object gives whole-number keys first, in whatever order they were set.
function written(value: unknown, newline: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = newline && `${newline}  `;
  if (Array.isArray(value))
    return enclosed(
      '[]',
      value.map((item) => written(item, inner)),
      inner,
      newline,
    );
  const colon = newline ? ': ' : ':';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, field]) => `${JSON.stringify(key)}${colon}${written(field, inner)}`);
  return enclosed('{}', fields, inner, newline);
}

function enclosed(brackets: string, parts: readonly string[], inner: string, newline: string): string {
  return parts.length === 0 ? brackets : `${brackets[0]}${inner}${parts.join(`,${inner}`)}${newline}${brackets[1]}`;
}
