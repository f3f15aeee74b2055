import { typedName } from '../closest.ts';
import { splitLines } from '../code-points.ts';
import type { DecodedText, FileResult, TextFile } from '../files/read-file.ts';
import { type JsonRecord, RECENT_RECORDS } from '../json.ts';
import { type Brief, type Notes, type NotesText, parseBrief, summariseNotes, wholeNotes } from './brief-and-notes.ts';

/** What an agent gets on its first turn: these keys, in this order, and no others. */
export interface Context {
  tastes: Tastes;
  brief: Brief;
  notes: Notes;
  recent_log: LogItem[];
  recent_gaps: Gap[];
}

/** Where the five files of a context come from. */
export interface ContextSource {
  defaultTaste(): { name: string; file: FileResult<DecodedText>; isDouble: boolean };
  genre(name: string): FileResult<TextFile>;
  brief(): FileResult<DecodedText>;
  notes(): FileResult<{ notes: NotesText; valid: boolean }>;
  lastRecords(
    file: 'log.jsonl' | 'vocabulary_gaps.jsonl',
    count: number,
  ): FileResult<{ records: JsonRecord[]; skipped: number; valid: boolean }>;
}

export type ContextReading = ReturnType<typeof readContext>;

// Tastes first because all work shares them, then what this subject is, then what was learnt, then the evidence.
// Nothing here throws on what a file holds: the first turn always works.
export function readContext(source: ContextSource) {
  const warnings: string[] = [];
  const use = <T extends { valid: boolean }>(name: string, file: FileResult<T>): T | null => {
    if (file.status === 'missing') return null;
    if (file.status === 'unreadable') {
      warnings.push(`${name} can't be read: ${file.reason}. It counts as empty.`);
      return null;
    }
    if (!file.value.valid) warnings.push(notUtf8(name));
    return file.value;
  };

  const { brief, declaredAt, warnings: briefWarnings } = parseBrief(use('brief.md', source.brief())?.text ?? '');
  warnings.push(...briefWarnings);

  const standard = source.defaultTaste();
  const defaultText = use(standard.name, standard.file)?.text ?? '';
  if (standard.isDouble) warnings.push(TWO_DEFAULTS);
  const genres = brief.tastes.flatMap((name): GenreFile[] => {
    const file = source.genre(name);
    if (file.status === 'missing') {
      warnings.push(
        `${name}.md is declared but missing: create it (bearings edit tastes ${typedName(name)}) or drop it from brief.md`,
      );
    }
    const read = use(`${name}.md`, file);
    return read ? [{ name, text: read.text, identity: read.identity }] : [];
  });

  const notes = use('notes.md', source.notes())?.notes ?? wholeNotes('');
  const records = (file: 'log.jsonl' | 'vocabulary_gaps.jsonl'): JsonRecord[] => {
    const { records, skipped } = use(file, source.lastRecords(file, RECENT_RECORDS)) ?? { records: [], skipped: 0 };
    if (skipped > 0)
      warnings.push(
        `${file}: ${skipped} ${skipped === 1 ? 'line holds' : 'lines hold'} no JSON object and ${skipped === 1 ? 'is' : 'are'} skipped.`,
      );
    return records;
  };

  const context: Context = {
    tastes: assembleTastes(defaultText, genres),
    brief,
    notes: summariseNotes(notes),
    recent_log: records('log.jsonl').map(toLogItem),
    recent_gaps: records('vocabulary_gaps.jsonl').map(toGap),
  };
  return { context, warnings, declaredAt, notesLines: notes.totalLines };
}

/** Neither goes out of what is served unsaid. */
export const TWO_DEFAULTS =
  'The home has two default tastes, tastes/_default.md and taste.md: only tastes/_default.md is served. Put what you want of taste.md into it (bearings edit tastes), then delete taste.md.';

export function notUtf8(name: string): string {
  return `${name} is not valid UTF-8: bad bytes are shown as U+FFFD. Save it as UTF-8.`;
}

export type Tastes = ReturnType<typeof assembleTastes>;
export type Conflict = Tastes['conflicts'][number];

export interface GenreFile {
  name: string;
  text: string;
  /** Names of one file (a link inside the folder) share an identity: a file can't conflict with itself. */
  identity: string;
}

export function assembleTastes(defaultText: string, genres: readonly GenreFile[]) {
  return {
    default: defaultText,
    genres: orderedRecord(genres.map(({ name, text }) => [name, text] as const)),
    conflicts: findConflicts(genres),
  };
}

// A point that is in two or more different genre files. Shown, never resolved: that is the person's talk.
export function findConflicts(genres: readonly GenreFile[]) {
  const holders = new Map<string, GenreFile[]>();
  for (const genre of genres) {
    for (const line of splitLines(genre.text)) {
      const point = line.trim();
      if (!isPoint(point)) continue;
      const files = holders.get(point);
      if (!files) holders.set(point, [genre]);
      else if (!files.some((file) => file.identity === genre.identity)) files.push(genre);
    }
  }
  return [...holders]
    .filter(([, files]) => files.length > 1)
    .map(([point, files]) => ({ point, files: files.map((file) => file.name) }));
}

function isPoint(line: string): boolean {
  const isRule = /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replace(/[ \t]/g, ''));
  // Looked for only where one ends: the search for an end that is not there would be made for each beginning.
  const isComment = line.endsWith('-->') && line.replace(/<!--.*?-->/gs, '').trim() === '';
  return line !== '' && !line.startsWith('#') && !isRule && !isComment;
}

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

// JavaScript lists whole-number keys first, whatever their place. A genre called "10" declared before "2" must stay
// first, also after JSON.stringify, so such records answer through a proxy that keeps the order they were given.
export function orderedRecord<T>(entries: ReadonlyArray<readonly [string, T]>): Record<string, T> {
  const record: Record<string, T> = {};
  // defineProperty, because assigning to "__proto__" would set the prototype instead of a key.
  for (const [key, value] of entries) {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const order = entries.map(([key]) => key);
  if (!order.some((key) => ARRAY_INDEX.test(key))) return record;
  return new Proxy(record, { ownKeys: () => order });
}

export type Gap = ReturnType<typeof toGap>;

// Old records hold four fields and hand-written ones hold anything: a wrong type is the field's default.
export function toGap(record: JsonRecord) {
  return {
    timestamp: text(record.timestamp, ''),
    image_id: text(record.image_id, ''),
    description: text(record.description, ''),
    session_id: text(record.session_id, null),
    snapshot_hash: text(record.snapshot_hash, null),
    intent: text(record.intent, null),
    // An empty one says no more than none.
    intent_category: text(record.intent_category, '').trim() === '' ? 'uncategorized' : String(record.intent_category),
    missing_capability: text(record.missing_capability, null),
    operations_involved: texts(record.operations_involved),
    vocabulary_used: texts(record.vocabulary_used),
    satisfaction: satisfaction(record.satisfaction),
    notes: text(record.notes, ''),
    ...(Object.hasOwn(record, 'workaround') ? { workaround: text(record.workaround, null) } : {}),
  };
}

function text<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function satisfaction(value: unknown): -1 | 0 | 1 | null {
  return value === -1 || value === 0 || value === 1 ? value : null;
}

export type LogItem = ReturnType<typeof toLogItem>;

/** What the end of a session writes for each proposal that nobody decided on. */
export const DISCARD_OP = 'proposal_discarded';
const DISCARD_KEYS = ['proposal_id', 'target', 'content_sha256'];

export function toLogItem(record: JsonRecord) {
  const { timestamp, op, ...details } = record;
  return { timestamp: asText(timestamp), op: asText(op), details: op === DISCARD_OP ? withoutText(details) : details };
}

// Earlier versions wrote the whole text here: a text that the person did not accept is never served.
function withoutText(details: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(details).filter(([key]) => DISCARD_KEYS.includes(key)));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
