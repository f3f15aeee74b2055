import { invalidInput, notFound } from '../errors.ts';
import { countUnaccounted, hasGenuineSignature, readAccounts } from '../io/ledger-accounts.ts';
import { knownHead, knownMarks, readLedgers } from '../io/ledger-file.ts';
import { isSignedBy, personKey } from '../io/person-key.ts';
import { sha256 } from '../io/sha256.ts';
import { trustedKeys, trustKey, untrustKey } from '../io/trusted-keys.ts';
import { parseEntry } from '../proposals/ledger.ts';
import { type LedgerReport, verifyLedger } from '../proposals/verify-ledger.ts';
import { accountPlaces } from './account-places.ts';
import { signerFor } from './decisions.ts';
import type { Domains } from './domains.ts';
import type { Doors, House } from './house.ts';

export interface Verification extends LedgerReport {
  ledger: string;
  /** Blocks that no decision stands behind, by file. They are the person's right, and no problem. */
  unaccounted: { file: string; count: number }[];
}

/** A key that signed decisions here and is neither the person's nor trusted. */
export interface UnknownKey {
  fingerprint: string;
  /** As its entries say; only the fingerprint is proven. */
  who: string;
  machine: string;
  ledger: string;
  decisions: number;
  last: string;
}

export function verificationUseCases(doors: Doors, domains: Domains) {
  const ledgersOf = (house: House) => {
    const folders = new Map(accountPlaces(house, 'all').map((place) => [place.ledgerFolder, place.ledger]));
    return [...folders].map(([folder, ledger]) => ({ folder, ledger }));
  };

  const unknownKeys = async (): Promise<UnknownKey[]> => {
    const house = await doors.house();
    const own = personKey(house.home);
    const known = new Set([own.fingerprint, ...trustedKeys(house.home, own).map(({ fingerprint }) => fingerprint)]);
    const found = new Map<string, UnknownKey>();
    for (const { folder, ledger } of ledgersOf(house)) {
      for (const { machine, lines } of readLedgers(folder)) {
        for (const line of lines) {
          const entry = parseEntry(line);
          if (!entry || known.has(entry.key) || !hasGenuineSignature(entry)) continue;
          const { key: fingerprint, who, at } = entry;
          const before = found.get(fingerprint)?.decisions ?? 0;
          found.set(fingerprint, { fingerprint, who, machine, ledger, decisions: before + 1, last: at });
        }
      }
    }
    return [...found.values()];
  };

  return {
    // Every ledger there is: the tastes' and each workspace's, this machine's and those that came with a merge.
    async verify(passphrase: string | null = null): Promise<Verification[]> {
      const house = await doors.house();
      const key = personKey(house.home);
      const proven = key.unlock(passphrase) !== null;
      const trusted = new Set(trustedKeys(house.home, key).map(({ fingerprint }) => fingerprint));
      await domains.settle(await domains.tastes(house));
      for (const workspace of house.workspaces()) await domains.settle(await domains.notes(house, workspace));
      const places = accountPlaces(house, 'all');
      const reports: Verification[] = [];
      for (const { folder, ledger } of ledgersOf(house)) {
        const chains = readLedgers(folder);
        if (chains.length === 0) continue;
        const accounts = readAccounts(folder, house.home);
        const unaccounted = places
          .filter((place) => place.ledgerFolder === folder)
          .map(({ file, path, scope }) => ({ file, count: countUnaccounted(path, scope, accounts) }))
          .filter(({ count }) => count > 0);
        for (const [index, { machine, path, lines, torn }] of chains.entries()) {
          const report = verifyLedger(machine, lines, {
            sha256,
            isSignedBy,
            ownerOf: (fingerprint) =>
              trusted.has(fingerprint)
                ? 'trusted'
                : fingerprint !== key.fingerprint
                  ? 'foreign'
                  : proven
                    ? 'yours'
                    : 'unproven',
            knownHead: knownHead(house.home, path),
            knownMarks: knownMarks(house.home, path),
          });
          if (torn) report.findings.push({ kind: 'torn', entry: null, message: 'the last line is torn' });
          const level = report.entries.findLast((entry) => entry.decision === 'level')?.level;
          if (ledger === 'tastes' && level === 'passphrase' && key.level === 'ask')
            report.findings.push({
              kind: 'level_lowered',
              entry: null,
              message: 'the passphrase was taken off the key without you: do not trust what was signed since',
            });
          const problems = report.findings.map(({ message }) => message);
          reports.push({ ledger, ...report, problems, unaccounted: index === 0 ? unaccounted : [] });
        }
      }
      return reports;
    },

    unknownKeys,

    // Only a key that was met in a ledger: what the person can see is what she can trust.
    async trustKey(fingerprint: string, passphrase?: string): Promise<UnknownKey> {
      const found = (await unknownKeys()).find((key) => key.fingerprint === fingerprint);
      if (!found)
        throw notFound('No ledger here holds a decision by such a key.', 'See which keys there are: bearings verify');
      const house = await doors.house();
      trustKey(house.home, { fingerprint, at: doors.now().toISOString() }, signerFor(house, passphrase));
      return found;
    },

    async untrustKey(fingerprint: string): Promise<void> {
      if (!untrustKey((await doors.house()).home, fingerprint))
        throw invalidInput('This key is not trusted.', 'See the keys of all ledgers: bearings verify');
    },
  };
}
