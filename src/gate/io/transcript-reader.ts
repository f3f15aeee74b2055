import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFile } from '../../files/open-file.ts';
import { staysInside } from '../../files/path-scope.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { namesIn } from '../../files/text-copies.ts';
import { whyNotOpened } from '../../files/writable-place.ts';
import { isRecord, type JsonRecord, parseRecord } from '../../json-record.ts';
import { entrySafety, type TranscriptEntry } from '../proposals/transcript.ts';

// What may happen to a proposal when its session is over.
const AFTER_THE_END = new Set<unknown>(['shown', 'decision', 'revived']);

/** A transcript as its two ends tell it. */
export interface TranscriptSummary {
  first: JsonRecord | null;
  last: JsonRecord | null;
  /** The footer; what was decided later may come after it. */
  end: JsonRecord | null;
  entries: number;
  /** The last line was cut off by a crash. */
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
  return transcriptNames(sessions).map((name) => ({
    path: join(sessions, name),
    scope,
    session_id: name.slice(name.indexOf('_') + 1, -'.jsonl'.length),
  }));
}

// Its whole lines; what comes after the last line end is torn.
function linesOf({ path, scope }: TranscriptFile): { lines: string[]; torn: boolean } {
  const read = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  const lines = (read.status === 'ok' ? read.value : '').split('\n');
  return { torn: lines.pop() !== '', lines };
}

// Only the ends are parsed: a list of many sessions costs no more than reading.
export function summariseTranscript(file: TranscriptFile): TranscriptSummary {
  const { lines, torn } = linesOf(file);
  const isOver = ({ type }: JsonRecord) => !AFTER_THE_END.has(type);
  const fromEnd = (isIt: (record: JsonRecord) => boolean): JsonRecord | null => {
    for (let at = lines.length - 1; at >= 0; at -= 1) {
      const record = parseRecord(lines[at] ?? '');
      if (record && isIt(record)) return record;
    }
    return null;
  };
  const own = fromEnd(isOver);
  return {
    ...{ entries: lines.length, torn, first: parseRecord(lines[0] ?? '') ?? null, last: fromEnd(() => true) },
    end: own?.type === 'session_end' ? own : null,
  };
}

/** `unreadable`: lines that hold no record. */
export function readTranscript(file: TranscriptFile) {
  const { lines, torn } = linesOf(file);
  const entries = lines.map(parseRecord).filter(isRecord);
  return { entries, unreadable: lines.length - entries.length, torn };
}

/** Records whose text holds these words, in any case; at most so many. */
export function searchTranscript(file: TranscriptFile, words: string, most: number): JsonRecord[] {
  // As it is in the file: quotes and line ends are escaped there.
  const written = JSON.stringify(words).slice(1, -1).toLowerCase();
  const { lines } = linesOf(file);
  return lines
    .filter((line) => line.toLowerCase().includes(written))
    .map(parseRecord)
    .filter(isRecord)
    .slice(0, most);
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// One object a line, handed to the system at once; several are one write. An existing transcript is only ever added to. The
// header goes with the first entries: where two processes begin at once it may be there twice, but nothing comes before it.
export function openTranscript(
  path: string,
  now: () => Date,
  { scope, header }: { scope: string | null; header: TranscriptEntry | null },
) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const safe = entrySafety(sha256);
  const lineOf = ({ type, ...rest }: TranscriptEntry, at: string): string =>
    `${JSON.stringify({ type, at, ...safe(type, rest) })}\n`;
  return {
    append(...entries: TranscriptEntry[]): void {
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
  const name = transcriptNames(sessions).find((candidate) => candidate.endsWith(`_${id}.jsonl`));
  return name === undefined ? null : join(sessions, name);
}

function transcriptNames(sessions: string): string[] {
  return namesIn(sessions).filter((name) => name.endsWith('.jsonl'));
}
