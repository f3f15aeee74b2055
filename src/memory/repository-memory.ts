import { splitLines } from '../code-points.ts';
import type { FileResult } from '../files/read-file.ts';
import { isRecord, type JsonRecord, RECENT_RECORDS } from '../json.ts';
import { findInFile, isHalfKey } from '../safety/clean-text.ts';
import { redact } from '../safety/secret-literals.ts';
import { NOTES_HEAD_LINES, type NotesText } from './brief-and-notes.ts';
import type { ContextSource } from './read-context.ts';

export type Scanned = ReturnType<typeof scanText>;

// A longer text is cut here: what was not scanned is not served.
const MOST_SCANNED = 1_000_000;
const MOST_WARNINGS = 20;
const SHORTEST_SECRET = 8;
const MOST_REMEMBERED = 2_000_000;

// A server reads the same texts at each call. In the memory of this process only.
const remembered = new Map<string, ReturnType<typeof findInFile>>();
let rememberedLength = 0;

function findAgain(text: string): ReturnType<typeof findInFile> {
  const known = remembered.get(text);
  if (known) return known;
  const found = findInFile(text);
  if (rememberedLength + text.length > MOST_REMEMBERED) {
    remembered.clear();
    rememberedLength = 0;
  }
  remembered.set(text, found);
  rememberedLength += text.length;
  return found;
}

// The memory of a repository is text of others: what is a secret by its shape is replaced by its class, line by line, and
// what only may be one is left and told.
export function scanText(name: string, text: string, firstLine = 1): { text: string; warnings: string[] } {
  const warnings: string[] = [];
  const seen = text.length > MOST_SCANNED ? text.slice(0, MOST_SCANNED) : text;
  if (seen.length < text.length) warnings.push(`${name} is too long to be scanned for secrets: its end is left out.`);
  const { found, certain } = findAgain(seen);
  if (isHalfKey(seen, certain)) return { text: '', warnings: [`${name} holds half a private key and is left out.`] };
  const lineOf = (at: number) => firstLine + splitLines(`${seen.slice(0, at)}x`).length - 1;
  // The line of each is counted from the top: of very many only the first are told.
  for (const { kind, start, certainty } of found.slice(0, MOST_WARNINGS))
    warnings.push(
      certainty === 'certain'
        ? `${name}:${lineOf(start)}: ${kind} is replaced by its class.`
        : `${name}:${lineOf(start)}: what may be a secret (${kind}) is left as it is.`,
    );
  const more = found.length - MOST_WARNINGS;
  if (more > 0) warnings.push(`${name}: ${more} more findings.`);
  return { text: redact(seen, certain, true), warnings };
}

/** The source of a context with all that comes from the repository scanned. Tastes are the person's own. */
export function scannedSource(source: ContextSource): { source: ContextSource; warnings: string[] } {
  const warnings: string[] = [];
  const scan: Scan = (name, text, firstLine) => {
    const scanned = scanText(name, text, firstLine);
    warnings.push(...scanned.warnings);
    return scanned.text;
  };
  const brief = mapped(source.brief(), (file) => ({ ...file, text: scan('brief.md', file.text) }));
  const notes = mapped(source.notes(), ({ notes: all, valid }) => ({ notes: scannedNotes(all, scan), valid }));
  const records = (name: 'log.jsonl' | 'vocabulary_gaps.jsonl') =>
    mapped(source.lastRecords(name, RECENT_RECORDS), (tail) => ({
      ...tail,
      records: scannedRecords(name, tail.records, warnings),
    }));
  const tails = { 'log.jsonl': records('log.jsonl'), 'vocabulary_gaps.jsonl': records('vocabulary_gaps.jsonl') };
  return {
    source: { ...source, brief: () => brief, notes: () => notes, lastRecords: (name) => tails[name] },
    warnings,
  };
}

type Scan = (name: string, text: string, firstLine?: number) => string;

function scannedNotes({ text, totalLines }: NotesText, scan: Scan): NotesText {
  const lines = splitLines(text);
  if (lines.length === totalLines) return { text: scan('notes.md', text), totalLines };
  const [head, tail] = [lines.slice(0, NOTES_HEAD_LINES), lines.slice(NOTES_HEAD_LINES)];
  // Each keeps its number of lines, also where nothing of it is left.
  const end = (part: string[], firstLine: number) =>
    scan('notes.md', part.join('\n'), firstLine) || part.fill('').join('\n');
  return { text: `${end(head, 1)}\n${end(tail, totalLines - tail.length + 1)}\n`, totalLines };
}

function scannedRecords(name: string, records: JsonRecord[], warnings: string[]): JsonRecord[] {
  return records.map((record, index) => {
    const kinds = new Set<string>();
    const clean = (value: unknown): unknown => {
      if (typeof value === 'string') {
        if (value.length < SHORTEST_SECRET) return value;
        const { certain } = findAgain(value);
        for (const { kind } of certain) kinds.add(kind);
        return redact(value, certain, true);
      }
      if (Array.isArray(value)) return value.map(clean);
      if (!isRecord(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [clean(key), clean(field)]));
    };
    const scanned = clean(record) as JsonRecord;
    if (kinds.size > 0)
      warnings.push(`${name}, record ${index + 1} from the end: ${[...kinds].join(', ')} is replaced by its class.`);
    return scanned;
  });
}

function mapped<T>(read: FileResult<T>, change: (value: T) => T): FileResult<T> {
  return read.status === 'ok' ? { status: 'ok', value: change(read.value) } : read;
}
