import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Apart from the rest: every call asks this, and must load nothing for it.

export function journalPath(home: string): string {
  return join(home, 'import.json');
}

export function isImporting(home: string): boolean {
  return existsSync(journalPath(home));
}
