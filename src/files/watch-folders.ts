import { type FSWatcher, watch } from 'node:fs';

const SETTLE_MS = 50;

export interface FolderWatch {
  /** Folders that are watched from now on; those that were and are not named any more are let go. */
  look(folders: readonly string[]): void;
  close(): void;
}

// Tells the names that changed in a folder, once for a burst of writes. Keeps no process alive; a system that can't
// watch a folder simply tells nothing.
export function watchFolders(onChange: (folder: string, names: ReadonlySet<string>) => void): FolderWatch {
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
    look(folders) {
      for (const folder of watchers.keys()) if (!folders.includes(folder)) letGo(folder);
      for (const folder of folders) if (!watchers.has(folder)) begin(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) letGo(folder);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
