import { randomBytes } from 'node:crypto';
import { constants, fstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import { EMPTY_HEAD, headAfter, type LedgerHead, parseEntry } from '../proposals/ledger.ts';
import { whyNotId } from '../safety/names.ts';
import { atomicWrite } from './atomic-write.ts';
import type { FileLayer } from './file-layer.ts';
import { withFile } from './open-file.ts';
import { readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

/** One append-only chain per machine, in the folder that the decisions belong to. */
export interface LedgerFile {
  head(): LedgerHead;
  append(line: string): void;
}

const TAIL_BYTES = 64 * 1024;

export function ledgerFile(options: { folder: string; home: string; machine: string; files: FileLayer }): LedgerFile {
  const { folder, home, machine, files } = options;
  const path = join(folder, `${machine}.jsonl`);
  return {
    head() {
      const line = lastLine(path);
      return line === null ? EMPTY_HEAD : headAfter(line, sha256);
    },
    append(line) {
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
      rememberHead(home, path, headAfter(line, sha256));
    },
  };
}

/** All ledgers of a folder: this machine's and those that came with a merge. */
export function readLedgers(folder: string): { machine: string; path: string; lines: string[]; torn: boolean }[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && whyNotId(name) === null);
  } catch {
    return [];
  }
  return names.sort().map((name) => {
    const path = join(folder, name);
    const read = withFile(path, folder, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    const text = read.status === 'ok' ? read.value : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    return { machine: name.slice(0, -'.jsonl'.length), path, lines, torn: last !== '' };
  });
}

// The home's memory of a ledger's end, so that a shortened or replaced one is seen.
export function knownHead(home: string, ledgerPath: string): LedgerHead | null {
  try {
    const value: unknown = JSON.parse(readFileSync(headPath(home, ledgerPath), 'utf8'));
    if (isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string')
      return { seq: Number(value.seq), hash: value.hash };
  } catch {
    // never seen, or lost: then there is nothing to hold the ledger against
  }
  return null;
}

function rememberHead(home: string, ledgerPath: string, head: LedgerHead): void {
  mkdirSync(join(home, 'heads'), { recursive: true, mode: 0o700 });
  // Renamed into place but not synced: a head that lags behind its ledger is still on the chain.
  const path = headPath(home, ledgerPath);
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(head), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
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
