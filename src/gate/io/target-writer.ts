import { type BigIntStats, fstatSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readRange, readText, withFile } from '../../files/read-file.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { type TextCopy, takeAway } from '../../files/text-copies.ts';
import type { FileLayer, WritableFile } from '../../files/write-file.ts';
import { parseEntry, readTextRecord } from '../ledger/ledger.ts';
import { appendForm } from '../ledger/text-blocks.ts';
import { withoutText } from '../standing/tidy.ts';
import { ledgerPaths, textsPath } from './ledger-file.ts';
import { erasurePath, isErasing } from './marks.ts';
import {
  type AppendIntent,
  append,
  asIoError,
  changedAtOnce,
  currentText,
  type DecisionDomain,
  type DecisionTarget,
  decodeIntent,
  encodeIntent,
  endOf,
  holdsText,
  type Intent,
  moveIntoFolder,
  OVERWRITE,
  openForAppend,
  planAppendRecovery,
  standsAs,
  swapText,
  targetIn,
  writeArchive,
  writeWhole,
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

/** The person's own edit of the whole file, from the exact text that was shown; or one block in the place of another. */
export function writeRewrite(target: DecisionTarget, change: Settled & { before: string; after: string }): void {
  const { before, after, ...settled } = change;
  const hashes = { before_sha256: sha256(before), after_sha256: sha256(after) };
  const intent = { version: 1, kind: 'rewrite', file: target.file, ...hashes, ...settled } as const;
  carryOut(target, intent, {
    change: () => swapText(target, before, after),
    isDone: () => standsAs(target, hashes.after_sha256),
  });
}

export function writeMove(target: DecisionTarget, settled: Settled): void {
  carryOut(
    target,
    { version: 1, kind: 'move', file: target.file, ...settled },
    { change: () => moveIntoFolder(target), isDone: () => !lstatSync(target.path, { throwIfNoEntry: false }) },
  );
}

// A decision that changes no text (declined, or already there) is still made exactly once.
export function writeRecord(target: DecisionTarget, settled: Settled): void {
  const intent = { version: 1, kind: 'record', file: target.file, ...settled } as const;
  carryOut(target, intent, { change: () => {}, isDone: () => false });
}

function carryOut(
  target: DecisionTarget,
  intent: Intent & Settled,
  { change, isDone }: { change(): void; isDone(): boolean },
): void {
  if (intent.draft) return;
  saveIntent(target, intent);
  try {
    change();
    writeArchive(target, intent.archive);
    record(target, intent);
  } catch (error) {
    // Changed but not recorded: the intent stays, and the next start records it.
    if (!isDone()) clearIntent(target);
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

// What a process that died left behind is brought to its end, or to its beginning; never left half way.
export function recover(domain: DecisionDomain): void {
  recoverDecision(domain);
  eraseInDomain(domain);
}

function recoverDecision(domain: DecisionDomain): void {
  const intent = readIntent(domain);
  if (!intent) return;
  const target = targetIn(domain, intent.file);
  try {
    if (intent.kind === 'append') recoverAppend(target, intent);
    if (intent.kind === 'move') moveIntoFolder(target);
    // Not swapped, or changed by hand since: nothing was decided, and the person is asked again.
    if (intent.kind === 'rewrite' && !standsAs(target, intent.after_sha256)) {
      target.ledger.cutTorn(intent.ledger_line);
      clearIntent(target);
      return;
    }
    writeArchive(target, intent.archive);
  } catch (error) {
    throw asIoError(target, error);
  }
  recordAgain(target, intent);
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
      holdsText(target.path, target.scope, intent.text, Number.POSITIVE_INFINITY),
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

/** What every decision brings along: the signed line, and the pending file that goes once it is recorded. */
export type Settled = Pick<Intent, 'proposal_id' | 'ledger_line' | 'texts' | 'home_line' | 'pending' | 'archive'> & {
  /** Only to learn what is to be signed: nothing is written. */
  draft?: true;
};

/** The decision is made with its line. What was not on record before: whose folder it is. */
function record({ ledger, homeLedger }: DecisionDomain, { ledger_line, texts, home_line }: Settled): void {
  ledger.append({ line: ledger_line, texts });
  if (home_line !== undefined) homeLedger?.append({ line: home_line, texts: [] });
}

/** The same after a crash, where some of it may be written. */
function recordAgain(domain: DecisionDomain, settled: Settled): void {
  const { ledger, homeLedger } = domain;
  const { ledger_line: line, texts, home_line: home } = settled;
  if (!ledger.holds(line)) ledger.append({ line, texts });
  if (home === undefined || homeLedger === null || homeLedger.holds(home)) return;
  const [end, entry] = [homeLedger.end(), parseEntry(home)];
  // Where the home's chain has gone on meanwhile, the person is asked whose folder it is.
  if (entry?.prev === end.head.hash && entry.machine === end.machine) homeLedger.append({ line: home, texts: [] });
}

export function hasIntent(domain: DecisionDomain): boolean {
  return (statSync(domain.intentPath, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function saveIntent(target: DecisionTarget, intent: Intent): void {
  mkdirSync(dirname(target.intentPath), { recursive: true, mode: 0o700 });
  const isNew = lstatSync(target.intentPath, { throwIfNoEntry: false }) === undefined;
  writeWhole(target.files, target.intentPath, encodeIntent(intent, sha256));
  if (isNew) target.files.syncFolder(dirname(target.intentPath));
}

function readIntent(domain: DecisionDomain): Intent | null {
  const read = withFile(domain.intentPath, null, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  if (read.status === 'ok') return decodeIntent(read.value, sha256);
  if (read.status === 'missing') return null;
  // Not read is not the same as not there: going on could write a text twice.
  throw new BearingsError('io_error', `The unfinished decision can't be read: ${read.reason}.`, {
    hint: 'Repair the folder intents in the home, then try again.',
  });
}

function clearIntent(target: DecisionTarget): void {
  const file = target.files.open(target.intentPath, OVERWRITE, 0o600);
  file.close();
}

// The decision is made by now. Where its proposal can't be taken away, the intent stays and says that it is decided.
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
      `The decision is written, but its proposal can't be removed: ${reasonOf(error)}.`,
      {
        hint: 'Repair the folder of the sessions; the next call removes it.',
        cause: error,
      },
    );
  }
}

/** Under the lock of the domain: what a begun erasure still has to do here, however often it was tried before. */
export function eraseInDomain(domain: DecisionDomain): void {
  const erasure = readErasure(dirname(dirname(domain.intentPath)));
  if (erasure) eraseStep(domain, erasure);
}

function eraseStep(domain: DecisionDomain, { text, steps }: Erasure): void {
  const step = steps.find(({ folder }) => folder === domain.folder);
  if (!step) return;
  for (const file of step.files) {
    const target = targetIn(domain, file);
    const before = currentText(target);
    const after = before === null ? null : withoutText(before, text);
    if (before !== null && after !== null && after !== before) swapText(target, before, after);
  }
  // Anything decided since comes after it: it is looked for in the whole chain.
  recordAgain(domain, { ...step, proposal_id: '', pending: null });
  for (const copy of textRecords(join(domain.folder, 'ledger'), domain.scope, new Set(step.hashes)))
    takeAway(copy, domain.files);
}

/** The files of all chains that hold one of these records, also those that came with a merge. */
function textRecords(ledgerFolder: string, scope: string | null, hashes: ReadonlySet<string>): TextCopy[] {
  const isGone = (line: string) => line !== '' && hashes.has(readTextRecord(line, sha256)?.[0] ?? '');
  return ledgerPaths(ledgerFolder).flatMap((chain) => {
    const path = textsPath(chain);
    const file = readText(path, scope ?? ledgerFolder);
    if (file.status !== 'ok' || !file.value.text.split('\n').some(isGone)) return [];
    const rewrite = (text: string) =>
      text
        .split('\n')
        .filter((line) => !isGone(line))
        .join('\n');
    return [{ what: 'ledger text', path, scope, rewrite }];
  });
}

/** What an erasure does to one folder of decisions. Its entry is signed before anything goes. */
export interface ErasureStep extends Pick<Settled, 'ledger_line' | 'texts' | 'home_line'> {
  folder: string;
  /** Files of it that the text is in. */
  files: string[];
  /** Salted hashes of the records that go. */
  hashes: string[];
}

/** An erasure that the person has said yes to: after a crash it is carried to its end, which needs no signature any more. */
export interface Erasure {
  version: 1;
  text: string;
  /** Other wordings of it: what was proposed, what it took the place of. */
  wordings: string[];
  /** Hashes of these. */
  prints: string[];
  steps: ErasureStep[];
}

export function saveErasure(home: string, erasure: Erasure, files: FileLayer): void {
  const path = erasurePath(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeWhole(files, path, encodeIntent(erasure, sha256));
  files.syncFolder(dirname(path));
}

/** Null where there is none. What is torn was never begun. */
export function readErasure(home: string): Erasure | null {
  const file = readText(erasurePath(home), null);
  return file.status === 'ok' ? decodeIntent<Erasure>(file.value.text, sha256) : null;
}

/** The last step: from here on nothing knows the text. */
export function clearErasure(home: string, files: FileLayer): void {
  if (!isErasing(home)) return;
  files.unlink(erasurePath(home));
  files.syncFolder(dirname(erasurePath(home)));
}
