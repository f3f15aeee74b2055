import { BearingsError } from '../../errors.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AccountedFile } from '../domains/accounted-files.ts';
import { decisionsOn } from '../domains/read-accounts.ts';
import { type Change, earlierText } from '../standing/earlier-text.ts';
import { type HistoryEntry, historyOf, orderOf } from '../standing/history.ts';

/** Those after a place of the history that changed the text, the oldest first. */
export function laterThan(history: readonly HistoryEntry[], at: number): HistoryEntry[] {
  return history.slice(at + 1).filter(({ changed_text }) => changed_text);
}

export function withoutChanges(text: string, changes: readonly Change[], order: readonly string[]): string {
  return changes.reduce((before, change) => earlierText(before, change, { order, sha256 }).text, text);
}

/** A file as it was at a time, by taking back every later decision, the newest first; null: there was none. */
export function textAt(place: AccountedFile, time: string): string | null {
  const history = historyOf(decisionsOn(place));
  const now = textOf(place);
  const at = history.findLastIndex((entry) => entry.at <= time);
  const later = laterThan(history, at);
  const then = withoutChanges(now ?? '', later.reverse(), orderOf(history));
  return then === '' && (now === null || later.length > 0) ? null : then;
}

/** Null: it is not there. */
export function textOf(place: AccountedFile): string | null {
  const read = readExact(place.path, place.scope);
  if (read.status === 'missing') return null;
  if (read.status === 'ok' && read.value.valid) return read.value.text;
  throw new BearingsError(
    'io_error',
    `${place.target} can't be read: ${read.status === 'ok' ? 'it is not UTF-8 text' : read.reason}.`,
    { hint: 'Fix the file, then try again.' },
  );
}
