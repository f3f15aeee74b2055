import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { withFile } from '../../files/open-file.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { parseEntry } from '../ledger/ledger.ts';
import { decodeIntent, encodeIntent, type Intent, type RecordIntent } from '../proposals/intent.ts';
import { append, type DecisionDomain, type DecisionTarget, OVERWRITE } from './target-text.ts';

/** What every decision brings along: the signed line, and the pending file that goes once it is recorded. */
export type Settled = Pick<
  RecordIntent,
  'proposal_id' | 'ledger_line' | 'texts' | 'home_line' | 'pending' | 'archive'
> & {
  /** Only to learn what is to be signed: nothing is written. */
  draft?: true;
};

/** The decision is made with its line. What was not on record before: whose folder it is. */
export function record({ ledger, homeLedger }: DecisionDomain, { ledger_line, texts, home_line }: Settled): void {
  ledger.append({ line: ledger_line, texts });
  if (home_line !== undefined) homeLedger?.append({ line: home_line, texts: [] });
}

/** The same after a crash, where some of it may be written. */
export function recordAgain(domain: DecisionDomain, settled: Settled): void {
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

export function saveIntent(target: DecisionTarget, intent: Intent): void {
  mkdirSync(dirname(target.intentPath), { recursive: true, mode: 0o700 });
  const isNew = lstatSync(target.intentPath, { throwIfNoEntry: false }) === undefined;
  const file = target.files.open(target.intentPath, OVERWRITE, 0o600);
  try {
    append(file, Buffer.from(encodeIntent(intent, sha256)));
  } finally {
    file.close();
  }
  if (isNew) target.files.syncFolder(dirname(target.intentPath));
}

export function readIntent(domain: DecisionDomain): Intent | null {
  const read = withFile(domain.intentPath, null, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  if (read.status === 'ok') return decodeIntent(read.value, sha256);
  if (read.status === 'missing') return null;
  // Not read is not the same as not there: going on could write a text twice.
  throw new BearingsError('io_error', `The unfinished decision can't be read: ${read.reason}.`, {
    hint: 'Repair the folder intents in the home, then try again.',
  });
}

export function clearIntent(target: DecisionTarget): void {
  const file = target.files.open(target.intentPath, OVERWRITE, 0o600);
  file.close();
}

// The decision is made by now. Where its proposal can't be taken away, the intent stays and says that it is decided.
export function finish(target: DecisionTarget, pending: string | null): void {
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
