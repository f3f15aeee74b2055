import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whyNotId } from '../../safety/names.ts';

// Apart from the ledger itself: every read looks here, and must not load keys and hashes.
/** The files of all chains in a folder: this machine's and those that came with a merge. */
export function ledgerPaths(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && whyNotId(name) === null);
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** All files that decide which blocks are accounted for: the ledgers, and the keys that count. */
export function accountingFiles(ledgerFolder: string, home: string): string[] {
  return [...ledgerPaths(ledgerFolder), join(home, 'key.json'), join(home, 'trusted_keys.json')];
}
