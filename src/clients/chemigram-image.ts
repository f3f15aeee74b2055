import { safeEntry } from '../gate/proposals/transcript.ts';
import { isRecord, type JsonRecord } from '../json-record.ts';

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
