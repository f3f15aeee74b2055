import { type BigIntStats, fstatSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BearingsError, codeOf, ioFault, reasonOf } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readRange, readText, withFile } from '../../files/read-file.ts';
import { takeAway } from '../../files/text-copies.ts';
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
  type Settled,
  standsAs,
  swapText,
  targetIn,
  writeArchive,
  writeWhole,
} from './target-text.ts';

const MAX_TRIES = 5;

/** What a decision does to its file. */
export type Change =
  | { kind: 'append'; content: string }
  /** The person's own edit of the whole file, from the exact text that was shown; or one block in the place of another. */
  | { kind: 'rewrite'; before: string; after: string }
  /** From where an older home has it to its place in the folder. */
  | { kind: 'move' }
  /** Declined, or already there: no text changes. */
  | { kind: 'record' };

// Intent, text, ledger, pending file, intent again: each on disk before the next begins. All under the domain's lock.
export function writeDecision(target: DecisionTarget, settled: Settled, change: Change): void {
  const { draft, ...decided } = settled;
  if (draft) return;
  if (change.kind === 'append') writeAppend(target, change.content, decided);
  else carryOut(target, change, decided);
  finish(target, settled.pending);
}

function writeAppend(target: DecisionTarget, content: string, settled: Settled): void {
  for (let tries = 1; ; tries += 1) {
    const file = openForAppend(target);
    try {
      const before = fstatSync(file.fd, { bigint: true });
      const offset = Number(before.size);
      const text = appendForm(endOf(file, offset), content);
      const bytes = Buffer.from(text);
      const intent: Intent = { version: 1, kind: 'append', file: target.file, offset, text, ...settled };
      save(target.intentPath, intent, target.files);
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
        record(target, settled);
      } catch (error) {
        if (cutOwnTail(file, offset, bytes)) clearIntent(target);
        throw asIoError(target, error);
      }
      return;
    } finally {
      file.close();
    }
  }
}

function carryOut(target: DecisionTarget, change: Exclude<Change, { kind: 'append' }>, settled: Settled): void {
  const { kind } = change;
  const own = kind === 'rewrite' ? { kind, after_sha256: sha256(change.after) } : { kind };
  const intent: Intent = { version: 1, file: target.file, ...own, ...settled };
  save(target.intentPath, intent, target.files);
  try {
    if (kind === 'rewrite') swapText(target, change.before, change.after);
    if (kind === 'move') moveIntoFolder(target);
    writeArchive(target, settled.archive);
    record(target, settled);
  } catch (error) {
    const isDone =
      (intent.kind === 'rewrite' && standsAs(target, intent.after_sha256)) ||
      (kind === 'move' && !lstatSync(target.path, { throwIfNoEntry: false }));
    // Changed but not recorded: the intent stays, and the next start records it.
    if (!isDone) clearIntent(target);
    throw asIoError(target, error);
  }
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
  const intent = readSaved<Intent>(domain.intentPath);
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
    const { offset } = intent;
    const tail = size < offset ? null : readRange(file.fd, offset, Math.min(size - offset, bytes.length));
    const plan = planAppendRecovery(bytes, tail, () => holdsText(target, intent.text, Number.POSITIVE_INFINITY));
    if (plan.step === 'complete') append(file, bytes.subarray(plan.from));
    if (plan.step === 'append_again') {
      const text = appendForm(endOf(file, size), intent.text);
      // A second crash must find where this attempt began.
      save(target.intentPath, { ...intent, offset: size, text }, target.files);
      append(file, Buffer.from(text));
    }
    file.sync();
    target.files.syncFolder(dirname(target.path));
  } finally {
    file.close();
  }
}

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

function save(path: string, intent: object, files: FileLayer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  writeWhole(files, path, encodeIntent(intent, sha256));
  if (isNew) files.syncFolder(dirname(path));
}

// Null where there is none. What is torn was never begun.
function readSaved<T extends object>(path: string): T | null {
  const read = withFile(path, null, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  if (read.status === 'ok') return decodeIntent<T>(read.value, sha256);
  if (read.status === 'missing') return null;
  // Not read is not the same as not there: going on could write a text twice.
  throw ioFault(`The unfinished decision can't be read: ${read.reason}.`, 'Repair the folder intents in the home.');
}

function clearIntent(target: DecisionTarget): void {
  const file = target.files.open(target.intentPath, OVERWRITE, 0o600);
  file.close();
}

// The decision is made by now. Where its proposal can't be taken away, the intent stays and says that it is decided.
function finish(target: DecisionTarget, pending: string | undefined): void {
  try {
    if (pending !== undefined && lstatSync(pending, { throwIfNoEntry: false })) {
      target.files.unlink(pending);
      target.files.syncFolder(dirname(pending));
    }
    clearIntent(target);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    const told = `The decision is written, but its proposal can't be removed: ${reasonOf(error)}.`;
    const hint = 'Repair the folder of the sessions; the next call removes it.';
    throw new BearingsError('io_error', told, { hint, cause: error });
  }
}

/** Under the lock of the domain: what a begun erasure still has to do here, however often it was tried before. */
export function eraseInDomain(domain: DecisionDomain): void {
  const { text = '', steps = [] } = readErasure(dirname(dirname(domain.intentPath))) ?? {};
  const step = steps.find(({ folder }) => folder === domain.folder);
  if (!step) return;
  for (const target of step.files.map((file) => targetIn(domain, file))) {
    const before = currentText(target) ?? '';
    const after = withoutText(before, text);
    if (after !== before) swapText(target, before, after);
  }
  // Anything decided since comes after it: it is looked for in the whole chain.
  recordAgain(domain, step);
  const hashes = new Set(step.hashes);
  const isGone = (line: string) => line !== '' && hashes.has(readTextRecord(line, sha256)?.[0] ?? '');
  const rewrite = (lines: string) =>
    lines
      .split(/(?<=\n)/)
      .filter((line) => !isGone(line.trimEnd()))
      .join('');
  // Of all chains, also those that came with a merge.
  for (const path of ledgerPaths(domain.at.ledgerFolder).map(textsPath)) {
    const scope = domain.scope;
    const file = readText(path, scope ?? domain.at.ledgerFolder);
    if (file.status === 'ok' && file.value.text.split('\n').some(isGone))
      takeAway({ what: 'ledger text', path, scope, rewrite }, domain.files);
  }
}

/** What an erasure does to one folder of decisions. Its entry is signed before anything goes. */
interface ErasureStep extends Pick<Settled, 'ledger_line' | 'texts' | 'home_line'> {
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
  save(erasurePath(home), erasure, files);
}

export function readErasure(home: string): Erasure | null {
  return readSaved<Erasure>(erasurePath(home));
}

/** The last step: from here on nothing knows the text. */
export function clearErasure(home: string, files: FileLayer): void {
  if (!isErasing(home)) return;
  files.unlink(erasurePath(home));
  files.syncFolder(dirname(erasurePath(home)));
}
