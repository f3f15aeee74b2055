import type { ConfirmLevel } from '../ledger/entry.ts';

/** What an entry says of the key in force. */
export interface KeyLink {
  /** Fingerprint of the key that signed, whole. */
  key: string;
  level: ConfirmLevel;
  /** Fingerprint of a key that it hands over to, or lets sign beside it. */
  names: string | null;
}

/** Which key named which. */
type NamedKeys = ReadonlyMap<string, ReadonlySet<string>>;

export function namedKeys(links: Iterable<KeyLink | null>): NamedKeys {
  const named = new Map<string, Set<string>>();
  for (const link of links) {
    if (!link?.names) continue;
    named.set(link.key, (named.get(link.key) ?? new Set()).add(link.names));
  }
  return named;
}

// Above `ask` only the key in force can name the next one: what another key says after it changes nothing. Where the key
// in the home is such a key, it came with another program. Gives the key that was in force.
export function takenFrom(chain: readonly (KeyLink | null)[], named: NamedKeys, home: string | null): string | null {
  let inForce: Pick<KeyLink, 'key' | 'level'> | null = null;
  for (const link of chain) {
    if (!link) continue;
    if (inForce === null || inForce.level === 'ask') inForce = { key: link.key, level: link.level };
    else if (leadsTo(inForce.key, link.key, named)) inForce = { key: inForce.key, level: link.level };
  }
  if (inForce === null || inForce.level === 'ask' || home === null) return null;
  return leadsTo(inForce.key, home, named) ? null : inForce.key;
}

function leadsTo(from: string, to: string, named: NamedKeys): boolean {
  const seen = new Set([from]);
  for (const key of seen) for (const next of named.get(key) ?? []) seen.add(next);
  return seen.has(to);
}
