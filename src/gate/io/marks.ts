import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { readPlainFile } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord } from '../../json.ts';
import { whyNotId } from '../../safety/hidden-characters.ts';
import type { LedgerHead } from '../ledger/entry.ts';

// Ends of chains that this home has written or seen, one small file each: what is cut off, rolled back or gone is told by
// them. Nothing is believed because of one.

export function marksFolder(home: string, place: string): string {
  return join(home, 'heads', place.slice(0, 32));
}

export function marksOf(home: string, place: string): Map<string, LedgerHead> {
  const folder = marksFolder(home, place);
  const marks = new Map<string, LedgerHead>();
  for (const name of namesIn(folder)) {
    // What a sync copied beside it has another name: it is the mark of no chain.
    const mark = /^[\w-]+\.json$/.test(name) ? readMark(join(folder, name)) : null;
    if (mark) marks.set(name.slice(0, -'.json'.length), mark);
  }
  return marks;
}

/** Never back to an earlier one. A home that refuses does not undo the entry, which is written by now. */
export function saveMark(home: string, place: string, chain: string, head: LedgerHead): void {
  const path = join(marksFolder(home, place), `${chain}.json`);
  const known = readMark(path);
  if (whyNotId(chain) !== null || (known && (known.seq > head.seq || known.hash === head.hash))) return;
  try {
    atomicWrite(path, `${JSON.stringify(head)}\n`, 0o600);
  } catch {
    // then its absence is told
  }
}

export function saveMarks(home: string, place: string, ends: Iterable<readonly [string, LedgerHead]>): void {
  for (const [chain, head] of ends) if (head.seq > 0) saveMark(home, place, chain, head);
}

/** A ledger moved; to null: it is nowhere from here on. */
export function carryMarks(home: string, from: string, to: string | null): void {
  const [before, after] = [marksFolder(home, from), to && marksFolder(home, to)];
  if (before === after || !existsSync(before)) return;
  if (after !== null) {
    mkdirSync(after, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(before)) renameSync(join(before, name), join(after, name));
  }
  rmSync(before, { recursive: true, force: true });
}

function readMark(path: string): LedgerHead | null {
  try {
    const value: unknown = JSON.parse(readPlainFile(path).toString('utf8'));
    return isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string'
      ? { seq: Number(value.seq), hash: value.hash }
      : null;
  } catch {
    return null;
  }
}

// In the home, not in the workspace: a cloned repository must not bring an intent of its own.
export function intentPath(home: string, folder: string): string {
  return join(home, 'intents', keyOf(folder));
}

/** Where the versions of a folder's files are kept that a decision replaced. */
export function earlierFolder(home: string, folder: string): string {
  return join(home, 'earlier', keyOf(folder));
}

/** A workspace got another name: its earlier versions go along. */
export function carryEarlier(home: string, from: string, to: string): void {
  const [before, after] = [earlierFolder(home, from), earlierFolder(home, to)];
  if (before !== after && existsSync(before) && !existsSync(after)) renameSync(before, after);
}

function keyOf(folder: string): string {
  return sha256(folder).slice(0, 32);
}
