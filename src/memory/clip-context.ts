import { codePointLength } from '../code-points.ts';
import { type Clipped, clipEnd, clipMiddle } from './clip-text.ts';
import { orderedRecord } from './ordered-record.ts';
import type { Context } from './read-context.ts';

export interface ClipLimits {
  maxChars: number;
  maxRecordChars: number;
}

// Beside the limit per text: many texts together, and lists of many small things, may not flood an agent either.
const TEXTS_IN_ALL = 5;
const MAX_LIST_ITEMS = 100;
// A record is cut in its longest strings first; only if that can't be enough do its lists lose items.
const STRING_STEPS = [2000, 1000, 500, 200, 80, 30];
const ITEM_STEPS = [50, 10, 3];

export function clipContext(whole: Context, limits: ClipLimits): { context: Context; warnings: string[] } {
  const warnings: string[] = [];
  const genres = Object.entries(whole.tastes.genres).slice(0, MAX_LIST_ITEMS);
  const texts = [
    whole.tastes.default,
    whole.brief.raw,
    whole.brief.intent,
    whole.notes.summary,
    ...genres.map(([, text]) => text),
  ];
  const total = texts.reduce((sum, text) => sum + Math.min(text.length, limits.maxChars), 0);
  const crowded = total > limits.maxChars * TEXTS_IN_ALL;
  const max = crowded ? Math.floor((limits.maxChars * TEXTS_IN_ALL) / texts.length) : limits.maxChars;
  const note = (name: string, { text, cut }: Clipped): string => {
    if (cut > 0) warnings.push(`${name} is long: ${cut} characters are cut here. ${cureFor(name)}`);
    return text;
  };
  const list = <T>(name: string, items: readonly T[]): T[] => {
    const left = items.length - MAX_LIST_ITEMS;
    if (left > 0) warnings.push(`${name} has ${items.length} entries: ${left} are left out here.`);
    return items.slice(0, MAX_LIST_ITEMS);
  };
  const record = <T extends object>(name: string, item: T): T => {
    const size = codePointLength(JSON.stringify(item));
    if (size <= limits.maxRecordChars) return item;
    warnings.push(`a record of ${name} is long (${size} characters): its longest texts are cut here.`);
    return clipRecord(item, limits.maxRecordChars);
  };
  const genreCount = Object.keys(whole.tastes.genres).length;
  if (genreCount > genres.length) warnings.push(`${genreCount - genres.length} genres are left out here.`);
  const context: Context = {
    tastes: {
      default: note('_default.md', clipEnd(whole.tastes.default, max)),
      genres: orderedRecord(genres.map(([name, text]) => [name, note(`${name}.md`, clipEnd(text, max))] as const)),
      conflicts: list('tastes.conflicts', whole.tastes.conflicts).map((conflict) =>
        record('tastes.conflicts', conflict),
      ),
    },
    brief: {
      raw: note('brief.md', clipEnd(whole.brief.raw, max)),
      intent: clipEnd(whole.brief.intent, max).text,
      tastes: list('brief.tastes', whole.brief.tastes),
    },
    notes: { summary: note('notes.md', clipMiddle(whole.notes.summary, max)), truncated: whole.notes.truncated },
    recent_log: whole.recent_log.map((item) => record('log.jsonl', item)),
    recent_gaps: whole.recent_gaps.map((item) => record('vocabulary_gaps.jsonl', item)),
  };
  return { context, warnings };
}

function cureFor(name: string): string {
  return name === 'notes.md' ? 'Use read_full_notes for the rest.' : 'Ask the person to shorten the file.';
}

function clipRecord<T extends object>(item: T, max: number): T {
  const fits = (value: unknown) => codePointLength(JSON.stringify(value)) <= max;
  for (const strings of STRING_STEPS) {
    const cut = shorten(item, { strings, items: Number.POSITIVE_INFINITY });
    if (fits(cut)) return cut as T;
  }
  for (const items of ITEM_STEPS) {
    const cut = shorten(item, { strings: 30, items });
    if (fits(cut)) return cut as T;
  }
  // Deep or with endless keys: nothing but the outermost fields is left.
  return shorten(item, { strings: 30, items: 0 }) as T;
}

// The outermost fields always stay: they are the record's shape.
function shorten(record: object, limits: { strings: number; items: number }): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, shortenValue(value, limits)]));
}

function shortenValue(value: unknown, limits: { strings: number; items: number }): unknown {
  if (typeof value === 'string') return clipEnd(value, limits.strings).text;
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => shortenValue(item, limits));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).slice(0, limits.items);
  return Object.fromEntries(kept.map(([key, item]) => [clipEnd(key, limits.strings).text, shortenValue(item, limits)]));
}
