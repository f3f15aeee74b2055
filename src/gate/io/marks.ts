import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { codeOf, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseJson } from '../../json.ts';
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
  // Where it can't be written, its absence is told.
  orNull(() => atomicWrite(path, `${JSON.stringify(head)}\n`, 0o600));
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
  const value = parseJson(textOf(path) ?? '');
  return isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string'
    ? { seq: Number(value.seq), hash: value.hash }
    : null;
}

// In the home, not in the workspace: a cloned repository must not bring an intent of its own.
export function intentPath(home: string, folder: string): string {
  return join(home, 'intents', keyOf(folder));
}

/** Where the versions of a folder's files are kept that a decision replaced. */
export function earlierFolder(home: string, folder: string): string {
  return join(home, 'earlier', keyOf(folder));
}

function keyOf(folder: string): string {
  return sha256(folder).slice(0, 32);
}

// A name for this home on this machine; two machines must never write one file of a shared workspace. A home that is synced brings
// the name of the machine that made it along: every other machine writes under a name that it can always work out again.
export function machineName(home: string): string {
  const path = join(home, 'machine');
  const mark = machineMark();
  const known = readName(path);
  // Without a mark it is one that the person gave.
  if (known?.mark === '' || known?.mark === mark) return known.name;
  if (known) return `${hostName()}-${sha256(`${known.name} ${mark}`).slice(0, 6)}`;
  // Another process was first, or the home can't be written: then the next step says so.
  orNull(() => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const fresh = `${hostName()}-${randomBytes(3).toString('hex')}\n${mark}\n`;
    writeFileSync(path, fresh, { flag: 'wx', mode: 0o600, flush: true });
  });
  return readName(path)?.name ?? `${hostName()}-${mark.slice(0, 6)}`;
}

function hostName(): string {
  const parts = hostname()
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['machine'];
  return parts.join('-').slice(0, 40);
}

// By its name, and where the system has one by its id: many machines are called alike.
function machineMark(): string {
  // Not on every system.
  const id = orNull(() => readFileSync('/etc/machine-id', 'utf8').trim()) ?? '';
  return sha256(`${hostname()} ${id}`).slice(0, 16);
}

export function userName(): string {
  return orNull(() => userInfo().username) ?? 'unknown';
}

function readName(path: string): { name: string; mark: string } | null {
  const [name = '', mark = ''] = (textOf(path) ?? '').trim().split('\n');
  return whyNotId(name) === null ? { name, mark } : null;
}

/** Who writes a transcript: so that another process can tell a session that goes on from one that was cut off. */
export function thisProcess(): { pid: number; host: string } {
  return { pid: process.pid, host: hostname() };
}

/** Null: it belongs to another machine, and nobody here can know. */
export function isAlive(pid: unknown, host: unknown): boolean | null {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return false;
  if (host !== hostname()) return null;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

// Apart from the rest: every call asks this, and must load nothing for it.

/** In the home, as every intent: a cloned repository must not bring one. */
export function erasurePath(home: string): string {
  return join(home, 'intents', 'erase');
}

export function isErasing(home: string): boolean {
  return existsSync(erasurePath(home));
}
