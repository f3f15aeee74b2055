import { appendFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../files/paths.ts';
import { readPlainFile, readText, whyNotWritable } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { safeEntry } from '../../gate/io/transcript-reader.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
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

/** What the workspace of that image has already. */
export interface PresentImage {
  brief: string | null;
  records: ReadonlyMap<string, ReadonlySet<string>>;
  sessions: string[];
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

// Brief, log, gaps and transcripts come in as they are; the notes become proposals. What is there already stays.
export function missingParts(
  image: ImageFiles,
  present: PresentImage,
  sha256: (text: string) => string,
): MissingPart[] {
  const parts: MissingPart[] = [];
  if (image.brief !== null && present.brief === null)
    parts.push({ file: 'brief.md', how: 'new', text: image.brief, mode: 0o644, count: 1 });
  for (const [file, text] of image.records) {
    const known = new Set(present.records.get(file));
    const lines = recordsIn(text).flatMap((record) => {
      const line = JSON.stringify(safeEntry(record, sha256));
      return known.has(line) ? [] : [line];
    });
    if (lines.length > 0)
      parts.push({ file, how: 'append', text: `${lines.join('\n')}\n`, mode: 0o644, count: lines.length });
  }
  for (const { name, text } of image.sessions) {
    const entries = recordsIn(text).map((record) => safeEntry(entryOf(record), sha256));
    const start = String(entries[0]?.at ?? '')
      .replace(/\.\d+/, '')
      .replace(/\+00:00$/, 'Z')
      .replaceAll(':', '-');
    const file = `${/^\d{4}-\d\d-\d\dT[\d-]+Z$/.test(start) ? start : '1970-01-01T00-00-00Z'}_${name.replace(/\.jsonl$/, '')}.jsonl`;
    if (entries.length === 0 || present.sessions.includes(file)) continue;
    const lines = `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
    parts.push({ file: `sessions/${file}`, how: 'new', text: lines, mode: 0o600, count: entries.length });
  }
  return parts;
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
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

// Large enough for years of work on one image; what is larger is not a log any more.
const MAX_JSONL_BYTES = 64 * 1024 * 1024;

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
    const text = jsonlIn(folder, name);
    return text === null ? [] : [[name, text] as const];
  });
  const sessions = namesIn(join(folder, 'sessions'))
    .filter((name) => name.endsWith('.jsonl') && whyNotPlainName(name) === null)
    .map((name) => ({ name, text: jsonlIn(join(folder, 'sessions'), name) ?? '' }));
  return {
    id,
    brief: textIn(folder, 'brief.md'),
    notes: textIn(folder, 'notes.md'),
    records: new Map(records),
    sessions,
  };
}

export function presentIn(folder: string): PresentImage {
  const lines = (name: string) => new Set((jsonlIn(folder, name) ?? '').split('\n'));
  return {
    brief: textIn(folder, 'brief.md'),
    records: new Map(JSONL_FILES.map((name) => [name, lines(name)])),
    sessions: namesIn(join(folder, 'sessions')),
  };
}

/** How large each file is before; null where there is none. */
export function sizesOf(
  parts: readonly { folder: string; part: MissingPart }[],
): { path: string; before: number | null }[] {
  return parts.map(({ folder, part }) => {
    const path = join(folder, part.file);
    return { path, before: statSync(path, { throwIfNoEntry: false })?.size ?? null };
  });
}

/** Only behind a journal that says what was there before: broken off, all of it goes again. */
export function writeParts(parts: readonly { folder: string; scope: string | null; part: MissingPart }[]): void {
  for (const { folder, scope, part } of parts) {
    const path = join(folder, part.file);
    const reason = whyNotWritable(scope, path);
    if (reason !== null) throw Object.assign(new Error(reason), { code: 'EPERM' });
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    if (part.how === 'new') atomicWrite(path, part.text, part.mode, scope);
    else appendFileSync(path, existsSync(path) ? withLineEnd(path, part.text) : part.text, { mode: part.mode });
  }
}

function withLineEnd(path: string, text: string): string {
  const bytes = readPlainFile(path);
  return bytes.length === 0 || bytes.at(-1) === 0x0a ? text : `\n${text}`;
}

function textIn(folder: string, name: string): string | null {
  const file = readText(join(folder, name), null);
  return file.status === 'ok' ? file.value.text : null;
}

function jsonlIn(folder: string, name: string): string | null {
  const file = readText(join(folder, name), null);
  return file.status === 'ok' && file.value.text.length <= MAX_JSONL_BYTES ? file.value.text : null;
}
