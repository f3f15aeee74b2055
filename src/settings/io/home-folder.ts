import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { notFound } from '../../errors.ts';
import { neededPersonFolder, personFolder } from '../../files/paths.ts';
import type { Variables } from '../../files/run-program.ts';

export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw notFound('The folder that this was started in is gone.', 'Change to a folder that is there: cd ~');
  }
}

export function homeFolder(option: string | undefined, variables: Variables, cwd: string): string {
  return resolve(cwd, expandTilde(option || variables.BEARINGS_HOME || '~/.bearings', variables));
}

/** Every place that may be a home: the one in use, and the one where nothing names another. */
export function homeFolders(home: string, variables: Variables, cwd: string): string[] {
  if (personFolder(variables) === null) return [home];
  return [home, homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd)];
}

export function cacheFolder(home: string, variables: Variables): string {
  if (variables.BEARINGS_CACHE) return resolve(expandTilde(variables.BEARINGS_CACHE, variables));
  // Some containers have a user without a folder.
  if (!variables.XDG_CACHE_HOME && personFolder(variables) === null) return join(home, 'cache');
  const base = variables.XDG_CACHE_HOME || (process.platform === 'darwin' ? '~/Library/Caches' : '~/.cache');
  return join(expandTilde(base, variables), 'bearings');
}

export function expandTilde(path: string, variables: Variables): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(neededPersonFolder(variables), path.slice(1));
}

// The other way round, for a person's eyes.
export function withTilde(path: string, variables: Variables): string {
  const home = personFolder(variables);
  return home !== null && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

// Apart from the rest: every call asks this, and must load nothing for it.

export function journalPath(home: string): string {
  return join(home, 'import.json');
}

export function isImporting(home: string): boolean {
  return existsSync(journalPath(home));
}
