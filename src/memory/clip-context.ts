import { codePointLength, isPairAt } from '../code-points.ts';
import { shortened } from '../json.ts';
import { type Context, orderedRecord } from './read-context.ts';

export interface ClipLimits {
  maxChars: number;
  maxRecordChars: number;
}

// Beside the limit per text: many texts together, and lists of many small things, may not flood an agent either.
const TEXTS_IN_ALL = 5;
const MAX_LIST_ITEMS = 100;
// A record is cut in its longest strings first; only if that can't be enough do its lists lose items.
const STEPS = [
  ...[2000, 1000, 500, 200, 80, 30].map((strings) => ({ strings, items: Number.POSITIVE_INFINITY })),
  // Deep or with endless keys: in the end nothing but the outermost fields is left.
  ...[50, 10, 3, 0].map((items) => ({ strings: 30, items })),
];

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
    const file = name === 'notes.md' ? '' : ` with file ${JSON.stringify(name)}`;
    const cure = `Use read_full_notes${file} for the rest.`;
    if (cut > 0) warnings.push(`${name} is long: ${cut} characters are cut here. ${cure}`);
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
  const notes = clipMiddle(whole.notes.summary, max);
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
    notes: { summary: note('notes.md', notes), truncated: whole.notes.truncated || notes.cut > 0 },
    recent_log: whole.recent_log.map((item) => record('log.jsonl', item)),
    recent_gaps: whole.recent_gaps.map((item) => record('vocabulary_gaps.jsonl', item)),
  };
  return { context, warnings };
}

function clipRecord<T extends object>(item: T, max: number): T {
  let cut = item;
  for (const limits of STEPS) {
    cut = shorten(item, limits) as T;
    if (codePointLength(JSON.stringify(cut)) <= max) break;
  }
  return cut;
}

// The outermost fields always stay: they are the record's shape.
function shorten(record: object, { strings, items }: { strings: number; items: number }): object {
  const limits = { items, fields: items, clip: (text: string) => clipEnd(text, strings).text };
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, shortened(value, limits)]));
}

/** The greatest number that fits, between one that does and one that does not. */
export function mostThatFits(least: number, over: number, fits: (most: number) => boolean): number {
  if (over - least <= 1) return least;
  const middle = Math.floor((least + over) / 2);
  return fits(middle) ? mostThatFits(middle, over, fits) : mostThatFits(least, middle, fits);
}

type Clipped = ReturnType<typeof clip>;

// Keeps the beginning. The result, marker included, has at most `max` code points.
export function clipEnd(text: string, max: number): Clipped {
  return clip(text, max, (cut) => `\n... [${cut} characters cut] ...`, 1);
}

// Keeps both ends, the later one more: the newest notes are never the ones that go.
export function clipMiddle(text: string, max: number): Clipped {
  return clip(text, max, (cut) => `\n... [${cut} characters cut] ...\n`, 1 / 4);
}

/** `share`: how much of the room is for the beginning. */
function clip(
  text: string,
  max: number,
  marker: (cut: number) => string,
  share: number,
): { text: string; cut: number } {
  const total = text.length <= max ? text.length : codePointLength(text);
  if (total <= max) return { text, cut: 0 };
  const room = Math.max(0, max - marker(total).length);
  const front = Math.floor(room * share);
  const head = atLineEnd(text.slice(0, indexOfCodePoint(text, front)));
  const tail = share === 1 ? '' : fromLineStart(text.slice(indexOfCodePoint(text, total - (room - front))));
  const cut = total - codePointLength(head) - codePointLength(tail);
  const whole = head + marker(cut) + tail;
  // A tiny limit has no room for the marker itself.
  return { text: whole.slice(0, indexOfCodePoint(whole, max)), cut };
}

// At a line end, unless that would give up more than half of the room to one long line.
function atLineEnd(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (end < text.length / 2) return text;
  return text.slice(0, text[end] === '\n' && text[end - 1] === '\r' ? end - 1 : end);
}

function fromLineStart(text: string): string {
  const ends = [text.indexOf('\n'), text.indexOf('\r')].filter((end) => end !== -1);
  const end = Math.min(...ends);
  if (ends.length === 0 || end > text.length / 2) return text;
  return text.slice(text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1);
}

function indexOfCodePoint(text: string, count: number): number {
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1) index += isPairAt(text, index) ? 2 : 1;
  return index;
}
