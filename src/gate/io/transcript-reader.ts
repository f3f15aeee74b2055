import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFile } from '../../files/open-file.ts';
import { staysInside } from '../../files/path-scope.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { whyNotOpened } from '../../files/writable-place.ts';
import { isRecord, type JsonRecord } from '../../json-record.ts';
import { entrySafety, type TranscriptEntry } from '../proposals/transcript.ts';

const EDGE_BYTES = 64 * 1024;
const LF = 0x0a;
const NO_EDGES: TranscriptEdges = { first: null, last: null, end: null };
// What may happen to a proposal when its session is over.
const AFTER_THE_END = new Set(['shown', 'decision', 'revived']);

/** A transcript as its two ends tell it. */
export interface TranscriptEdges {
  first: JsonRecord | null;
  last: JsonRecord | null;
  /** The footer; what was decided later may come after it. */
  end: JsonRecord | null;
}

export interface TranscriptSummary extends TranscriptEdges {
  path: string;
  /** As the file's name says. */
  session_id: string;
  entries: number;
  /** The last line was cut off by a crash. */
  torn: boolean;
}

export interface TranscriptText {
  entries: JsonRecord[];
  /** Lines that hold no record. */
  unreadable: number;
  torn: boolean;
}

/** A transcript's file, and what a link may not lead out of. */
export interface TranscriptFile {
  path: string;
  scope: string | null;
  session_id: string;
}

export function transcriptPaths(sessions: string, scope: string | null): TranscriptFile[] {
  if (scope !== null && !staysInside(scope, sessions)) return [];
  try {
    return readdirSync(sessions)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => ({
        path: join(sessions, name),
        scope,
        session_id: name.slice(name.indexOf('_') + 1, -'.jsonl'.length),
      }));
  } catch {
    return [];
  }
}

// Lines are counted, not parsed: a list costs no more than reading.
export function summariseTranscript({ path, scope, session_id }: TranscriptFile): TranscriptSummary {
  const read = withFile(path, scope, ({ fd, size }) => {
    let lines = 0;
    let end = -1;
    for (let position = 0; position < size; position += EDGE_BYTES * 16) {
      const bytes = readRange(fd, position, Math.min(EDGE_BYTES * 16, size - position));
      for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1;
      end = bytes.at(-1) ?? end;
    }
    return { entries: lines, ...edges(fd, size), torn: size > 0 && end !== LF };
  });
  const value = read.status === 'ok' ? read.value : { entries: 0, ...NO_EDGES, torn: false };
  return { path, session_id, ...value };
}

/** The two ends alone, however long it is. */
export function edgesOf({ path, scope }: TranscriptFile): TranscriptEdges {
  const read = withFile(path, scope, ({ fd, size }) => edges(fd, size));
  return read.status === 'ok' ? read.value : NO_EDGES;
}

function edges(fd: number, size: number): TranscriptEdges {
  const head = readRange(fd, 0, Math.min(size, EDGE_BYTES)).toString('utf8').split('\n');
  const from = Math.max(0, size - EDGE_BYTES);
  const tail = readRange(fd, from, size - from)
    .toString('utf8')
    .split('\n')
    .map(parsed)
    .filter((record) => record !== null);
  const own = tail.findLast(({ type }) => !AFTER_THE_END.has(String(type)));
  return { first: parsed(head[0] ?? ''), last: tail.at(-1) ?? null, end: own?.type === 'session_end' ? own : null };
}

/** Only if its bytes hold these: most transcripts need not be parsed to know that they say nothing of it. */
export function entriesHolding({ path, scope }: TranscriptFile, part: string): JsonRecord[] {
  const read = withFile(path, scope, ({ fd, size }) => {
    const bytes = readRange(fd, 0, size);
    return bytes.includes(part) ? bytes.toString('utf8') : '';
  });
  return textOf(read.status === 'ok' ? read.value : '').entries;
}

export function readTranscript({ path, scope }: TranscriptFile): TranscriptText {
  const read = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  return textOf(read.status === 'ok' ? read.value : '');
}

function textOf(text: string): TranscriptText {
  const lines = text.split('\n');
  const torn = lines.pop() !== '';
  const entries = lines.map(parsed).filter((record) => record !== null);
  return { entries, unreadable: lines.length - entries.length, torn };
}

/** Records whose text holds these words, in any case; at most so many. */
export function searchTranscript({ path, scope }: TranscriptFile, words: string, most: number): JsonRecord[] {
  const read = withFile(path, scope, ({ fd, size }) => {
    const text = readRange(fd, 0, size).toString('utf8');
    // As it is in the file: quotes and line ends are escaped there.
    const written = JSON.stringify(words).slice(1, -1);
    const pattern = new RegExp(written.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
    const found: JsonRecord[] = [];
    while (found.length < most) {
      const hit = pattern.exec(text);
      if (!hit) break;
      const start = text.lastIndexOf('\n', hit.index) + 1;
      const end = text.indexOf('\n', hit.index);
      const record = parsed(text.slice(start, end === -1 ? undefined : end));
      if (record) found.push(record);
      if (end === -1) break;
      pattern.lastIndex = end;
    }
    return found;
  });
  return read.status === 'ok' ? read.value : [];
}

function parsed(line: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export interface Transcript {
  /** Several at once are one write. */
  append(...entries: TranscriptEntry[]): void;
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// One object a line, handed to the system at once. An existing transcript is only ever added to. The header goes with the
// first entries in one write: where two processes begin at once it may be there twice, but nothing comes before it.
export function openTranscript(
  path: string,
  now: () => Date,
  { scope, header }: { scope: string | null; header: TranscriptEntry | null },
): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const safe = entrySafety(sha256);
  const lineOf = ({ type, ...rest }: TranscriptEntry, at: string): string =>
    `${JSON.stringify({ type, at, ...safe(type, rest) })}\n`;
  return {
    append(...entries) {
      const at = now().toISOString();
      const fd = openSync(path, FLAGS, 0o600);
      try {
        const reason = whyNotOpened(scope, path, fd);
        if (reason !== null) throw new Error(`the transcript can't be written: ${reason}`);
        const { size } = fstatSync(fd);
        const all = size === 0 && header !== null ? [header, ...entries] : entries;
        const lines = all.map((entry) => lineOf(entry, at)).join('');
        // A torn last line spoils only itself.
        const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
        writeSync(fd, isTorn ? `\n${lines}` : lines);
      } finally {
        closeSync(fd);
      }
    },
  };
}

// Where one was begun before. A home may hold two of the standing session: all processes add to the same one.
export function findTranscript(sessions: string, id: string): string | null {
  try {
    const [name] = readdirSync(sessions)
      .filter((candidate) => candidate.endsWith(`_${id}.jsonl`))
      .sort();
    return name ? join(sessions, name) : null;
  } catch {
    return null;
  }
}
