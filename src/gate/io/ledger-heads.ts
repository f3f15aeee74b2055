import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { removeQuietly } from '../../files/atomic-write.ts';
import { readPlainFile } from '../../files/open-file.ts';
import { sha256 } from '../../files/sha256.ts';
import { isRecord } from '../../json-record.ts';
import type { LedgerHead } from '../ledger/entry.ts';
import { EMPTY_HEAD, headAfter, parseEntry } from '../ledger/ledger.ts';
import { ledgerPaths } from './ledger-paths.ts';
import { machineName } from './machine-name.ts';

// The home's memory of each chain's end, so that a shortened, replaced or vanished one is seen.

/** What the home remembers of a chain's end, and how far its signatures were found genuine. */
interface RememberedHead extends LedgerHead {
  checked: LedgerHead | null;
  whole: WholeText | null;
}

/** A chain up to one of its entries, as one text: the same text need not be taken apart to be believed again. */
export interface WholeText extends LedgerHead {
  chars: number;
  sha256: string;
}

const HASH_CHARS = 64;
const MOST_HASHES = 10_000_000;

export function knownHead(home: string, ledgerPath: string): LedgerHead | null {
  const known = rememberedHead(home, ledgerPath);
  return known === null || known.seq === 0 ? null : { seq: known.seq, hash: known.hash };
}

export function rememberedHead(home: string, ledgerPath: string): RememberedHead | null {
  try {
    const value: unknown = JSON.parse(readPlainFile(headPath(home, ledgerPath)).toString('utf8'));
    if (isRecord(value) && isHead(value))
      return {
        seq: value.seq,
        hash: value.hash,
        checked: isHead(value.checked) ? value.checked : null,
        whole: isWhole(value.whole) ? value.whole : null,
      };
  } catch {
    // never seen, or lost: then there is nothing to hold the ledger against
  }
  return null;
}

/** False: it never saw a decision, or lost all it knew. Then it can't tell a chain of its own from another. */
export function remembersAny(home: string): boolean {
  return statSync(join(home, 'heads'), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The hash of every entry that was written here, by its number; empty where the home does not know. */
export function knownHashes(home: string, ledgerPath: string): string[] {
  try {
    const text = readPlainFile(hashesPath(home, ledgerPath)).toString('latin1');
    // By their places, not by lines: a crash between head and hash leaves a gap.
    return Array.from({ length: Math.ceil(text.length / (HASH_CHARS + 1)) }, (_, index) => {
      const hash = text.slice(index * (HASH_CHARS + 1), index * (HASH_CHARS + 1) + HASH_CHARS);
      return /^[0-9a-f]{64}$/.test(hash) ? hash : '';
    });
  } catch {
    return [];
  }
}

// Signatures up to here were found genuine: they need not be checked again before the chain changes.
export function rememberChecked(home: string, ledgerPath: string, whole: WholeText): void {
  const checked = { seq: whole.seq, hash: whole.hash };
  saveHead(home, ledgerPath, { ...(rememberedHead(home, ledgerPath) ?? EMPTY_HEAD), checked, whole });
}

export function rememberLine(home: string, ledgerPath: string, line: string): void {
  const entry = parseEntry(line);
  const head = headAfter(line, sha256);
  const before = rememberedHead(home, ledgerPath);
  if (before?.hash === head.hash) return;
  const goesOn = head.seq === 1 || (before?.checked != null && before.checked.hash === entry?.prev);
  saveHead(home, ledgerPath, {
    ...head,
    checked: goesOn ? head : (before?.checked ?? null),
    whole: before?.whole ?? null,
  });
  if (head.seq >= 1 && head.seq <= MOST_HASHES) saveHash(home, ledgerPath, head);
}

/** The whole hash of every entry, of a chain that was begun in the first format. */
export function rememberChain(home: string, folder: string, name: string): void {
  const path = join(folder, `${name}.jsonl`);
  try {
    const lines = readPlainFile(path).toString('utf8').split('\n').slice(0, -1);
    writeFileSync(hashesPath(home, path), lines.map((line) => `${headAfter(line, sha256).hash}\n`).join(''), {
      mode: 0o600,
    });
  } catch {
    // as with the head: the entries are written
  }
}

/** The chains that this home may write in a folder, in the order they are tried. */
export function* ownChains(home: string, folder: string): Generator<string> {
  const machine = machineName(home);
  const own = `${machine}-${sha256(folder).slice(0, 6)}`;
  for (let count = 0; ; count += 1) yield count === 0 ? machine : count === 1 ? own : `${own}-${count}`;
}

/** Those of them that the home knows to have been written, also where the file is gone. */
export function knownChains(home: string, folder: string): string[] {
  const known: string[] = [];
  let count = 0;
  for (const name of ownChains(home, folder)) {
    const path = join(folder, `${name}.jsonl`);
    if (knownHead(home, path)) known.push(name);
    else if (count > 0 && !existsSync(path)) break;
    count += 1;
  }
  return known;
}

/** A workspace got another name: what is remembered of its ledgers goes along. */
export function carryHead(home: string, fromFolder: string, toFolder: string): void {
  const names = new Set([
    ...knownChains(home, fromFolder).map((name) => `${name}.jsonl`),
    ...ledgerPaths(toFolder).map((path) => basename(path)),
  ]);
  for (const name of names) {
    for (const placeOf of [headPath, hashesPath]) {
      const [from, to] = [placeOf(home, join(fromFolder, name)), placeOf(home, join(toFolder, name))];
      if (existsSync(from)) renameSync(from, to);
    }
  }
}

// Renamed into place but not synced: a head that lags behind its ledger is still on the chain. So a home that refuses
// does not undo the entry, which is written by now.
function saveHead(home: string, ledgerPath: string, head: RememberedHead): void {
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

function saveHash(home: string, ledgerPath: string, { seq, hash }: LedgerHead): void {
  try {
    const fd = openSync(hashesPath(home, ledgerPath), constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(fd, `${hash}\n`, (seq - 1) * (HASH_CHARS + 1));
    } finally {
      closeSync(fd);
    }
  } catch {
    // as with the head: the entry is written
  }
}

function isHead(value: unknown): value is LedgerHead {
  return isRecord(value) && Number.isSafeInteger(value.seq) && typeof value.hash === 'string';
}

function isWhole(value: unknown): value is WholeText {
  return isHead(value) && isRecord(value) && Number.isSafeInteger(value.chars) && typeof value.sha256 === 'string';
}

function headPath(home: string, ledgerPath: string): string {
  return join(home, 'heads', `${sha256(ledgerPath).slice(0, 32)}.json`);
}

function hashesPath(home: string, ledgerPath: string): string {
  return `${headPath(home, ledgerPath)}.hashes`;
}
