import { lstatSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { codePointLength } from '../../code-points.ts';
import { codeOf, reasonOf } from '../../errors.ts';
import { type Fingerprints, fingerprintsOf, sha256 } from '../../files/file-fingerprint.ts';
import { lstatOf, realPath } from '../../files/paths.ts';
import { decode, readRange, withFile } from '../../files/read-file.ts';
import { isSecretName, whyPrivate } from '../../matching/text/paths.ts';
import { pathExcluder } from '../pattern.ts';
import type { FileText, ProjectSource, Reading } from '../project-source.ts';
import { isIgnoredIn, patternWalk } from './project-listing.ts';

/** A project on disk. */
export interface Project extends ProjectSource {
  /** Its folder with every link followed. */
  root: string;
  /** As `list`, without what the project's own .gitignore files name. */
  listUnignored(pattern: string): readonly string[];
  /** Whatever is at a path, without following a link there. */
  exists(path: string): boolean;
  /** All bytes of a file that others wrote, for judging. */
  readBytes(path: string): Reading<Buffer>;
  /** The text of a policy: the one file of a corpus's own folder that is read. */
  readPolicy(path: string): Reading<string>;
  /** Real paths of all files that were opened. */
  opened(): ReadonlySet<string>;
  /** What tells the contents of these files from others. */
  fingerprints(names: readonly string[]): Fingerprints;
}

/** A file up to this size is read and hashed whole; of a larger one only the beginning. */
export const HASHED_BYTES = 256 * 1024;
/** So much text of whole files is remembered: what is looked at for secrets is then what went in. */
const REMEMBERED_CHARS = 4 * 1024 * 1024;
const MAX_REPORT_BYTES = 8 * 1024 * 1024;
const NUL_CHECKED_BYTES = 8 * 1024;

/** What is in reach; a policy narrows it once it is read. */
export interface Corpus {
  /** Patterns of what a policy leaves out. */
  exclude: readonly string[];
  /** Folders of the product itself. */
  own: readonly string[];
  /** Nothing that the project's .gitignore files name. */
  heedIgnored: boolean;
}

const EVERYTHING: Corpus = { exclude: [], own: [], heedIgnored: false };

export function openProject(root: string, corpus: Corpus = EVERYTHING): Project {
  const opened = new Set<string>();
  const warnings = new Set<string>();
  const listed = new Map<string, readonly string[]>();
  const remembered = new Map<string, Reading<FileText>>();
  let room = REMEMBERED_CHARS;
  const walk = patternWalk(root, (warning) => warnings.add(warning));

  const open = <T>(
    path: string,
    use: (fd: number, size: number, identity: string) => Reading<T>,
    isOurs = false,
  ): Reading<T> => {
    const whole = join(root, path);
    // Most names a policy tries are not there: asking first spares an exception each.
    if (lstatOf(whole) === undefined) return missingOrClosed(whole);
    const real = realPath(whole);
    if (real === null) return { status: 'unreadable', unsafe: true, reason: 'its link leads nowhere' };
    const refusal = whyRefused(root, real) ?? (isOurs ? null : whyNotInCorpus(pathWithin(root, real) ?? ''));
    if (refusal) return refusal;
    opened.add(real);
    const result = withFile(whole, root, ({ fd, size }) => use(fd, size, pathWithin(root, real) ?? ''));
    if (result.status === 'ok') return result.value;
    return result.status === 'missing' ? result : { ...result, unsafe: false };
  };

  // By its real name: a link, or a policy that comes with a clone, brings none of these in (L24).
  const whyNotInCorpus = (path: string): Refusal | null => {
    const { own, heedIgnored } = corpus;
    const why = whyPrivate(path) ?? (pathExcluder(own)(path) ? 'is in a folder of Bearings' : null);
    if (why !== null) return { status: 'unreadable', unsafe: true, reason: `it ${why}` };
    return heedIgnored && isIgnoredIn(root, path)
      ? { status: 'unreadable', unsafe: true, reason: 'it is ignored by git' }
      : null;
  };

  const bytesOf = (path: string, isOurs = false): Reading<Buffer> =>
    open(
      path,
      (fd, size): Reading<Buffer> => {
        if (size > MAX_REPORT_BYTES) return { status: 'unreadable', unsafe: false, reason: 'it is larger than 8 MiB' };
        return { status: 'ok', value: readRange(fd, 0, size) };
      },
      isOurs,
    );
  const textOf = (bytes: Reading<Buffer>): Reading<string> =>
    bytes.status === 'ok' ? { status: 'ok', value: decode(bytes.value).text } : bytes;
  const listWith = (pattern: string, heedIgnored: boolean) => {
    const { exclude, own } = corpus;
    return walk(pattern, [...exclude, ...own], { heedIgnored });
  };

  return {
    root,
    exists: (path) => lstatOf(join(root, path)) !== undefined,
    fingerprints: (names) => fingerprintsOf(root, names),
    opened: () => opened,
    warnings: () => [...warnings],
    list(pattern) {
      const known = listed.get(pattern) ?? listWith(pattern, corpus.heedIgnored);
      listed.set(pattern, known);
      return known;
    },
    listUnignored: (pattern) => listWith(pattern, true),
    probe: (path) => open(path, () => ({ status: 'ok', value: null })),
    read(path, maxChars) {
      const before = remembered.get(path);
      if (before) return before;
      const reading = open(path, (fd, size, identity) => beginning({ fd, size, identity, maxChars }));
      if (reading.status !== 'ok' || !reading.value.whole || reading.value.text.length > room) return reading;
      room -= reading.value.text.length;
      remembered.set(path, reading);
      return reading;
    },
    readBytes: (path) => bytesOf(path),
    readWhole: (path) => textOf(bytesOf(path)),
    readPolicy: (path) => textOf(bytesOf(path, true)),
  };
}

interface Beginning {
  fd: number;
  size: number;
  identity: string;
  maxChars: number;
}

// As many bytes as the excerpt can need and no more: memory stays flat beside a file of any size.
function beginning({ fd, size, identity, maxChars }: Beginning): Reading<FileText> {
  const wanted = Math.min(size, Math.max(HASHED_BYTES, 4 * (maxChars + 2)));
  const bytes = readRange(fd, 0, wanted);
  if (bytes.subarray(0, NUL_CHECKED_BYTES).includes(0))
    return { status: 'unreadable', unsafe: false, reason: 'it is not a text file' };
  const whole = wanted === size;
  const { text, valid } = decode(whole ? bytes : bytes.subarray(0, lastWholeCharacter(bytes)));
  const hashed = size <= HASHED_BYTES ? bytes : bytes.subarray(0, HASHED_BYTES);
  const total_chars = whole ? codePointLength(text) : null;
  return {
    status: 'ok',
    value: { text, whole, total_chars, total_bytes: size, sha256: sha256(hashed), identity, valid },
  };
}

// Where the last character that is not cut in half ends.
function lastWholeCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back >= length ? bytes.length : bytes.length - back;
  }
  return bytes.length;
}

// Both are real paths, so a step of one is a step of the other; `relative` would take its time to find out.
function pathWithin(root: string, real: string): string | null {
  const start = root.endsWith(sep) ? root : `${root}${sep}`;
  return real.startsWith(start) ? real.slice(start.length).replaceAll(sep, '/') : null;
}

// Looked at before it is opened: opening alone can wake a device.
type Refusal = Extract<Reading<never>, { status: 'unreadable' }>;

function whyRefused(root: string, real: string): Refusal | null {
  const refuse = (reason: string, unsafe = true) => ({ status: 'unreadable' as const, unsafe, reason });
  const path = pathWithin(root, real);
  if (path === null) return refuse('its link leads out of the project');
  if (path.split('/').includes('.git')) return refuse('its link leads into .git');
  if (isSecretName(path)) return refuse('it is a file for secrets');
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return refuse('it is a directory', false);
  return stat && !stat.isFile() ? refuse('it is not a regular file') : null;
}

// Nothing there, or a folder on the way that may not be entered.
function missingOrClosed(path: string): Refusal | { status: 'missing' } {
  try {
    lstatSync(path, { throwIfNoEntry: false });
    return { status: 'missing' };
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return { status: 'missing' };
    return { status: 'unreadable', unsafe: false, reason: reasonOf(error) };
  }
}

export function projectFolder(path: string): string | null {
  const real = realPath(path);
  return real !== null && statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : null;
}
