import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Apart from the rest: every call asks this, and must load nothing for it.

/** In the home, as every intent: a cloned repository must not bring one. */
export function erasurePath(home: string): string {
  return join(home, 'intents', 'erase');
}

export function isErasing(home: string): boolean {
  return existsSync(erasurePath(home));
}
