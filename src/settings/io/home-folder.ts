import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Variables } from '../../files/run-program.ts';

export function homeFolder(option: string | undefined, variables: Variables, cwd: string): string {
  return resolve(cwd, expandTilde(option || variables.BEARINGS_HOME || '~/.bearings', variables));
}

export function cacheFolder(variables: Variables): string {
  if (variables.BEARINGS_CACHE) return resolve(expandTilde(variables.BEARINGS_CACHE, variables));
  const base = variables.XDG_CACHE_HOME || (process.platform === 'darwin' ? '~/Library/Caches' : '~/.cache');
  return join(expandTilde(base, variables), 'bearings');
}

export function expandTilde(path: string, variables: Variables): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(variables.HOME || homedir(), path.slice(1));
}

// The other way round, for a person's eyes.
export function withTilde(path: string, variables: Variables): string {
  const home = variables.HOME || homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
