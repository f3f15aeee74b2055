import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { whyNotOpened } from '../../files/writable-place.ts';
import { entrySafety, type TranscriptEntry } from '../proposals/transcript.ts';

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
