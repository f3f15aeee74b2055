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
const IDLE_MS = 1000;

// One object a line, handed to the system at once. An existing transcript is only ever added to. The file stays open
// while entries follow each other and is closed after a quiet second or two: a session may last for days.
export function openTranscript(path: string, now: () => Date, scope: string | null = null): Transcript {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const safe = entrySafety(sha256);
  const lineOf = ({ type, ...rest }: TranscriptEntry, at: string): string =>
    `${JSON.stringify({ type, at, ...safe(type, rest) })}\n`;
  let open: { fd: number; size: number; idle: NodeJS.Timeout; used: boolean } | null = null;
  const close = (): void => {
    if (!open) return;
    clearTimeout(open.idle);
    closeSync(open.fd);
    open = null;
  };
  const closeIfIdle = (): void => {
    if (open?.used) {
      open.used = false;
      open.idle.refresh();
    } else close();
  };
  // Still the file we left: not taken away, not added to by another process.
  const isAsLeft = (fd: number, size: number): boolean => {
    const stat = fstatSync(fd);
    return stat.nlink > 0 && stat.size === size;
  };
  return {
    append(...entries) {
      if (open && !isAsLeft(open.fd, open.size)) close();
      const begun = open ? { fd: open.fd, size: open.size, torn: false } : begin(path, scope);
      try {
        const at = now().toISOString();
        let lines = begun.torn ? '\n' : '';
        for (const entry of entries) lines += lineOf(entry, at);
        const written = writeSync(begun.fd, lines);
        if (open) {
          open.size += written;
          open.used = true;
        } else {
          const idle = setTimeout(closeIfIdle, IDLE_MS).unref();
          open = { fd: begun.fd, size: begun.size + written, idle, used: false };
        }
      } catch (error) {
        if (open) close();
        else closeSync(begun.fd);
        throw error;
      }
    },
  };
}

function begin(path: string, scope: string | null): { fd: number; size: number; torn: boolean } {
  const fd = openSync(path, FLAGS, 0o600);
  try {
    const reason = whyNotOpened(scope, path, fd);
    if (reason !== null) throw new Error(`the transcript can't be written: ${reason}`);
    const { size } = fstatSync(fd);
    // A torn last line spoils only itself.
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
    return { fd, size, torn };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
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
