import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, statOf } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { appendLine, atomicWrite } from '../../files/write-file.ts';
import { safeEntry } from '../../gate/io/transcript-reader.ts';
import { type JsonRecord, parseRecord } from '../../json.ts';
import { whyNotId, whyNotPlainName } from '../../safety/hidden-characters.ts';

/** One image of Chemigram, as its folder holds it. */
export interface ImageFiles {
  id: string;
  brief: string | null;
  notes: string | null;
  /** By file name: the log and the gaps. */
  records: ReadonlyMap<string, string>;
  sessions: { name: string; text: string }[];
}

/** A file of the workspace that gets what it does not have yet. */
export interface MissingPart {
  file: string;
  how: 'new' | 'append';
  text: string;
  mode: number;
  /** For the question: how much comes in. */
  count: number;
}

export const JSONL_FILES = ['log.jsonl', 'vocabulary_gaps.jsonl'];

// Brief, log, gaps and transcripts come in as they are; the notes become proposals. What is in the workspace's folder already stays.
export function missingParts(image: ImageFiles, folder: string | null) {
  const present = (name: string) => (folder === null ? null : textIn(folder, name));
  const parts: MissingPart[] = [];
  const brief = present('brief.md');
  if (image.brief !== null && brief === null)
    parts.push({ file: 'brief.md', how: 'new', text: image.brief, mode: 0o644, count: 1 });
  for (const [file, text] of image.records) {
    const known = new Set((present(file) ?? '').split('\n'));
    const lines = recordsIn(text)
      .map((record) => JSON.stringify(safeEntry(record)))
      .filter((line) => !known.has(line));
    if (lines.length > 0)
      parts.push({ file, how: 'append', text: `${lines.join('\n')}\n`, mode: 0o644, count: lines.length });
  }
  for (const { name, text } of image.sessions) {
    const entries = recordsIn(text).map((record) => safeEntry(entryOf(record)));
    const file = `sessions/${startOf(entries[0])}_${name.replace(/\.jsonl$/, '')}.jsonl`;
    if (entries.length === 0 || (folder !== null && existsSync(join(folder, file)))) continue;
    const lines = `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
    parts.push({ file, how: 'new', text: lines, mode: 0o600, count: entries.length });
  }
  return { parts, keepsBrief: image.brief !== null && brief !== null && brief !== image.brief };
}

/** As a name of a file has it. */
function startOf(entry: JsonRecord | undefined): string {
  const start = String(entry?.at ?? '')
    .replace(/\.\d+/, '')
    .replace(/\+00:00$/, 'Z')
    .replaceAll(':', '-');
  return /^\d{4}-\d\d-\d\dT[\d-]+Z$/.test(start) ? start : '1970-01-01T00-00-00Z';
}

// Chemigram says kind, timestamp and confirmation where our transcripts say type, at and decision.
function entryOf({ kind, timestamp, started_at, ...rest }: JsonRecord): JsonRecord {
  const at = String(timestamp ?? started_at ?? '');
  if (kind === 'header') return { type: 'session_start', at, client: 'chemigram', ...rest };
  if (kind === 'footer') return { type: 'session_end', at, reason: 'ended in chemigram', ...rest };
  if (kind !== 'confirmation') return { type: String(kind ?? 'note'), at, ...rest };
  const { accepted, ...more } = rest;
  return { type: 'decision', at, decision: accepted === false ? 'decline' : 'accept', via: 'chemigram', ...more };
}

function recordsIn(text: string): JsonRecord[] {
  return text.split('\n').flatMap((line): JsonRecord[] => {
    const record = parseRecord(line);
    return record ? [record] : [];
  });
}

// Large enough for years of work on one image; what is larger is not a log any more.
const MAX_CHARS = 64 * 1024 * 1024;

/** Every folder that holds at least one of the files of an image. */
export function readImages(root: string): ImageFiles[] {
  return namesIn(root)
    .filter((id) => whyNotId(id) === null)
    .map((id) => readImage(join(root, id), id))
    .filter(
      ({ brief, notes, records, sessions }) => brief !== null || notes !== null || records.size + sessions.length > 0,
    );
}

function readImage(folder: string, id: string): ImageFiles {
  const records = JSONL_FILES.flatMap((name) => {
    const text = textIn(folder, name);
    return text === null ? [] : [[name, text] as const];
  });
  const sessions = namesIn(join(folder, 'sessions'))
    .filter((name) => name.endsWith('.jsonl') && whyNotPlainName(name) === null)
    .map((name) => ({ name, text: textIn(folder, `sessions/${name}`) ?? '' }));
  return {
    id,
    brief: textIn(folder, 'brief.md'),
    notes: textIn(folder, 'notes.md'),
    records: new Map(records),
    sessions,
  };
}

interface PlacedPart extends MissingPart {
  path: string;
  scope: string | null;
}

/** How large each file is before; null where there is none. */
export function sizesOf(parts: readonly PlacedPart[]): { path: string; before: number | null }[] {
  return parts.map(({ path }) => ({ path, before: statOf(path)?.size ?? null }));
}

/** Only behind a journal that says what was there before: broken off, all of it goes again. */
export function writeParts(parts: readonly PlacedPart[]): void {
  for (const { path, scope, how, text, mode } of parts)
    if (how === 'new') atomicWrite(path, text, mode, scope);
    else appendLine(path, text.trimEnd(), { mode, scope });
}

function textIn(folder: string, name: string): string | null {
  const text = textOf(join(folder, name));
  return text !== null && text.length <= MAX_CHARS ? text : null;
}
