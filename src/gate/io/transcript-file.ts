import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { whyNotOpened } from '../../files/writable-place.ts';
import { entrySafety, type TranscriptEntry } from '../sessions/transcript.ts';

export interface Transcript {
  /** Several at once are one write. */
  append(...entries: TranscriptEntry[]): void;
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// One object a line, handed to the system at once. An existing transcript is only ever added to.
export function openTranscript(path: string, now: () => Date, scope: string | null = null): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const safe = entrySafety(sha256);
  const lineOf = ({ type, ...rest }: TranscriptEntry, at: string): string =>
    `${JSON.stringify({ type, at, ...safe(type, rest) })}\n`;
  return {
    append(...entries) {
      const at = now().toISOString();
      const lines = entries.map((entry) => lineOf(entry, at)).join('');
      const fd = openSync(path, FLAGS, 0o600);
      try {
        const reason = whyNotOpened(scope, path, fd);
        if (reason !== null) throw new Error(`the transcript can't be written: ${reason}`);
        const { size } = fstatSync(fd);
        // A torn last line spoils only itself.
        const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
        writeSync(fd, isTorn ? `\n${lines}` : lines);
      } finally {
        closeSync(fd);
      }
    },
  };
}

// The standing session's transcript, where one was begun before.
export function findTranscript(sessions: string, id: string): string | null {
  try {
    const name = readdirSync(sessions).find((candidate) => candidate.endsWith(`_${id}.jsonl`));
    return name ? join(sessions, name) : null;
  } catch {
    return null;
  }
}
