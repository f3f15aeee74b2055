import { mkdirSync, rmdirSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conflict, orNull } from '../../errors.ts';
import { tryHold } from '../../files/lock.ts';
import { namesIn, statOf } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { appendLine, atomicWrite, removeQuietly } from '../../files/write-file.ts';
import { parseJson } from '../../json.ts';
import { journalPath } from '../../settings/io/open-app.ts';

/** What an import is about to make, on disk before the first of it: broken off, all of it goes again. */
interface ImportJournal {
  /** Folders of sessions, and the id of the import's own in each. */
  sessions?: { folder: string; session_id: string }[];
  /** Files that come or grow, with their size before; null: there was none. */
  files?: { path: string; before: number | null }[];
  /** Folders of workspaces that are made. */
  workspaces?: string[];
}

// Held while an import is at work: nobody else takes its half for one that was broken off.
function holdImport(home: string) {
  mkdirSync(dirname(journalPath(home)), { recursive: true, mode: 0o700 });
  return tryHold(join(home, '.import.lock'));
}

/** One at a time; what one that died left is gone before the next begins. `prepare` says what the work is about to make. */
export async function allOrNothing(
  home: string,
  prepare: () => Promise<ImportJournal>,
  work: () => Promise<void>,
): Promise<void> {
  const hold = await holdImport(home);
  if (!hold) throw conflict('Another import is running.', 'Wait for it, then try again.');
  try {
    rollBack(home);
    atomicWrite(journalPath(home), `${JSON.stringify(await prepare())}\n`, 0o600);
    await work();
    rmSync(journalPath(home), { force: true });
  } catch (error) {
    rollBack(home);
    throw error;
  } finally {
    hold.release();
  }
}

/** What a process that died left of an import goes again. */
export async function rollBackImport(home: string): Promise<void> {
  const hold = await holdImport(home);
  try {
    if (hold) rollBack(home);
  } finally {
    hold?.release();
  }
}

/** As if it had never begun. A crash before the journal's end left nothing that was begun. */
function rollBack(home: string): void {
  const journal = parseJson(textOf(journalPath(home)) ?? '') as ImportJournal | null;
  for (const { folder, session_id } of journal?.sessions ?? []) {
    rmSync(join(folder, session_id), { recursive: true, force: true });
    for (const name of namesIn(folder)) if (name.endsWith(`_${session_id}.jsonl`)) removeQuietly(join(folder, name));
  }
  for (const { path, before } of journal?.files ?? []) {
    if (before === null) removeQuietly(path);
    else if (statOf(path)?.isFile()) truncateSync(path, before);
  }
  // Where somebody put a file meanwhile, it stays.
  for (const folder of journal?.workspaces ?? [])
    for (const name of ['sessions', 'ledger', '.']) orNull(() => rmdirSync(join(folder, name)));
  rmSync(journalPath(home), { force: true });
}

export const sizeOf = (path: string): number | null => statOf(path)?.size ?? null;

/** Only behind a journal that says what was there before. A brief is never over another one. */
export function writePart({ path, scope, text }: { path: string; scope: string | null; text: string }): void {
  if (path.endsWith('.jsonl')) appendLine(path, text, { mode: 0o644, scope });
  else atomicWrite(path, text, 0o644, scope);
}
