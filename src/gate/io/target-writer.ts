import { type BigIntStats, fstatSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BearingsError } from '../../errors.ts';
import type { WritableFile } from '../../files/file-layer.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { appendForm } from '../ledger/text-blocks.ts';
import type { ReplaceIntent } from '../proposals/intent.ts';
import { writeArchive } from './archive-file.ts';
import { clearIntent, finish, record, type Settled, saveIntent } from './intent-file.ts';
import {
  append,
  asIoError,
  changedAtOnce,
  currentText,
  type DecisionTarget,
  endOf,
  moveIntoFolder,
  openForAppend,
  replaceText,
  standsAs,
  swapText,
} from './target-text.ts';

const MAX_TRIES = 5;

// Intent, text, ledger, pending file, intent again: each on disk before the next begins. All under the domain's lock.
export function writeAppend(target: DecisionTarget, content: string, intent: Settled): void {
  if (intent.draft) return;
  for (let tries = 1; ; tries += 1) {
    const file = openForAppend(target);
    try {
      const before = fstatSync(file.fd, { bigint: true });
      const offset = Number(before.size);
      const text = appendForm(endOf(file, offset), content);
      const bytes = Buffer.from(text);
      saveIntent(target, { version: 1, kind: 'append', file: target.file, offset, text, ...intent });
      try {
        // Saved in place by an editor while we prepared: the text has to fit the new end.
        if (!isUnchanged(file, before) && tries < MAX_TRIES) continue;
        append(file, bytes);
        if (offset === 0) target.files.syncFolder(dirname(target.path));
        // An editor that saves by rename took the name away while we wrote: the text belongs in the new file.
        if (!isStillThere(target, before)) {
          if (tries < MAX_TRIES) continue;
          throw changedAtOnce(target);
        }
        record(target, intent);
      } catch (error) {
        if (cutOwnTail(file, offset, bytes)) clearIntent(target);
        throw asIoError(target, error);
      }
      finish(target, intent.pending);
      return;
    } finally {
      file.close();
    }
  }
}

export function writeReplacement(
  target: DecisionTarget,
  change: Settled & Pick<ReplaceIntent, 'block' | 'content'>,
): void {
  const before = currentText(target);
  const after = before === null ? null : replaceText(before, change);
  if (before === null || after === null) throw staleBlock(target);
  if (change.draft) return;
  saveIntent(target, {
    version: 1,
    kind: 'replace',
    file: target.file,
    before_sha256: sha256(before),
    after_sha256: sha256(after),
    ...change,
  });
  try {
    swapText(target, before, after);
    writeArchive(target, change.archive);
    record(target, change);
  } catch (error) {
    // Swapped but not recorded: the intent stays, and the next start records it.
    if (currentText(target) !== after) clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, change.pending);
}

// The person's own edit of the whole file, from the exact text she was shown.
export function writeRewrite(target: DecisionTarget, change: Settled & { before: string; after: string }): void {
  if (change.draft) return;
  const { before, after, ...settled } = change;
  const hashes = { before_sha256: sha256(before), after_sha256: sha256(after) };
  saveIntent(target, { version: 1, kind: 'rewrite', file: target.file, ...hashes, ...settled });
  try {
    swapText(target, before, after);
    writeArchive(target, settled.archive);
    record(target, settled);
  } catch (error) {
    // Swapped but not recorded: the intent stays, and the next start records it.
    if (!standsAs(target, hashes.after_sha256)) clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, settled.pending);
}

export function writeMove(target: DecisionTarget, intent: Settled): void {
  if (intent.draft) return;
  saveIntent(target, { version: 1, kind: 'move', file: target.file, ...intent });
  try {
    moveIntoFolder(target);
    record(target, intent);
  } catch (error) {
    // Moved but not recorded: the intent stays, and the next start records it.
    if (lstatSync(target.path, { throwIfNoEntry: false })) clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, intent.pending);
}

// A decision that changes no text (declined, or already there) is still made exactly once.
export function writeRecord(target: DecisionTarget, intent: Settled): void {
  if (intent.draft) return;
  saveIntent(target, { version: 1, kind: 'record', file: target.file, ...intent });
  try {
    record(target, intent);
  } catch (error) {
    clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, intent.pending);
}

function isUnchanged(file: WritableFile, before: BigIntStats): boolean {
  const now = fstatSync(file.fd, { bigint: true });
  return now.size === before.size && now.mtimeNs === before.mtimeNs;
}

function isStillThere(target: DecisionTarget, opened: BigIntStats): boolean {
  const there = statSync(target.path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === opened.ino && there.dev === opened.dev;
}

// True when what came after `offset` was ours and is gone. Bytes of somebody else stay, and so does the intent.
function cutOwnTail(file: WritableFile, offset: number, bytes: Buffer): boolean {
  const { size } = fstatSync(file.fd);
  const tail = readRange(file.fd, offset, Math.max(0, size - offset));
  if (size < offset || tail.length > bytes.length || !bytes.subarray(0, tail.length).equals(tail)) return false;
  file.truncate(offset);
  file.sync();
  return true;
}

function staleBlock(target: DecisionTarget): BearingsError {
  return new BearingsError('stale', `The block to replace is no longer in ${target.file}.`, {
    hint: 'Decline this proposal and ask for a new one.',
  });
}
