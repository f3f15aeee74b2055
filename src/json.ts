import { compareCodePoints } from './code-points.ts';
import { orNull } from './errors.ts';

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
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, inner));
    return enclosed('[]', items, inner, newline);
  }
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

export const RECENT_RECORDS = 10;

// JSON.stringify recurses: a record nested deeper than this would end the answer with a stack overflow.
const MAX_DEPTH = 200;

export type JsonRecord = Record<string, unknown>;

/** Null where it is not JSON. */
export function parseJson(text: string): unknown {
  return orNull(() => JSON.parse(text));
}

// One line of a JSONL file: a record, nothing (a blank line), or null for a line to skip.
export function parseRecord(line: string): JsonRecord | null | undefined {
  if (line.trim() === '') return undefined;
  const value = parseJson(line);
  return isRecord(value) && !isTooDeep(value) ? value : null;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** A value with its strings clipped, and so many items of each list and fields of each record. */
export function shortened(
  value: unknown,
  limits: { items: number; fields: number; clip(text: string): string },
): unknown {
  if (typeof value === 'string') return limits.clip(value);
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => shortened(item, limits));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).slice(0, limits.fields);
  return Object.fromEntries(kept.map(([key, item]) => [limits.clip(key), shortened(item, limits)]));
}
