export const RECENT_RECORDS = 10;

// JSON.stringify recurses: a record nested deeper than this would end the answer with a stack overflow.
const MAX_DEPTH = 200;

export type JsonRecord = Record<string, unknown>;

// One line of a JSONL file: a record, nothing (a blank line), or null for a line to skip.
export function parseRecord(line: string): JsonRecord | null | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isRecord(value) && !isTooDeep(value) ? value : null;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
