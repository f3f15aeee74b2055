import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { hasWildcard, splitPattern } from '../loader/pattern.ts';
import type { FileText, ProjectSource, Reading } from '../loader/source.ts';
import { codePointLength } from '../memory/clip-text.ts';
import { withFile } from './open-file.ts';
import { isInside, realPath } from './path-scope.ts';
import { decode, readRange } from './read-text.ts';
import { codeOf, reasonOf } from './system-error.ts';

/** A project on disk. */
export interface Project extends ProjectSource {
  /** Its folder with every link followed. */
  root: string;
  /** Whatever stands at a path, without following a link there. */
  exists(path: string): boolean;
  /** Real paths of all files that were opened. */
  opened(): ReadonlySet<string>;
}

/** A file up to this size is read and hashed whole; of a larger one only the beginning. */
export const HASHED_BYTES = 256 * 1024;
const MAX_REPORT_BYTES = 8 * 1024 * 1024;
const NUL_CHECKED_BYTES = 8 * 1024;
// The glob library never sees the real folder: its name may hold anything, and every listing goes through one hook.
const VIRTUAL_ROOT = '/project';

export async function openProject(root: string, exclude: () => readonly string[]): Promise<Project> {
  // Only a project with patterns to follow pays for the library.
  const { globSync } = await import('tinyglobby');
  const opened = new Set<string>();
  const warnings = new Set<string>();
  const listed = new Map<string, readonly string[]>();
  const readdir = listing(root, warnings) as unknown as typeof readdirSync;

  const walk = (pattern: string): string[] => {
    const { base, rest } = splitPattern(pattern);
    const place = realPath(join(root, base));
    if (place === null) return [];
    if (!isInside(root, place)) {
      warnings.add(`${base} is not searched: its link leads out of the project.`);
      return [];
    }
    if (!hasWildcard(pattern)) return existsAt(join(root, pattern)) ? [pattern] : [];
    return globSync(escaped(pattern), {
      cwd: VIRTUAL_ROOT,
      ignore: exclude().flatMap(ignored),
      fs: { readdirSync: readdir },
      // Without `**` a pattern is as deep as it has steps; the library would look one folder further.
      ...(rest.includes('**') ? {} : { deep: pattern.split('/').length - 1 }),
      braceExpansion: false,
      extglob: false,
      dot: false,
      expandDirectories: false,
      followSymbolicLinks: false,
      debug: false,
    });
  };

  const open = <T>(path: string, use: (fd: number, size: number, identity: string) => Reading<T>): Reading<T> => {
    const whole = join(root, path);
    const real = realPath(whole);
    const refusal = real === null ? null : whyRefused(root, real);
    if (real === null || refusal) return refusal ?? missingOrDangling(whole);
    opened.add(real);
    const result = withFile(whole, root, ({ fd, size }) => use(fd, size, relative(root, real).split(sep).join('/')));
    if (result.status === 'ok') return result.value;
    return result.status === 'missing' ? result : { ...result, unsafe: false };
  };

  return {
    root,
    exists: (path) => existsAt(join(root, path)),
    opened: () => opened,
    warnings: () => [...warnings],
    list(pattern) {
      const known = listed.get(pattern) ?? walk(pattern);
      listed.set(pattern, known);
      return known;
    },
    read: (path, maxChars) => open(path, (fd, size, identity) => beginning({ fd, size, identity, maxChars })),
    readWhole: (path) =>
      open(path, (fd, size): Reading<string> => {
        if (size > MAX_REPORT_BYTES) return { status: 'unreadable', unsafe: false, reason: 'it is larger than 8 MiB' };
        return { status: 'ok', value: decode(readRange(fd, 0, size)).text };
      }),
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
  const sha256 = createHash('sha256').update(hashed).digest('hex');
  const total_chars = whole ? codePointLength(text) : null;
  return { status: 'ok', value: { text, whole, total_chars, total_bytes: size, sha256, identity, valid } };
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

// Looked at before it is opened: opening alone can wake a device.
function whyRefused(root: string, real: string): Exclude<Reading<never>, { status: 'ok' }> | null {
  const refuse = (reason: string, unsafe = true) => ({ status: 'unreadable' as const, unsafe, reason });
  if (!isInside(root, real)) return refuse('its link leads out of the project');
  if (relative(root, real).split(sep).includes('.git')) return refuse('its link leads into .git');
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return refuse('it is a directory', false);
  return stat && !stat.isFile() ? refuse('it is not a regular file') : null;
}

function missingOrDangling(path: string): Exclude<Reading<never>, { status: 'ok' }> {
  try {
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return link ? { status: 'unreadable', unsafe: true, reason: 'its link leads nowhere' } : { status: 'missing' };
  } catch (error) {
    return codeOf(error) === 'ENOTDIR'
      ? { status: 'missing' }
      : { status: 'unreadable', unsafe: false, reason: reasonOf(error) };
  }
}

function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

// Links, pipes and devices are listed as what a pattern found and refused when read, so that the person sees them; no
// link to a folder is ever followed.
function listing(root: string, warnings: Set<string>) {
  // Many patterns look into the same folder.
  const known = new Map<string, Dirent[]>();
  return (virtual: string): Dirent[] => {
    const folder = virtual.slice(VIRTUAL_ROOT.length + 1).replace(/\/$/, '');
    const before = known.get(folder);
    if (before) return before;
    try {
      const entries = readdirSync(join(root, folder), { withFileTypes: true });
      for (const entry of entries)
        if (!entry.isFile() && !entry.isDirectory()) Object.defineProperty(entry, 'isFile', { value: () => true });
      known.set(folder, entries);
      return entries;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
        warnings.add(`${folder || 'the project folder'} can't be listed: ${reasonOf(error)}.`);
      return [];
    }
  };
}

// Our patterns know `*`, `?` and `**`; every other sign of the library's own is taken as itself.
function escaped(pattern: string): string {
  return pattern.replace(/[()[\]{}!+@|]/g, '\\$&');
}

// Excluding all that a folder holds also keeps the walk out of it.
function ignored(pattern: string): string[] {
  const all = escaped(pattern);
  return all.endsWith('/**/*') ? [all, all.slice(0, -'/**/*'.length)] : [all];
}

export function projectFolder(path: string): string | null {
  const real = realPath(path);
  return real !== null && statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : null;
}
