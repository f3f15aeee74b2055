import { closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { safeEntry, type TranscriptEntry } from '../proposals/transcript.ts';
import { readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

export interface Transcript {
  append(entry: TranscriptEntry): void;
  close(): void;
}

// One object a line, handed to the system at once. An existing transcript is only ever added to.
export function openTranscript(path: string, now: () => Date): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const { size } = fstatSync(fd);
  // A torn last line spoils only itself.
  if (size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a) writeSync(fd, '\n');
  let open = true;
  return {
    append(entry) {
      const { type, ...rest } = entry;
      writeSync(fd, `${JSON.stringify({ type, at: now().toISOString(), ...safeEntry(rest, sha256) })}\n`);
    },
    close() {
      if (open) closeSync(fd);
      open = false;
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
