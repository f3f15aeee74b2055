import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whyNotId } from '../../safety/names.ts';

// Apart from the ledger itself: every read looks here, and must not load keys and hashes.
/** The files of all chains in a folder: this machine's and those that came with a merge. */
export function ledgerPaths(folder: string): string[] {
  try {
    // Mostly there is none: asking first spares an exception.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && whyNotId(name) === null);
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The texts that a chain is about, beside it: they can be erased, and the chain stays. */
export function textsPath(ledgerPath: string): string {
  return join(dirname(ledgerPath), 'texts', basename(ledgerPath));
}

/** All files that decide which blocks are accounted for: the ledgers, and the keys that count. */
export function accountingFiles(ledgerFolder: string, home: string): string[] {
  const chains = ledgerPaths(ledgerFolder);
  return [...chains, ...chains.map(textsPath), join(home, 'key.json'), join(home, 'trusted_keys.json')];
}
