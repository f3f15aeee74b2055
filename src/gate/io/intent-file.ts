import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { withFile } from '../../files/open-file.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { decodeIntent, encodeIntent, type Intent, type RecordIntent } from '../intent.ts';
import type { LedgerLine } from '../ledger/ledger.ts';
import { DECIDED } from './decision-paths.ts';
import { append, type DecisionDomain, type DecisionTarget, OVERWRITE } from './target-text.ts';

/** What every decision brings along: the signed line, and the pending file that goes once it is recorded. */
export type Settled = Pick<RecordIntent, 'proposal_id' | 'ledger_line' | 'texts' | 'pending' | 'archive'> & {
  /** Only to learn what is to be signed: nothing is written. */
  draft?: true;
};

export function lineOf({ ledger_line: line, texts = [] }: Settled): LedgerLine {
  return { line, texts };
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

function markDecided({ files, intentPath }: DecisionTarget): void {
  const path = `${intentPath}${DECIDED}`;
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  files.open(path, OVERWRITE, 0o600).close();
}

// The decision is made by now. Where its proposal can't be taken away, the intent stays and says that it is decided.
export function finish(target: DecisionTarget, pending: string | null): void {
  try {
    if (pending !== null && lstatSync(pending, { throwIfNoEntry: false })) {
      target.files.unlink(pending);
      target.files.syncFolder(dirname(pending));
    }
    markDecided(target);
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
