import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './file-fingerprint.ts';
import { namesIn } from './paths.ts';

const SETTLE_MS = 50;

// Tells the names that changed in a folder, once for a burst of writes. Keeps no process alive; a system that can't
// watch a folder simply tells nothing.
export function watchFolders(onChange: (folder: string, names: ReadonlySet<string>) => void) {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Map<string, Set<string>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const tell = (folder: string): void => {
    const names = changed.get(folder) ?? new Set();
    changed.delete(folder);
    timers.delete(folder);
    onChange(folder, names);
  };
  const letGo = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        changed.set(folder, (changed.get(folder) ?? new Set()).add(String(name ?? '')));
        if (!timers.has(folder)) timers.set(folder, setTimeout(tell, SETTLE_MS, folder).unref());
      });
      watcher.on('error', () => letGo(folder));
      watchers.set(folder, watcher);
    } catch {
      // not there, or no watches left
    }
  };
  return {
    /** Folders that are watched from now on; those that were and are not named any more are let go. */
    look(folders: readonly string[]): void {
      for (const folder of watchers.keys()) if (!folders.includes(folder)) letGo(folder);
      for (const folder of folders) if (!watchers.has(folder)) begin(folder);
    },
    close(): void {
      for (const folder of [...watchers.keys()]) letGo(folder);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

// Whether anything below changed: times and sizes only, so that asking again and again costs little. Polled because the
// system's own notices are lost on network and container mounts.
export function changeStamp(folders: readonly string[]) {
  const parts: string[] = [];
  let newest = 0;
  const look = (path: string): boolean => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return false;
    parts.push(`${path} ${stat.mtimeNs} ${stat.size} ${stat.ino}`);
    newest = Math.max(newest, Number(stat.mtimeNs / 1_000_000n));
    return stat.isDirectory();
  };
  for (const folder of folders) {
    if (!quietly(() => look(folder))) continue;
    for (const name of namesIn(folder)) {
      if (name.startsWith('.')) continue;
      if (quietly(() => look(join(folder, name))) && name === 'ledger')
        for (const inside of namesIn(join(folder, name))) quietly(() => look(join(folder, name, inside)));
    }
    // A session's folder changes when a proposal comes or goes; the proposals themselves never do.
    for (const name of namesIn(join(folder, 'sessions'))) {
      const inside = join(folder, 'sessions', name);
      if (quietly(() => look(inside))) quietly(() => look(join(inside, 'discarded')));
    }
  }
  // The newest: when something of it last changed, in milliseconds.
  return { value: sha256(parts.join('\n')), newest };
}

function quietly(work: () => boolean): boolean {
  try {
    return work();
  } catch {
    return false;
  }
}
