import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './sha256.ts';

export interface ChangeStamp {
  value: string;
  /** When the newest of it changed, in milliseconds. */
  newest: number;
}

// Whether anything below changed: times and sizes only, so that asking again and again costs little. Polled because the
// system's own notices are lost on network and container mounts.
export function changeStamp(folders: readonly string[]): ChangeStamp {
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
  return { value: sha256(parts.join('\n')), newest };
}

function quietly(work: () => boolean): boolean {
  try {
    return work();
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
