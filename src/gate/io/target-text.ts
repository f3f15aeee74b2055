import { isUtf8 } from 'node:buffer';
import { constants, copyFileSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError, codeOf, conflict, ioFault, reasonOf } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { realPath } from '../../files/paths.ts';
import { decode, noFollow, readRange, whyNotOpened, whyNotWritable, withFile } from '../../files/read-file.ts';
import { type FileLayer, fileMode, folderMode, type WritableFile } from '../../files/write-file.ts';
import { ARCHIVE } from '../../memory/brief-and-notes.ts';
import type { Sha256 } from '../ledger/entry.ts';
import { type FileEnd, fileEndOf, holdsBlocks, replaceBlock } from '../ledger/text-blocks.ts';
import { type ArchiveChange, archiveAfter } from '../standing/tidy.ts';
import type { LedgerFile, LedgerLocation } from './ledger-file.ts';
import type { StandingLocation } from './read-standing.ts';

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
  at: LedgerLocation & Partial<Pick<StandingLocation, 'locate'>>;
  ledger: LedgerFile;
  /** For the first decision in this folder; null: this is the home itself. */
  homeLedger: LedgerFile | null;
  files: FileLayer;
}

const TAIL_BYTES = 64 * 1024;
/** A file of ours, written again; never through a link. */
export const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const BYTE_ORDER_MARK = '\ufeff';

export function targetIn(domain: DecisionDomain, file: string): DecisionTarget {
  const { path, scope } = domain.at.locate?.(file) ?? { path: join(domain.folder, file), scope: domain.scope };
  return { ...domain, file, path, scope };
}

// Null where there is none. Bytes that are not text would not come back as they were, so such a file is left alone.
export function currentText({ path, scope, file }: Pick<DecisionTarget, 'path' | 'scope' | 'file'>): string | null {
  const read = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, size));
  if (read.status === 'missing') return null;
  const reason = read.status === 'unreadable' ? read.reason : isUtf8(read.value) ? null : 'it is not UTF-8 text';
  if (read.status === 'ok' && reason === null) return read.value.toString('utf8');
  throw ioFault(`${file} can't be read: ${reason}. Nothing was changed.`, 'Fix the file, then try again.');
}

export function standsAs(target: DecisionTarget, hash: string): boolean {
  const text = currentText(target);
  return text !== null && sha256(text) === hash;
}

/** The blocks of a text are in the file, one after the other. */
export function holdsText({ path, scope }: Pick<DecisionTarget, 'path' | 'scope'>, content: string, maxBytes: number) {
  const read = withFile(path, scope, ({ fd, size }) => (size > maxBytes ? '' : decode(readRange(fd, 0, size)).text));
  return read.status === 'ok' && holdsBlocks(read.value, content);
}

export function replaceText(text: string, change: { block: string; content: string }): string | null {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const after = replaceBlock(text.slice(mark.length), change.block, change.content);
  return after === null ? null : mark + after;
}

// By rename: a reader sees the old text or the new one. The old one is saved next to it.
export function swapText(target: DecisionTarget, before: string, after: string): void {
  putText(target, after, (real) => {
    keepEarlier(target, real, sha256(before));
    if (currentText(target) !== before) throw changedAtOnce(target);
  });
}

// It lands on what a link leads to.
function putText(target: DecisionTarget, text: string, beforeRename: (real: string) => void = () => {}): void {
  const reason = whyNotWritable(target.scope, target.path);
  if (reason !== null) throw refused(target, reason);
  const real = realPath(target.path) ?? target.path;
  const draft = join(dirname(real), `.${basename(real)}.draft`);
  const mode = statSync(real, { throwIfNoEntry: false })?.mode ?? fileMode(target.scope);
  try {
    writeWhole(target.files, draft, text, mode & 0o777);
    beforeRename(real);
    target.files.rename(draft, real);
  } catch (error) {
    if (lstatSync(draft, { throwIfNoEntry: false })) target.files.unlink(draft);
    throw error;
  }
  target.files.syncFolder(dirname(real));
}

// A copy and not a link: a file with a second name is not written in a repository.
function keepEarlier({ earlier }: DecisionTarget, real: string, hash: string): void {
  mkdirSync(earlier, { recursive: true, mode: 0o700 });
  copyFileSync(real, join(earlier, `${basename(real)}.${hash.slice(0, 16)}`));
}

// By rename: whoever has it open goes on writing into the same file.
export function moveIntoFolder({ folder, file, path, files }: DecisionTarget): void {
  const own = join(folder, file);
  if (path === own) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  files.rename(path, own);
  for (const each of [folder, dirname(path)]) files.syncFolder(each);
}

// A new file is made here; a link may lead only where its scope allows, and nothing but a regular file is written.
export function openForAppend(target: DecisionTarget): WritableFile {
  let file: WritableFile;
  try {
    mkdirSync(dirname(target.path), { recursive: true, mode: folderMode(target.scope) });
    const link = lstatSync(target.path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    const reason = whyNotWritable(target.scope, target.path);
    if (reason !== null) throw refused(target, reason);
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
    file = target.files.open(target.path, flags | noFollow(target.scope, target.path, link), fileMode(target.scope));
  } catch (error) {
    throw asIoError(target, error);
  }
  const reason = whyNotOpened(target.scope, target.path, file.fd);
  if (reason === null) return file;
  file.close();
  throw refused(target, reason);
}

export function append(file: WritableFile, bytes: Buffer): void {
  if (bytes.length > 0 && file.write(bytes) !== bytes.length)
    throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
  file.sync();
}

/** A file of ours, written again and synced. */
export function writeWhole(files: FileLayer, path: string, text: string, mode = 0o600): void {
  const file = files.open(path, OVERWRITE, mode);
  try {
    append(file, Buffer.from(text));
  } finally {
    file.close();
  }
}

export function endOf(file: WritableFile, size: number): FileEnd {
  const from = Math.max(0, size - TAIL_BYTES);
  return fileEndOf(decode(readRange(file.fd, from, size - from), false).text);
}

export function changedAtOnce(target: DecisionTarget): BearingsError {
  return conflict(`${target.file} was changed at the same moment; nothing was written.`, 'Look again, then decide.');
}

export function asIoError(target: DecisionTarget, error: unknown): unknown {
  return error instanceof BearingsError || codeOf(error) === '' ? error : refused(target, reasonOf(error), error);
}

function refused(target: DecisionTarget, reason: string, cause?: unknown): BearingsError {
  return new BearingsError('io_error', `${target.file} can't be written: ${reason}. The proposal still waits.`, {
    cause,
  });
}

// By rename, after the notes and before the ledger: the intent covers both files, and a crash makes the same change again.
export function writeArchive(target: DecisionTarget, change: ArchiveChange | undefined): void {
  if (!change) return;
  const archive = targetIn(target, ARCHIVE);
  const before = currentText(archive) ?? '';
  const after = archiveAfter(before, change);
  if (after === before) return;
  mkdirSync(dirname(archive.path), { recursive: true, mode: folderMode(archive.scope) });
  putText(archive, after);
}

/** What is about to be written, synced before the first byte of it: after a crash it tells what is whose. */
export type Intent = IntentBase &
  (
    | { kind: 'append' /** Size of the file before. */; offset: number; text: string }
    /** The whole file: blocks taken out or replaced, or cleared up after a merge. */
    | { kind: 'rewrite'; after_sha256: string }
    /** From where an older home has the file to its place in the folder. */
    | { kind: 'move' }
    /** A decision that changes no text. */
    | { kind: 'record' }
  );
export type AppendIntent = Extract<Intent, { kind: 'append' }>;

interface IntentBase extends Omit<Settled, 'draft'> {
  version: 1;
  /** Name of the file in its folder. */
  file: string;
}

/** What every decision brings along. */
export interface Settled {
  /** The signed line that says so once the text is written. */
  ledger_line: string;
  /** Records that go next to the chain before it. */
  texts: string[];
  /** Of the first decision in a folder: the line of the home's chain that says whose folder it is. */
  home_line?: string;
  /** The file of the proposal, gone at the end. */
  pending?: string | undefined;
  /** What leaves the notes goes to the archive in the same step. */
  archive?: ArchiveChange | undefined;
  /** Only to learn what is to be signed: nothing is written. */
  draft?: true;
}

export function encodeIntent(intent: object, sha256: Sha256): string {
  const body = JSON.stringify(intent);
  return `${sha256(body)} ${body}\n`;
}

// A torn intent was never synced, so nothing of it was written: it counts as none.
export function decodeIntent<T extends object = Intent>(text: string, sha256: Sha256): T | null {
  const [, hash, body] = /^([0-9a-f]{64}) (.*)\n$/s.exec(text) ?? [];
  return body !== undefined && sha256(body) === hash ? JSON.parse(body) : null;
}

// `tail`: the bytes from the intent's offset to the end of the file, null where the file is shorter.
export function planAppendRecovery(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  standsElsewhere: () => boolean,
): { step: 'done' } | { step: 'complete'; from: number } | { step: 'append_again' } {
  if (tail !== null && startsWith(tail, bytes)) return { step: 'done' };
  // Only our own unfinished tail is completed: a hand edit in between shows in other bytes, and is left alone.
  if (tail !== null && tail.length > 0 && startsWith(bytes, tail)) return { step: 'complete', from: tail.length };
  return standsElsewhere() ? { step: 'done' } : { step: 'append_again' };
}

function startsWith(whole: Uint8Array, start: Uint8Array): boolean {
  return start.length <= whole.length && start.every((byte, index) => whole[index] === byte);
}
