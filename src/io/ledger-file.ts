import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import { EMPTY_HEAD, headAfter, type LedgerEntry, type LedgerHead, parseEntry } from '../proposals/ledger.ts';
import { whyNotId } from '../safety/names.ts';
import { atomicWrite } from './atomic-write.ts';
import type { FileLayer } from './file-layer.ts';
import { ledgerPaths } from './ledger-paths.ts';
import { withFile } from './open-file.ts';
import { readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

/** One append-only chain per machine, in the folder that the decisions belong to. */
export interface LedgerFile {
  /** The chain that is written here: the machine's name, or one of its own for a second clone or branch. */
  name(): string;
  head(): LedgerHead;
  append(line: string): void;
  /** True when this line is the last of its chain; then the home remembers it too. */
  endsWith(line: string): boolean;
}

/** What the home remembers of a chain's end, and how far its signatures were found genuine. */
interface RememberedHead extends LedgerHead {
  checked: LedgerHead | null;
}

const TAIL_BYTES = 64 * 1024;
const MARK_CHARS = 16;
const MOST_MARKS = 10_000_000;

export function ledgerFile(options: { folder: string; home: string; machine: string; files: FileLayer }): LedgerFile {
  const { folder, home, machine, files } = options;
  const pathOf = (name: string) => join(folder, `${name}.jsonl`);
  // A chain that came with a clone, or that a checkout took back, is not ours to go on with: two would write one file.
  const isOurs = (path: string): boolean => {
    const known = knownHead(home, path);
    const line = lastLine(path);
    if (line === null) return known === null;
    return known !== null && (sha256(line) === known.hash || chainHolds(path, known.hash));
  };
  const name = (): string => {
    const own = `${machine}-${sha256(folder).slice(0, 6)}`;
    for (let count = 0; ; count += 1) {
      const candidate = count === 0 ? machine : count === 1 ? own : `${own}-${count}`;
      if (isOurs(pathOf(candidate))) return candidate;
    }
  };
  const chainOf = (line: string) => pathOf(parseEntry(line)?.machine ?? machine);
  return {
    name,
    head() {
      const line = lastLine(pathOf(name()));
      return line === null ? EMPTY_HEAD : headAfter(line, sha256);
    },
    endsWith(line) {
      const path = chainOf(line);
      if (lastLine(path) !== line) return false;
      rememberLine(home, path, line);
      return true;
    },
    append(line) {
      const path = chainOf(line);
      mkdirSync(folder, { recursive: true });
      const file = files.open(
        path,
        constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
        0o644,
      );
      try {
        const { size } = fstatSync(file.fd);
        // A torn line of a crash is ours and was never believed: it goes before the next entry comes.
        const whole = size - tornBytes(file.fd, size);
        if (whole < size) file.truncate(whole);
        const bytes = Buffer.from(`${line}\n`);
        if (file.write(bytes) !== bytes.length) {
          file.truncate(whole);
          throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        }
        file.sync();
        if (size === 0) files.syncFolder(folder);
      } finally {
        file.close();
      }
      rememberLine(home, path, line);
    },
  };
}

export function readLastEntry(path: string): LedgerEntry | null {
  const line = lastLine(path);
  return line === null ? null : parseEntry(line);
}

export function readLedgers(folder: string): { machine: string; path: string; lines: string[]; torn: boolean }[] {
  return ledgerPaths(folder).map((path) => {
    const name = basename(path);
    const read = withFile(path, folder, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    const text = read.status === 'ok' ? read.value : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    return { machine: name.slice(0, -'.jsonl'.length), path, lines, torn: last !== '' };
  });
}

// The home's memory of a ledger's end, so that a shortened or replaced one is seen.
export function knownHead(home: string, ledgerPath: string): LedgerHead | null {
  const known = rememberedHead(home, ledgerPath);
  return known === null || known.seq === 0 ? null : { seq: known.seq, hash: known.hash };
}

export function rememberedHead(home: string, ledgerPath: string): RememberedHead | null {
  try {
    const value: unknown = JSON.parse(readFileSync(headPath(home, ledgerPath), 'utf8'));
    if (isRecord(value) && isHead(value))
      return { seq: value.seq, hash: value.hash, checked: isHead(value.checked) ? value.checked : null };
  } catch {
    // never seen, or lost: then there is nothing to hold the ledger against
  }
  return null;
}

/** Start of the hash of every entry that was written here, by its number; empty where the home does not know. */
export function knownMarks(home: string, ledgerPath: string): string[] {
  try {
    const text = readFileSync(`${headPath(home, ledgerPath)}.chain`, 'latin1');
    return text.split('\n').map((mark) => (/^[0-9a-f]{16}$/.test(mark) ? mark : ''));
  } catch {
    return [];
  }
}

// Signatures up to here were found genuine: they need not be checked again before the chain changes.
export function rememberChecked(home: string, ledgerPath: string, checked: LedgerHead): void {
  const known = rememberedHead(home, ledgerPath);
  try {
    saveHead(home, ledgerPath, { ...(known ?? EMPTY_HEAD), checked });
  } catch {
    // only time is lost
  }
}

function rememberLine(home: string, ledgerPath: string, line: string): void {
  const entry = parseEntry(line);
  const head = headAfter(line, sha256);
  const before = rememberedHead(home, ledgerPath);
  if (before?.hash === head.hash) return;
  const goesOn = head.seq === 1 || (before?.checked != null && before.checked.hash === entry?.prev);
  saveHead(home, ledgerPath, { ...head, checked: goesOn ? head : (before?.checked ?? null) });
  if (head.seq > MOST_MARKS) return;
  const fd = openSync(`${headPath(home, ledgerPath)}.chain`, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeSync(fd, `${head.hash.slice(0, MARK_CHARS)}\n`, (head.seq - 1) * (MARK_CHARS + 1));
  } finally {
    closeSync(fd);
  }
}

function saveHead(home: string, ledgerPath: string, head: RememberedHead): void {
  mkdirSync(join(home, 'heads'), { recursive: true, mode: 0o700 });
  // Renamed into place but not synced: a head that lags behind its ledger is still on the chain.
  const path = headPath(home, ledgerPath);
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(head), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

function isHead(value: unknown): value is LedgerHead {
  return isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string';
}

function chainHolds(path: string, hash: string): boolean {
  const read = withFile(path, null, ({ fd, size }) => readRange(fd, 0, size).toString('utf8').split('\n'));
  return read.status === 'ok' && read.value.some((line) => sha256(line) === hash);
}

function headPath(home: string, ledgerPath: string): string {
  return join(home, 'heads', `${sha256(ledgerPath).slice(0, 32)}.json`);
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
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `${host}-${randomBytes(3).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // another process was first
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
  return read.status === 'ok' ? read.value : null;
}

function tornBytes(fd: number, size: number): number {
  for (let length = TAIL_BYTES; ; length *= 2) {
    const from = Math.max(0, size - length);
    const end = readRange(fd, from, size - from).lastIndexOf(0x0a);
    if (end !== -1) return size - from - end - 1;
    if (from === 0) return size;
  }
}
