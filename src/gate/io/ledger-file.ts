import { constants, existsSync, fstatSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ioFault, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { readRange, whyNotOpened, whyNotWritable, withFile } from '../../files/read-file.ts';
import type { FileLayer, WritableFile } from '../../files/write-file.ts';
import { whyNotId } from '../../safety/hidden-characters.ts';
import { type ChainText, type CheckedChain, checkChain } from '../ledger/chain.ts';
import type { KnownText } from '../ledger/entry.ts';
import { type ChainEnd, type LedgerLine, parseEntry, readTextRecord, type TextLookup } from '../ledger/ledger.ts';
import type { LedgerInput } from '../standing/standing.ts';
import { machineName, marksOf, saveMark } from './marks.ts';
import { isSigned } from './person-key.ts';

/** A folder of chains: the home's, the tastes', or a workspace's. */
export interface LedgerLocation extends Pick<LedgerInput, 'name' | 'label' | 'place' | 'isWorkspace' | 'mayBeBranch'> {
  home: string;
  ledgerFolder: string;
  scope: string | null;
}

// No chain of a person is nearly so long: a clone must not make a reader run out of memory.
const MAX_CHAIN_BYTES = 64 * 1024 * 1024;
const MAX_CHAINS = 200;
// Thirty megabytes of blank lines are soon made.
const MAX_LINES = 100_000;
const MAX_TEXTS = 1_000_000;
const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The files of all chains in a folder: this machine's and those that came with a merge. However many a clone brings, those that are known come first. */
export function ledgerPaths(folder: string, known: ReadonlyMap<string, unknown> = new Map(), most = MAX_CHAINS) {
  // Mostly there is none: asking first spares an exception.
  const all = existsSync(folder) ? namesIn(folder) : [];
  const names = all.filter((name) => name.endsWith('.jsonl') && whyNotId(name) === null);
  const isKnown = (name: string) => known.has(basename(name, '.jsonl'));
  // Empty files say nothing, and take no place of others.
  const isSaid = (name: string) => isKnown(name) || orNull(() => lstatSync(join(folder, name)))?.size !== 0;
  const sorted = (names.length > MAX_CHAINS ? names.filter(isSaid) : names).sort();
  const ordered = [...sorted.filter(isKnown), ...sorted.filter((name) => !isKnown(name))];
  return ordered.slice(0, most).map((name) => join(folder, name));
}

/** The texts that a chain is about, next to it: they can be erased, and the chain stays. */
export function textsPath(ledgerPath: string): string {
  return join(dirname(ledgerPath), 'texts', basename(ledgerPath));
}

export function readLedger(location: LedgerLocation): LedgerInput {
  const marks = marksOf(location.home, location.place);
  const paths = ledgerPaths(location.ledgerFolder, marks, Number.POSITIVE_INFINITY);
  const chains = paths.slice(0, MAX_CHAINS).map((path) => readChain(path, location));
  const leftOut = Math.max(0, paths.length - MAX_CHAINS);
  return { ...location, chains, leftOut, texts: readTexts(location, marks), marks };
}

type LedgerFolder = Pick<LedgerLocation, 'ledgerFolder' | 'scope'>;

function readChain(path: string, { ledgerFolder, scope }: LedgerFolder): ChainText {
  const read = textOf(path, scope ?? ledgerFolder);
  const lines = (read.status === 'ok' ? read.value : '').split('\n', MAX_LINES + 1);
  const last = lines.pop() ?? '';
  const unreadable = read.status === 'unreadable' ? read.reason : null;
  return { name: basename(path, '.jsonl'), lines, torn: last !== '', unreadable };
}

function textOf(path: string, scope: string) {
  return withFile(path, scope, ({ fd, size }) => {
    if (size > MAX_CHAIN_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    return readRange(fd, 0, size).toString('utf8');
  });
}

// Of all chains of a folder: a record proves itself by its salted hash, whoever wrote it.
export function readTexts(location: LedgerFolder, known?: ReadonlyMap<string, unknown>): TextLookup {
  const texts = new Map<string, KnownText>();
  for (const line of textLines(location, known)) {
    const record = readTextRecord(line, sha256);
    if (record) texts.set(...record);
  }
  return texts;
}

/** The records next to all chains, as they are there. */
export function textLines({ ledgerFolder, scope }: LedgerFolder, known?: ReadonlyMap<string, unknown>): string[] {
  return ledgerPaths(ledgerFolder, known).flatMap((path) => {
    const read = textOf(textsPath(path), scope ?? ledgerFolder);
    return read.status === 'ok' ? read.value.split('\n', MAX_TEXTS).filter((line) => line !== '') : [];
  });
}

/** The names that this home may write in a folder, in the order they are tried: a second clone or branch has one of its own. */
function* ownChains(home: string, folder: string): Generator<string> {
  const machine = machineName(home);
  const own = `${machine}-${sha256(folder).slice(0, 6)}`;
  for (let count = 0; count < MAX_CHAINS; count += 1)
    yield count === 0 ? machine : count === 1 ? own : `${own}-${count}`;
}

export type LedgerFile = ReturnType<typeof ledgerFile>;

/** The chain of this home in such a folder, for whoever holds its lock. */
export function ledgerFile(location: LedgerLocation, files: FileLayer) {
  const { home, ledgerFolder: folder, scope, name: ledger, place } = location;
  const pathOf = (name: string) => join(folder, `${name}.jsonl`);
  const opened = (path: string, use: (file: WritableFile) => void): void => {
    const before = whyNotWritable(scope, path);
    if (before !== null) throw cantUse(before);
    const file = files.open(path, APPEND_FLAGS, 0o644);
    try {
      const reason = whyNotOpened(scope, path, file.fd);
      if (reason !== null) throw cantUse(reason);
      use(file);
    } finally {
      file.close();
    }
  };
  const chainOf = (line: string) => pathOf(parseEntry(line)?.machine ?? machineName(home));
  const mark = (line: string): void => {
    const entry = parseEntry(line);
    if (entry) saveMark(home, place, entry.machine, { seq: entry.seq, hash: sha256(line) });
  };
  return {
    // Where the next entry goes. Nobody signs on top of what does not verify, and a chain that came with a clone or that a
    // checkout took back is not ours to go on with: then the next name is tried.
    end(isOwn: (chain: CheckedChain) => boolean = () => true): ChainEnd {
      const marks = marksOf(home, place);
      let after: string | undefined;
      for (const name of ownChains(home, folder)) {
        const chain = readChain(pathOf(name), location);
        if (chain.unreadable !== null) throw cantUse(chain.unreadable);
        const checked = checkChain(chain, { sha256, isSigned });
        const { entries, broken, head } = checked;
        const known = marks.get(name);
        const isOurs = known ? entries[known.seq - 1]?.hash === known.hash && isOwn(checked) : chain.lines.length === 0;
        if (isOurs && (broken === null || broken.kind === 'torn')) return { ledger, machine: name, head, after };
        if (broken) after = `${name} ${head.hash}`;
      }
      throw cantUse('no chain is left for this machine');
    },
    /** True when this line is in its chain; then the home knows it too. */
    holds(line: string): boolean {
      const path = chainOf(line);
      const isThere = readChain(path, location).lines.includes(line);
      if (isThere) mark(line);
      return isThere;
    },
    /** Takes away what a crash left of this line. */
    cutTorn(line: string): void {
      const path = chainOf(line);
      if (!existsSync(path)) return;
      opened(path, (file) => {
        const { size } = fstatSync(file.fd);
        const torn = tornBytes(file.fd, size);
        if (torn === 0 || !line.startsWith(readRange(file.fd, size - torn, torn).toString('utf8'))) return;
        file.truncate(size - torn);
        file.sync();
      });
    },
    /** Texts first: an entry is never there without them. */
    append({ line, texts }: LedgerLine): void {
      const path = chainOf(line);
      mkdirSync(folder, { recursive: true });
      if (texts.length > 0) {
        const beside = textsPath(path);
        mkdirSync(dirname(beside), { recursive: true });
        // A new name lasts once its folder is synced.
        const named = () => {
          for (const each of [dirname(beside), folder]) files.syncFolder(each);
        };
        opened(beside, (file) => appendWhole(file, texts.join('\n'), named));
      }
      opened(path, (file) => appendWhole(file, line, () => files.syncFolder(folder)));
      mark(line);
    },
  };
}

// The whole line or nothing of it: what is not on disk for sure must not be believed later.
function appendWhole(file: WritableFile, line: string, named: () => void): void {
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

const cantUse = (reason: string) =>
  ioFault(`The ledger can't be used: ${reason}.`, 'Repair the folder ledger, then try again.');

function tornBytes(fd: number, size: number): number {
  return size - readRange(fd, 0, size).lastIndexOf('\n') - 1;
}
