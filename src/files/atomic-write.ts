import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError } from '../errors.ts';
import { whyNotWritable } from './open-file.ts';
import { isPlainOnly, realPath } from './path-scope.ts';

// The person's own is the person's alone; what lies in a repository is for whoever works there.
export const fileMode = (scope: string | null): number => (scope === null ? 0o600 : 0o644);
export const folderMode = (scope: string | null): number => (scope === null ? 0o700 : 0o777);

// The file holds the old text or the new one at every instant, also after a power cut. A link stays a link: its target
// is what gets replaced. With a scope a path that may not be written, and a link that leads out of it, are refused.
export function atomicWrite(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  scope: string | null = null,
): void {
  const reason = whyNotWritable(scope, path);
  if (reason !== null) throw new BearingsError('conflict', `${basename(path)} can't be written: ${reason}.`);
  const target = scope !== null && isPlainOnly(scope, path) ? path : (realPath(path) ?? path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true, mode: folderMode(scope) });
  // Any free name will do: `wx` refuses one that is taken. (Loading node:crypto would cost every start some milliseconds.)
  const draft = join(folder, `.${basename(target)}.${process.pid}-${Math.random().toString(36).slice(2, 12)}`);
  try {
    const fd = openSync(draft, 'wx', mode);
    try {
      writeAll(fd, Buffer.from(content));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, target);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
  syncFolder(folder);
}

// A leftover that can't be taken away must not hide why it was left.
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // what went wrong before is what counts
  }
}

export function writeAll(fd: number, bytes: Buffer, position?: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, null, position === undefined ? null : position + written);
}

// A rename or a new name lasts once its folder is synced.
export function syncFolder(folder: string): void {
  // Windows refuses it: docs/security.md says what that weakens.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
