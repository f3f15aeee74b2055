import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { BearingsError } from '../errors.ts';
import { isRecord } from '../memory/records.ts';
import { EMPTY_HEAD, headAfter, type LedgerHead, parseEntry } from '../proposals/ledger.ts';
import { whyNotId } from '../safety/names.ts';
import { atomicWrite, removeQuietly } from './atomic-write.ts';
import type { FileLayer, WritableFile } from './file-layer.ts';
import { withFile } from './open-file.ts';
import { readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

/** One append-only chain per machine, in the folder that the decisions belong to. */
export interface LedgerFile {
  head(): LedgerHead;
  append(line: string): void;
}

const TAIL_BYTES = 64 * 1024;
const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function ledgerFile(options: { folder: string; home: string; files: FileLayer }): LedgerFile {
  const { folder, home, files } = options;
  const pathNow = () => join(folder, `${machineName(home)}.jsonl`);
  return {
    head() {
      const line = lastLine(pathNow());
      return line === null ? EMPTY_HEAD : headAfter(line, sha256);
    },
    append(line) {
      const path = pathNow();
      mkdirSync(folder, { recursive: true });
      const file = files.open(path, APPEND_FLAGS, 0o644);
      try {
        // A new name lasts once its folder is synced.
        appendEntry(file, line, () => files.syncFolder(folder));
      } finally {
        file.close();
      }
      rememberHead(home, path, headAfter(line, sha256));
    },
  };
}

// The whole line or nothing of it: what is not on disk for sure must not be believed later.
function appendEntry(file: WritableFile, line: string, named: () => void): void {
  const stat = fstatSync(file.fd);
  if (!stat.isFile()) throw cantUse('it is not a regular file');
  // A torn line of a crash is ours and was never believed: it goes before the next entry comes.
  const whole = stat.size - tornBytes(file.fd, stat.size);
  if (whole < stat.size) file.truncate(whole);
  const bytes = Buffer.from(`${line}\n`);
  try {
    if (file.write(bytes) !== bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    file.sync();
    if (whole === 0) named();
  } catch (error) {
    file.truncate(whole);
    throw error;
  }
}

function cantUse(reason: string): BearingsError {
  return new BearingsError('io_error', `The ledger can't be used: ${reason}.`, {
    hint: 'Mend the folder ledger, then try again.',
  });
}

export interface ReadLedger {
  machine: string;
  lines: string[];
  torn: boolean;
  knownHead: LedgerHead | null;
  /** Why it can't be read; null when it can. */
  unreadable: string | null;
}

/** All ledgers of a folder: this machine's, also where its file is gone, and those that came with a merge. */
export function readLedgers(options: { folder: string; scope: string | null; home: string }): ReadLedger[] {
  const { folder, home } = options;
  const own = `${machineName(home)}.jsonl`;
  const names = namesIn(folder).filter((name) => name.endsWith('.jsonl') && whyNotId(name) === null);
  if (!names.includes(own) && knownHead(home, join(folder, own))) names.push(own);
  return names.sort().map((name) => {
    const path = join(folder, name);
    const read = withFile(path, options.scope ?? folder, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    const lines = (read.status === 'ok' ? read.value : '').split('\n');
    const last = lines.pop() ?? '';
    return {
      machine: name.slice(0, -'.jsonl'.length),
      lines,
      torn: last !== '',
      knownHead: knownHead(home, path),
      unreadable: read.status === 'unreadable' ? read.reason : null,
    };
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// The home's memory of a ledger's end, so that a shortened or replaced one is seen.
function knownHead(home: string, ledgerPath: string): LedgerHead | null {
  try {
    const value: unknown = JSON.parse(readFileSync(headPath(home, ledgerPath), 'utf8'));
    if (isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string')
      return { seq: Number(value.seq), hash: value.hash };
  } catch {
    // never seen, or lost: then there is nothing to hold the ledger against
  }
  return null;
}

// Renamed into place but not synced: a head that lags behind its ledger is still on the chain. So a home that refuses
// does not undo the entry, which stands by now.
function rememberHead(home: string, ledgerPath: string, head: LedgerHead): void {
  const path = headPath(home, ledgerPath);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(join(home, 'heads'), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(head), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    removeQuietly(draft);
  }
}

function headPath(home: string, ledgerPath: string): string {
  return join(home, 'heads', `${sha256(ledgerPath).slice(0, 32)}.json`);
}

/** A workspace got another name: what is remembered of its ledger goes along. */
export function carryHead(home: string, fromFolder: string, toFolder: string): void {
  const pathIn = (folder: string) => headPath(home, join(folder, `${machineName(home)}.jsonl`));
  if (existsSync(pathIn(fromFolder))) renameSync(pathIn(fromFolder), pathIn(toFolder));
}

// A name for this home on this machine; two machines must never write one file of a shared workspace.
export function machineName(home: string): string {
  const path = join(home, 'machine');
  const known = readName(path);
  if (known) return known;
  const host =
    hostname()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'machine';
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${host}-${randomBytes(3).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // another process was first, or the home can't be written: then the next step says so
  }
  const name = readName(path);
  if (name) return name;
  atomicWrite(path, `${host}-${randomBytes(3).toString('hex')}\n`, 0o600);
  return readName(path) ?? host;
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function readName(path: string): string | null {
  try {
    const name = readFileSync(path, 'utf8').trim();
    return whyNotId(name) === null ? name : null;
  } catch {
    return null;
  }
}

function lastLine(path: string): string | null {
  const read = withFile(path, null, ({ fd, size }) => {
    for (let length = TAIL_BYTES; ; length *= 2) {
      const from = Math.max(0, size - length);
      const lines = readRange(fd, from, size - from)
        .toString('utf8')
        .split('\n');
      lines.pop();
      const line = lines.findLast((candidate) => parseEntry(candidate) !== null);
      if (line !== undefined && (from === 0 || lines[0] !== line)) return line;
      if (from === 0) return null;
    }
  });
  // Not read is not the same as empty: a chain begun anew would look like a replaced ledger.
  if (read.status === 'unreadable') throw cantUse(read.reason);
  return read.status === 'ok' ? read.value : null;
}

/** Takes away this machine's torn last line, as the next entry would. Returns how many there were. */
export function cutTornLine(folder: string, home: string): number {
  const path = join(folder, `${machineName(home)}.jsonl`);
  if (!existsSync(path)) return 0;
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    const torn = tornBytes(fd, size);
    if (torn > 0) ftruncateSync(fd, size - torn);
    return torn > 0 ? 1 : 0;
  } finally {
    closeSync(fd);
  }
}

function tornBytes(fd: number, size: number): number {
  for (let length = TAIL_BYTES; ; length *= 2) {
    const from = Math.max(0, size - length);
    const end = readRange(fd, from, size - from).lastIndexOf(0x0a);
    if (end !== -1) return size - from - end - 1;
    if (from === 0) return size;
  }
}
