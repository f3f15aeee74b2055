import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { safeEntry, type TranscriptEntry } from '../proposals/transcript.ts';
import { readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

export interface Transcript {
  append(entry: TranscriptEntry): void;
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// One object a line, handed to the system at once. An existing transcript is only ever added to. Nothing stays open
// between two entries: a session may last for days.
export function openTranscript(path: string, now: () => Date): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    append(entry) {
      const { type, ...rest } = entry;
      const line = `${JSON.stringify({ type, at: now().toISOString(), ...safeEntry(rest, sha256) })}\n`;
      const fd = openSync(path, FLAGS, 0o600);
      try {
        const stat = fstatSync(fd);
        if (!stat.isFile()) throw new Error('the transcript is not a regular file');
        // A torn last line spoils only itself.
        const torn = stat.size > 0 && readRange(fd, stat.size - 1, 1)[0] !== 0x0a;
        writeSync(fd, `${torn ? '\n' : ''}${line}`);
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
