import { isUtf8 } from 'node:buffer';
import { chmodSync, existsSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BearingsError, conflict, ioError, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { readPlainFile, readRange, textOf, whyNotWritable, withFile } from '../../files/read-file.ts';
import { atomicWrite, removeQuietly } from '../../files/write-file.ts';
import { parseJson } from '../../json.ts';
import type { HookKind } from '../client-hooks.ts';
import { ENTRY_NAME, type Scope } from '../client-table.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The whole text with its byte order mark, or null where there is no file. `scope`: the project whose file it is, and which no link may
 *  leave; a person's own file may be a link to anywhere. */
export function readClientFile(path: string, label: string, scope: string | null): string | null {
  const reason = whyNotWritable(scope, path);
  if (reason !== null) throw refused(label, reason);
  const read = withFile(path, scope, ({ fd, size }) => (size > MAX_BYTES ? null : readRange(fd, 0, size)));
  if (read.status === 'missing') return null;
  if (read.status === 'unreadable') throw refused(label, read.reason);
  if (read.value === null) throw refused(label, 'it is larger than 64 MiB');
  if (!isUtf8(read.value)) throw refused(label, 'it is not UTF-8 text');
  return read.value.toString('utf8');
}

export function refused(label: string, reason: string): BearingsError {
  return conflict(`${label} is left alone: ${reason}.`, 'Fix that file by hand, then try again.');
}

// Writes only over what was shown. Mode and link stay; folders that had to be made are named, so that undo finds them.
export function writeClientFile(
  path: string,
  change: { before: string | null; after: string; label: string; scope: string | null },
): string[] {
  const { before, after, label, scope } = change;
  if (readClientFile(path, label, scope) !== before) throw refused(label, 'it was changed at the same moment');
  const made: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) made.push(folder);
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    mkdirSync(dirname(path), { recursive: true });
    atomicWrite(path, after, mode === undefined ? 0o644 : mode & 0o777, scope);
    if (mode !== undefined) chmodSync(path, mode & 0o7777);
  } catch (error) {
    throw ioError(`${label} can't be written`, error);
  }
  return made;
}

export function removeClientFile(path: string, made: readonly string[]): void {
  rmSync(path, { force: true });
  // One that something else lives in by now stays, and with it those above.
  for (const folder of made) orNull(() => rmdirSync(folder));
}

/** `guard`: our own list of guarded clients; `memory switch`: the client's own; `notes block`: confirmed notes in its instructions. */
export type InstalledKind = 'server' | HookKind | 'rules' | 'guard' | 'memory switch' | 'notes block';

/** What one change to one file was, so that it can be taken back byte for byte. */
export interface Installed {
  client: string;
  scope: Scope;
  what: InstalledKind;
  name: string;
  path: string;
  /** Keys we brought along with our entry. */
  broughtKeys: number;
  made: string[];
  hadFile: boolean;
  after_sha256: string;
  /** Of a notes block: what we wrote between its marks. */
  entry_sha256?: string;
  at: string;
  /** Which change of its install it was; older records have none. */
  step?: number;
}

// Private: a client's file may hold keys of other servers.
export function installRecords(home: string) {
  const folder = join(home, 'installs');
  const idOf = ({ path, what, name }: Pick<Installed, 'path' | 'what' | 'name'>) =>
    sha256(`${path}\0${what}\0${name}`).slice(0, 24);
  const recordPath = (id: string) => join(folder, `${id}.json`);
  const beforePath = (id: string) => join(folder, `${id}.before`);
  const read = (id: string): Installed | null => {
    const value = parseJson(textOf(recordPath(id)) ?? '') as Installed | null;
    return value && idOf(value) === id ? value : null;
  };
  return {
    list(): Installed[] {
      return namesIn(folder)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(name.slice(0, -5)) ?? []);
    },
    find: (path: string, what: InstalledKind) => read(idOf({ path, what, name: ENTRY_NAME })),
    /** The file's bytes from before, or null where it can't be had any more. */
    before: (record: Installed) => orNull(() => readPlainFile(beforePath(idOf(record))).toString('utf8')),
    keep(record: Installed, before: string | null): void {
      const id = idOf(record);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (before === null) removeQuietly(beforePath(id));
      else atomicWrite(beforePath(id), before, 0o600);
      atomicWrite(recordPath(id), `${JSON.stringify(record, null, 2)}\n`, 0o600);
    },
    forget(record: Installed): void {
      const id = idOf(record);
      removeQuietly(recordPath(id));
      removeQuietly(beforePath(id));
    },
  };
}
