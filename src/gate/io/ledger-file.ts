import { closeSync, constants, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import type { FileLayer, WritableFile } from '../../files/file-layer.ts';
import { type FileResult, withFile } from '../../files/open-file.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { whyNotOpened, whyNotWritable } from '../../files/writable-place.ts';
import type { LedgerEntry, LedgerHead } from '../ledger/entry.ts';
import { type KnownText, readTextRecord, type TextLookup } from '../ledger/entry-texts.ts';
import { EMPTY_HEAD, entryHash, headAfter, type LedgerLine, parseEntry } from '../ledger/ledger.ts';
import { knownChains, knownHead, ownChains, rememberLine, remembersAny } from './ledger-heads.ts';
import { ledgerPaths, textsPath } from './ledger-paths.ts';
import { machineName } from './machine-name.ts';

/** One append-only chain per machine, in the folder that the decisions belong to. */
export interface LedgerFile {
  /** The chain that is written here: the machine's name, or one of its own for a second clone or branch. */
  name(): string;
  /** Of that chain's file. */
  path(): string;
  head(): LedgerHead;
  /** The last entry is of the first format. */
  isOfFirstFormat(): boolean;
  /** Its texts first: an entry is never there without them. */
  append(line: LedgerLine): void;
  /** Takes away what a crash left of this line. */
  cutTorn(line: string): void;
  /** True when this line is the last of its chain; then the home remembers it too. */
  endsWith(line: string): boolean;
}

export interface ReadLedger {
  machine: string;
  path: string;
  text: string;
  lines: string[];
  torn: boolean;
  knownHead: LedgerHead | null;
  /** Why it can't be read; null when it can. */
  unreadable: string | null;
}

const TAIL_BYTES = 64 * 1024;
const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function ledgerFile(options: {
  folder: string;
  scope: string | null;
  home: string;
  files: FileLayer;
}): LedgerFile {
  const { folder, scope, home, files } = options;
  const pathOf = (name: string) => join(folder, `${name}.jsonl`);
  // A chain that came with a clone, or that a checkout took back, is not ours to go on with: two would write one file.
  const isOurs = (path: string): boolean => {
    const known = knownHead(home, path);
    const line = lastLine(path, scope);
    if (known === null) return line === null || !remembersAny(home);
    return line !== null && (headAfter(line, sha256).hash === known.hash || chainHolds(path, scope, known.hash));
  };
  const name = (): string => {
    for (const candidate of ownChains(home, folder)) if (isOurs(pathOf(candidate))) return candidate;
    throw cantUse('no chain is left for this machine');
  };
  const openChain = (path: string): WritableFile => {
    const before = whyNotWritable(scope, path);
    if (before !== null) throw cantUse(before);
    const file = files.open(path, APPEND_FLAGS, 0o644);
    const reason = whyNotOpened(scope, path, file.fd);
    if (reason === null) return file;
    file.close();
    throw cantUse(reason);
  };
  // A new name lasts once its folder is synced.
  const appendTo = (path: string, lines: string, named: () => void): void => {
    const file = openChain(path);
    try {
      appendEntry(file, lines, named);
    } finally {
      file.close();
    }
  };
  const chainOf = (line: string) => pathOf(parseEntry(line)?.machine ?? machineName(home));
  return {
    name,
    path: () => pathOf(name()),
    head() {
      const line = lastLine(pathOf(name()), scope);
      return line === null ? EMPTY_HEAD : headAfter(line, sha256);
    },
    isOfFirstFormat() {
      const line = lastLine(pathOf(name()), scope);
      return line !== null && parseEntry(line)?.v !== 2;
    },
    endsWith(line) {
      const path = chainOf(line);
      if (lastLine(path, scope) !== line) return false;
      rememberLine(home, path, line);
      return true;
    },
    cutTorn(line) {
      const path = chainOf(line);
      if (!existsSync(path)) return;
      const file = openChain(path);
      try {
        const { size } = fstatSync(file.fd);
        const torn = tornBytes(file.fd, size);
        if (torn === 0 || !line.startsWith(readRange(file.fd, size - torn, torn).toString('utf8'))) return;
        file.truncate(size - torn);
        file.sync();
      } finally {
        file.close();
      }
    },
    append({ line, texts }) {
      const path = chainOf(line);
      mkdirSync(folder, { recursive: true });
      if (texts.length > 0) {
        const beside = textsPath(path);
        mkdirSync(dirname(beside), { recursive: true });
        appendTo(beside, texts.join('\n'), () => {
          files.syncFolder(dirname(beside));
          files.syncFolder(folder);
        });
      }
      appendTo(path, line, () => files.syncFolder(folder));
      rememberLine(home, path, line);
    },
  };
}

export function readLastEntry(path: string, scope: string | null): LedgerEntry | null {
  const read = readLastLine(path, scope);
  return read.status === 'ok' && read.value !== null ? parseEntry(read.value) : null;
}

/** All ledgers of a folder: this machine's, also where the file is gone, and those that came with a merge. */
export function readLedgers(options: { folder: string; scope: string | null; home: string }): ReadLedger[] {
  const { folder, scope, home } = options;
  const gone = knownChains(home, folder).map((name) => join(folder, `${name}.jsonl`));
  return [...new Set([...ledgerPaths(folder), ...gone])].sort().map((path) => {
    const read = withFile(path, scope ?? folder, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    const text = read.status === 'ok' ? read.value : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    return {
      machine: basename(path, '.jsonl'),
      path,
      text,
      lines,
      torn: last !== '',
      knownHead: knownHead(home, path),
      unreadable: read.status === 'unreadable' ? read.reason : null,
    };
  });
}

// Of all chains of a folder: a record proves itself by its salted hash, whoever wrote it.
export function readTexts(ledgers: readonly { path: string }[], scope: string | null): TextLookup {
  const texts = new Map<string, KnownText>();
  for (const { path } of ledgers) {
    const read = withFile(textsPath(path), scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    if (read.status !== 'ok') continue;
    for (const line of read.value.split('\n')) {
      const record = line === '' ? null : readTextRecord(line, sha256);
      if (record) texts.set(...record);
    }
  }
  return texts;
}

/** The records with these hashes, as they are there. */
export function readTextLines(
  ledgers: readonly { path: string }[],
  scope: string | null,
  hashes: ReadonlySet<string>,
): string[] {
  return ledgers.flatMap(({ path }) => {
    const read = withFile(textsPath(path), scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    if (read.status !== 'ok') return [];
    return read.value.split('\n').filter((line) => hashes.has(readTextRecord(line, sha256)?.[0] ?? ''));
  });
}

// The whole line or nothing of it: what is not on disk for sure must not be believed later.
function appendEntry(file: WritableFile, line: string, named: () => void): void {
  const stat = fstatSync(file.fd);
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
    hint: 'Repair the folder ledger, then try again.',
  });
}

function chainHolds(path: string, scope: string | null, hash: string): boolean {
  const read = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8').split('\n'));
  return read.status === 'ok' && read.value.some((line) => entryHash(line, parseEntry(line), sha256) === hash);
}

// Not read is not the same as empty: a chain begun from scratch would look like a replaced ledger.
function lastLine(path: string, scope: string | null): string | null {
  const read = readLastLine(path, scope);
  if (read.status === 'unreadable') throw cantUse(read.reason);
  return read.status === 'ok' ? read.value : null;
}

function readLastLine(path: string, scope: string | null): FileResult<string | null> {
  return withFile(path, scope, ({ fd, size }) => {
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
