import { mkdirSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orNull } from '../../errors.ts';
import { tryHold } from '../../files/lock.ts';
import { namesIn } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { atomicWrite, removeQuietly } from '../../files/write-file.ts';
import { parseJson } from '../../json.ts';
import { journalPath } from '../../settings/io/open-app.ts';

/** What an import is about to make, on disk before the first of it: broken off, all of it goes again. */
export interface ImportJournal {
  /** Folders of sessions, and the id of the import's own in each. */
  sessions?: { folder: string; session_id: string }[];
  /** Files that come or grow, with their size before; null: there was none. */
  files?: { path: string; before: number | null }[];
  /** Folders of workspaces that are made. */
  workspaces?: string[];
}

/** Held while an import is at work: nobody else takes its half for one that was broken off. */
export async function holdImport(home: string): Promise<{ release(): void } | null> {
  mkdirSync(dirname(journalPath(home)), { recursive: true, mode: 0o700 });
  return tryHold(join(home, '.import.lock'));
}

export function saveJournal(home: string, journal: ImportJournal): void {
  atomicWrite(journalPath(home), `${JSON.stringify(journal)}\n`, 0o600);
}

export function clearJournal(home: string): void {
  rmSync(journalPath(home), { force: true });
}

/** As if it had never begun. */
export function rollBack(home: string): void {
  const journal = readJournal(home);
  for (const { folder, session_id } of journal?.sessions ?? []) {
    rmSync(join(folder, session_id), { recursive: true, force: true });
    for (const name of namesIn(folder)) if (name.endsWith(`_${session_id}.jsonl`)) removeQuietly(join(folder, name));
  }
  for (const { path, before } of journal?.files ?? []) {
    if (before === null) removeQuietly(path);
    else if (statSync(path, { throwIfNoEntry: false })?.isFile()) truncateSync(path, before);
  }
  for (const folder of journal?.workspaces ?? []) removeIfEmpty(folder);
  clearJournal(home);
}

// A crash before its end left nothing that was begun.
const readJournal = (home: string) => parseJson(textOf(journalPath(home)) ?? '') as ImportJournal | null;

// Where somebody put a file meanwhile, it stays.
function removeIfEmpty(folder: string): void {
  for (const name of ['sessions', 'ledger', '.']) orNull(() => rmdirSync(join(folder, name)));
}
