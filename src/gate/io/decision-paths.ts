import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../files/sha256.ts';

// In the home, not in the workspace: a cloned repository must not bring an intent of its own.
export function intentPath(home: string, folder: string): string {
  return join(home, 'intents', keyOf(folder));
}

/** Where the versions of a folder's files are kept that a decision replaced. */
export function earlierFolder(home: string, folder: string): string {
  return join(home, 'earlier', keyOf(folder));
}

/** A workspace got another name: its earlier versions go along. */
export function carryEarlier(home: string, from: string, to: string): void {
  const [before, after] = [earlierFolder(home, from), earlierFolder(home, to)];
  if (before !== after && existsSync(before) && !existsSync(after)) renameSync(before, after);
}

function keyOf(folder: string): string {
  return sha256(folder).slice(0, 32);
}
