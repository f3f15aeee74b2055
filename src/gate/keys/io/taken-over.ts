import { genuineEntries, type LedgerLocation } from '../../io/ledger-accounts.ts';
import { type ReadLedger, readLedgers } from '../../io/ledger-file.ts';
import { knownKey, type OwnKeys } from '../../io/person-key.ts';
import { fingerprintOf } from '../../io/signatures.ts';
import { trustedKeys } from '../../io/trusted-keys.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { type KeyLink, namedKeys, takenFrom } from '../takeover.ts';

/** The key in the home took the place of another that had not named it, or nothing says how its level came to be. */
export interface Takeover {
  /** Fingerprint of the key that was in force; null: no entry of the tastes tells of the one in the home. */
  from: string | null;
  /** The person trusts the key that was in force: she says that it was hers. */
  isTrusted: boolean;
}

// Above `ask` alone: below it any program of the person's account could use the key anyway.
const RAISED = /"level":"pass(?:phrase|key)"/;

// By the chains that this home wrote. The tastes' hold which key named which.
export function takenOver(
  home: string,
  places: readonly Pick<LedgerLocation, 'ledgerFolder' | 'scope' | 'image_id'>[],
): Takeover | null {
  const own = knownKey(home);
  const chains = places.flatMap(({ ledgerFolder: folder, scope, image_id }) =>
    readLedgers({ folder, scope, home })
      .filter(({ knownHead }) => image_id === null || knownHead !== null)
      .map((chain) => ({ chain, isTastes: image_id === null })),
  );
  const isRaised = own !== null && own.level !== 'ask';
  if (!isRaised && !chains.some(({ chain }) => RAISED.test(chain.text))) return null;
  const linked = chains.map(({ chain, isTastes }) => ({ isTastes, links: linksOf(chain, home) }));
  const tastes = linked.flatMap(({ isTastes, links }) => (isTastes ? links : []));
  const named = namedKeys(tastes);
  for (const { links } of linked) {
    const from = takenFrom(links, named, own?.fingerprint ?? null);
    if (from !== null) return { from, isTrusted: trusts(home, own, from) };
  }
  const isToldOf = tastes.some((link) => link && (link.key === own?.fingerprint || link.names === own?.fingerprint));
  return isRaised && !isToldOf ? { from: null, isTrusted: false } : null;
}

function linksOf(chain: ReadLedger, home: string): (KeyLink | null)[] {
  return genuineEntries(chain, home).map((entry) => entry && linkOf(entry));
}

function linkOf({ public_key, level, decision, subject }: LedgerEntry): KeyLink {
  const names = (decision === 'key' || decision === 'level') && subject ? subject : null;
  return { key: fingerprintOf(public_key), level, names };
}

function trusts(home: string, own: OwnKeys | null, fingerprint: string): boolean {
  return trustedKeys(home, own).some((key) => key.fingerprint === fingerprint);
}
