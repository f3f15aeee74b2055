import { isUtf8 } from 'node:buffer';
import {
  type BigIntStats,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError } from '../errors.ts';
import {
  type AppendIntent,
  contentOf,
  decodeIntent,
  encodeIntent,
  type Intent,
  planAppendRecovery,
  type RecordIntent,
  type ReplaceIntent,
} from '../proposals/intent.ts';
import { appendForm, type FileEnd, fileEndOf, findBlock, replaceBlock } from '../proposals/text-blocks.ts';
import type { BlockIndex } from './block-index.ts';
import type { FileLayer, WritableFile } from './file-layer.ts';
import type { LedgerFile } from './ledger-file.ts';
import { withFile } from './open-file.ts';
import { realPath, staysInside } from './path-scope.ts';
import { decode, readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';
import { codeOf, reasonOf } from './system-error.ts';

/** One file that decisions may change, with everything that makes the change exactly once. */
export interface DecisionTarget extends DecisionDomain {
  file: string;
  path: string;
}

/** Files that share one lock, one ledger and one intent: a workspace's notes, or the tastes folder. */
export interface DecisionDomain {
  folder: string;
  scope: string | null;
  intentPath: string;
  /** Where replaced versions are kept. */
  earlier: string;
  ledger: LedgerFile;
  index: BlockIndex;
  files: FileLayer;
}

/** What every decision brings along: the signed line, and the pending file that goes once it is recorded. */
type Settled = Pick<RecordIntent, 'proposal_id' | 'ledger_line' | 'pending'>;

const TAIL_BYTES = 64 * 1024;
const MAX_TRIES = 5;
const DRAFT_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const BYTE_ORDER_MARK = '\ufeff';

export function targetIn(domain: DecisionDomain, file: string): DecisionTarget {
  return { ...domain, file, path: join(domain.folder, file) };
}

// Intent, text, ledger, pending file, intent again: each on disk before the next begins. All under the domain's lock.
export function writeAppend(target: DecisionTarget, content: string, intent: Settled): void {
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
        // An editor that saves by rename took the name away while we wrote: the text belongs into the new file.
        if (!isStillThere(target, before)) {
          if (tries < MAX_TRIES) continue;
          throw changedAtOnce(target);
        }
        target.ledger.append(intent.ledger_line);
      } catch (error) {
        if (cutOwnTail(file, offset, bytes)) clearIntent(target);
        throw asIoError(target, error);
      }
      finish(target, intent.pending);
      target.index.appended(target.path, before, text);
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
    target.ledger.append(change.ledger_line);
  } catch (error) {
    // Swapped but not recorded: the intent stays, and the next start records it.
    if (currentText(target) !== after) clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, change.pending);
}

// The person's own edit of the whole file, from the exact text she was shown.
export function writeRewrite(target: DecisionTarget, change: Settled & { before: string; after: string }): void {
  const { before, after, ...settled } = change;
  const hashes = { before_sha256: sha256(before), after_sha256: sha256(after) };
  saveIntent(target, { version: 1, kind: 'rewrite', file: target.file, ...hashes, ...settled });
  try {
    swapText(target, before, after);
    target.ledger.append(settled.ledger_line);
  } catch (error) {
    // Swapped but not recorded: the intent stays, and the next start records it.
    if (!standsAs(target, hashes.after_sha256)) clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, settled.pending);
}

// A decision that changes no text (declined, or already there) is still made exactly once.
export function writeRecord(target: DecisionTarget, intent: Settled): void {
  saveIntent(target, { version: 1, kind: 'record', file: target.file, ...intent });
  try {
    target.ledger.append(intent.ledger_line);
  } catch (error) {
    clearIntent(target);
    throw asIoError(target, error);
  }
  finish(target, intent.pending);
}

export function hasIntent(domain: DecisionDomain): boolean {
  return (statSync(domain.intentPath, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

// What a process that died left behind is brought to its end, or to its beginning; never left half way.
export function recover(domain: DecisionDomain): void {
  const intent = readIntent(domain);
  if (!intent) return;
  const target = targetIn(domain, intent.file);
  try {
    if (intent.kind === 'append') recoverAppend(target, intent);
    // Not swapped, or changed by hand since: nothing was decided, and the person is asked again.
    const undone = intent.kind === 'rewrite' && !standsAs(target, intent.after_sha256);
    if (undone || (intent.kind === 'replace' && !recoverReplacement(target, intent))) {
      clearIntent(target);
      return;
    }
  } catch (error) {
    throw asIoError(target, error);
  }
  if (!target.ledger.endsWith(intent.ledger_line)) target.ledger.append(intent.ledger_line);
  finish(target, intent.pending);
}

function recoverAppend(target: DecisionTarget, intent: AppendIntent): void {
  const file = openForAppend(target);
  try {
    const bytes = Buffer.from(intent.text);
    const { size } = fstatSync(file.fd);
    const tail =
      size < intent.offset ? null : readRange(file.fd, intent.offset, Math.min(size - intent.offset, bytes.length));
    const plan = planAppendRecovery(bytes, tail, () =>
      target.index.holds(target.path, target.scope, contentOf(intent)),
    );
    if (plan.step === 'complete') append(file, bytes.subarray(plan.from));
    if (plan.step === 'append_again') {
      const text = appendForm(endOf(file, size), intent.text);
      // A second crash must find where this attempt began.
      saveIntent(target, { ...intent, offset: size, text });
      append(file, Buffer.from(text));
    }
    file.sync();
    target.files.syncFolder(dirname(target.path));
  } finally {
    file.close();
  }
}

// False: the text it meant is gone, so nothing was decided and the proposal still waits.
function recoverReplacement(target: DecisionTarget, intent: ReplaceIntent): boolean {
  const current = currentText(target);
  if (current === null) return false;
  if (sha256(current) === intent.after_sha256) return true;
  const after = replaceText(current, intent);
  if (after === null) return findBlock(current, intent.content) !== null;
  swapText(target, current, after);
  return true;
}

function standsAs(target: DecisionTarget, hash: string): boolean {
  const text = currentText(target);
  return text !== null && sha256(text) === hash;
}

// By rename: a reader sees the old text or the new one. The old one is kept beside.
function swapText(target: DecisionTarget, before: string, after: string): void {
  const real = realPath(target.path) ?? target.path;
  const draft = join(dirname(real), `.${basename(real)}.draft`);
  try {
    const file = target.files.open(draft, DRAFT_FLAGS, statSync(real).mode & 0o777);
    try {
      append(file, Buffer.from(after));
    } finally {
      file.close();
    }
    keepEarlier(target, real, sha256(before));
    if (currentText(target) !== before) throw changedAtOnce(target);
    target.files.rename(draft, real);
  } catch (error) {
    if (lstatSync(draft, { throwIfNoEntry: false })) target.files.unlink(draft);
    throw error;
  }
  target.files.syncFolder(dirname(real));
}

// Null where there is none. Bytes that are no text would not come back as they were, so such a file is left alone.
function currentText(target: DecisionTarget): string | null {
  const read = withFile(target.path, target.scope, ({ fd, size }) => readRange(fd, 0, size));
  if (read.status === 'missing') return null;
  if (read.status === 'unreadable') throw refused(target, read.reason);
  if (!isUtf8(read.value)) throw refused(target, 'it is not UTF-8 text');
  return read.value.toString('utf8');
}

function replaceText(text: string, change: Pick<ReplaceIntent, 'block' | 'content'>): string | null {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const after = replaceBlock(text.slice(mark.length), change.block, change.content);
  return after === null ? null : mark + after;
}

function keepEarlier(target: DecisionTarget, real: string, hash: string): void {
  mkdirSync(target.earlier, { recursive: true, mode: 0o700 });
  const copy = join(target.earlier, `${basename(real)}.${hash.slice(0, 16)}`);
  try {
    linkSync(real, copy);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') copyFileSync(real, copy);
  }
}

// A new file is made here; a link may lead only where its scope allows, and nothing but a regular file is written.
function openForAppend(target: DecisionTarget): WritableFile {
  let file: WritableFile;
  try {
    mkdirSync(dirname(target.path), { recursive: true });
    const link = lstatSync(target.path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    if (target.scope !== null && !staysInside(target.scope, target.path))
      throw refused(target, 'its link leads out of the folder');
    const noFollow = link ? 0 : constants.O_NOFOLLOW;
    file = target.files.open(
      target.path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | noFollow,
      0o644,
    );
  } catch (error) {
    throw asIoError(target, error);
  }
  const stat: BigIntStats = fstatSync(file.fd, { bigint: true });
  if (stat.isFile()) return file;
  file.close();
  throw refused(target, 'it is not a regular file');
}

function append(file: WritableFile, bytes: Buffer): void {
  if (bytes.length > 0 && file.write(bytes) !== bytes.length)
    throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
  file.sync();
}

function endOf(file: WritableFile, size: number): FileEnd {
  const from = Math.max(0, size - TAIL_BYTES);
  return fileEndOf(decode(readRange(file.fd, from, size - from), false).text);
}

function isUnchanged(file: WritableFile, before: BigIntStats): boolean {
  const now = fstatSync(file.fd, { bigint: true });
  return now.size === before.size && now.mtimeNs === before.mtimeNs;
}

function isStillThere(target: DecisionTarget, opened: BigIntStats): boolean {
  const there = statSync(target.path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === opened.ino && there.dev === opened.dev;
}

// True when what stands behind `offset` was ours and is gone. Bytes of somebody else stay, and so does the intent.
function cutOwnTail(file: WritableFile, offset: number, bytes: Buffer): boolean {
  const { size } = fstatSync(file.fd);
  const tail = readRange(file.fd, offset, Math.max(0, size - offset));
  if (size < offset || tail.length > bytes.length || !bytes.subarray(0, tail.length).equals(tail)) return false;
  file.truncate(offset);
  file.sync();
  return true;
}

// The decision stands by now. Where its proposal can't be taken away, the intent stays and says that it is decided.
function finish(target: DecisionTarget, pending: string | null): void {
  try {
    if (pending !== null && lstatSync(pending, { throwIfNoEntry: false })) {
      target.files.unlink(pending);
      target.files.syncFolder(dirname(pending));
    }
    clearIntent(target);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new BearingsError(
      'io_error',
      `The decision is written, but its proposal can't be put away: ${reasonOf(error)}.`,
      {
        hint: 'Mend the folder of the sessions; the next call puts it away.',
        cause: error,
      },
    );
  }
}

function saveIntent(target: DecisionTarget, intent: Intent): void {
  mkdirSync(dirname(target.intentPath), { recursive: true, mode: 0o700 });
  const isNew = lstatSync(target.intentPath, { throwIfNoEntry: false }) === undefined;
  const file = target.files.open(
    target.intentPath,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    append(file, Buffer.from(encodeIntent(intent, sha256)));
  } finally {
    file.close();
  }
  if (isNew) target.files.syncFolder(dirname(target.intentPath));
}

function readIntent(domain: DecisionDomain): Intent | null {
  const read = withFile(domain.intentPath, null, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  if (read.status === 'ok') return decodeIntent(read.value, sha256);
  if (read.status === 'missing') return null;
  // Not read is not the same as not there: going on could write a text twice.
  throw new BearingsError('io_error', `What was begun before can't be read: ${read.reason}.`, {
    hint: 'Mend the folder intents in the home, then try again.',
  });
}

function clearIntent(target: DecisionTarget): void {
  const file = target.files.open(
    target.intentPath,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
    0o600,
  );
  file.close();
}

function changedAtOnce(target: DecisionTarget): BearingsError {
  return new BearingsError('conflict', `${target.file} was changed at the same moment; nothing was written.`, {
    hint: 'Look again, then decide.',
  });
}

function staleBlock(target: DecisionTarget): BearingsError {
  return new BearingsError('stale', `The block to replace no longer stands in ${target.file}.`, {
    hint: 'Decline this proposal and ask for a new one.',
  });
}

function asIoError(target: DecisionTarget, error: unknown): unknown {
  return error instanceof BearingsError || codeOf(error) === '' ? error : refused(target, reasonOf(error), error);
}

function refused(target: DecisionTarget, reason: string, cause?: unknown): BearingsError {
  return new BearingsError('io_error', `${target.file} can't be written: ${reason}. The proposal still waits.`, {
    cause,
  });
}
