import { invalidInput, notFound } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { type AccountedFile, accountedFiles } from '../accounting/accounted-files.ts';
import { wasUsed } from '../accounting/unaccounted.ts';
import type { Domains } from '../domains.ts';
import { keyOwners, type OwnerOfLine, signatureCheck } from '../io/key-owners.ts';
import { accountsIn, countUnaccounted } from '../io/ledger-accounts.ts';
import { type ReadLedger, readLedgers, readTexts } from '../io/ledger-file.ts';
import { knownHashes } from '../io/ledger-heads.ts';
import { type PersonKey, personKey } from '../io/person-key.ts';
import { fingerprintOf, signatures } from '../io/signatures.ts';
import { trustKey, untrustKey } from '../io/trusted-keys.ts';
import { type Takeover, takenOver } from '../keys/io/taken-over.ts';
import { type Proof, signerFor } from '../keys/signer.ts';
import { belongsTo, parseEntry } from './ledger.ts';
import { type LedgerReport, verifyLedger } from './verify-ledger.ts';

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

export function verificationUseCases(app: AppContext, domains: Domains) {
  const ledgersOf = (settings: Settings) => {
    const places = new Map(accountedFiles(settings, 'all').map((place) => [place.ledgerFolder, place]));
    return [...places.values()];
  };

  const unknownKeys = async (): Promise<UnknownKey[]> => {
    const settings = await app.settings();
    const owners = keyOwners(settings.home, personKey(settings.home));
    const isGenuine = signatureCheck();
    const found = new Map<string, UnknownKey>();
    for (const { ledgerFolder, scope, ledger } of ledgersOf(settings)) {
      for (const { machine, lines } of readLedgers({ folder: ledgerFolder, scope, home: settings.home })) {
        const ownerOf = owners.inChain(lines);
        for (const [index, line] of lines.entries()) {
          const entry = parseEntry(line);
          const owner = entry && ownerOf(entry, index);
          if (!entry || (owner !== null && owner !== 'retired') || !isGenuine(entry)) continue;
          const { who, at } = entry;
          const fingerprint = fingerprintOf(entry.public_key);
          const before = found.get(fingerprint)?.decisions ?? 0;
          found.set(fingerprint, { fingerprint, who, machine, ledger, decisions: before + 1, last: at });
        }
      }
    }
    return [...found.values()];
  };

  return {
    // Every ledger there is: the tastes' and each workspace's, this machine's and those that came with a merge.
    async verify(passphrase: string | null = null, expected: string | null = null): Promise<Verification[]> {
      const settings = await app.settings();
      const key = personKey(settings.home);
      const proven = isProven(key, passphrase);
      const owners = keyOwners(settings.home, key);
      const isSigned = signatures();
      const statusOf = {
        you: proven ? 'yours' : 'unproven',
        'you, earlier': proven ? 'earlier' : 'unproven',
        'a key you trust': 'trusted',
        retired: 'retired',
      } as const;
      await domains.settle(await domains.tastes(settings));
      for (const workspace of settings.workspaces()) await domains.settle(await domains.notes(settings, workspace));
      const reports: Verification[] = [];
      for (const place of ledgersOf(settings)) {
        const { ledger, image_id: imageId } = place;
        const chains = readLedgers({ folder: place.ledgerFolder, scope: place.scope, home: settings.home });
        const texts = readTexts(chains, place.scope ?? place.ledgerFolder);
        const erased = erasedIn(chains, owners.inChain);
        const counted = chains.length === 0 ? [] : unaccountedIn(settings, place);
        const unaccounted = counted.map(({ file, count }) => ({ file, count })).filter(({ count }) => count > 0);
        if (chains.length === 0 && wasUsed(settings.home, place))
          reports.push({
            ...{ ledger, machine: '', entries: [], unaccounted: [], problems: [] },
            findings: [
              { kind: 'ledger_gone', entry: null, message: 'decisions were made here, and the ledger is gone' },
            ],
          });
        for (const [index, read] of chains.entries()) {
          const ownerOf = owners.inChain(read.lines);
          const { findings, ...report } = verifyLedger(read.machine, read.lines, {
            sha256,
            isSignedBy: isSigned,
            ownerOf(entry, line) {
              const owner = ownerOf(entry, line);
              return owner === null ? 'foreign' : statusOf[owner];
            },
            untilOf: owners.untilOf,
            knownHead: read.knownHead,
            knownHashes: knownHashes(settings.home, read.path),
            hasText: (hash) => texts.has(hash) || erased.has(hash),
            belongsHere: belongsTo(imageId),
          });
          if (read.torn) findings.push({ kind: 'torn', entry: null, message: 'the last line is torn' });
          if (read.unreadable)
            findings.push({ kind: 'unreadable', entry: null, message: `it can't be read: ${read.unreadable}` });
          if (index === 0)
            for (const { file, gone } of counted)
              if (gone > 0)
                findings.push({
                  kind: 'block_gone',
                  entry: null,
                  message: `${gone === 1 ? 'an accepted block' : `${gone} accepted blocks`} of ${file} can't be found there any more: bearings review`,
                });
          reports.push({ ledger, ...report, findings, unaccounted: index === 0 ? unaccounted : [] });
        }
      }
      // Who names the key by its fingerprint says that it is hers, whatever was in force before.
      const takeover = expected === key.fingerprint ? null : takenOver(settings.home, ledgersOf(settings));
      const doubt = lowered(reports, key) ?? another(takeover);
      if (doubt !== null) doubtKey(reports, doubt);
      return reports.map((report) => ({ ...report, problems: report.findings.map(({ message }) => message) }));
    },

    unknownKeys,

    // Only a key that was met in a ledger: what the person can see is what she can trust.
    async trustKey(fingerprint: string, proof: Proof = {}): Promise<UnknownKey> {
      const found = (await unknownKeys()).find((key) => key.fingerprint === fingerprint);
      if (!found)
        throw notFound('No ledger here holds a decision by such a key.', 'See which keys there are: bearings verify');
      const settings = await app.settings();
      const signer = signerFor(settings, proof);
      trustKey(settings.home, { fingerprint, at: signer.act?.at ?? app.now().toISOString() }, signer);
      return found;
    },

    async untrustKey(fingerprint: string): Promise<void> {
      if (!untrustKey((await app.settings()).home, fingerprint))
        throw invalidInput('This key is not trusted.', 'See the keys of all ledgers: bearings verify');
    },
  };
}

// Only what the person, or somebody she trusts, said to erase: who deletes a record beside the chain is told of.
function erasedIn(
  chains: readonly ReadLedger[],
  ownersIn: (lines: readonly string[]) => OwnerOfLine,
): ReadonlySet<string> {
  const isGenuine = signatureCheck();
  return new Set(
    chains.flatMap(({ lines }) => {
      const ownerOf = ownersIn(lines);
      return lines.flatMap((line, index) => {
        const entry = parseEntry(line);
        if (entry?.decision !== 'erase' || !entry.erased || !isGenuine(entry)) return [];
        const owner = ownerOf(entry, index);
        return owner === null || owner === 'retired' ? [] : entry.erased;
      });
    }),
  );
}

function unaccountedIn(settings: Settings, ledger: AccountedFile) {
  const accounts = accountsIn(ledger, settings.home);
  return accountedFiles(settings, 'all')
    .filter((place) => place.ledgerFolder === ledger.ledgerFolder)
    .filter(({ file }) => accounts(file).hasDecisions)
    .map(({ file, path, scope }) => {
      const { fresh: count, gone } = countUnaccounted(path, scope, accounts(file));
      return { file, count, gone };
    });
}

const RANK: Readonly<Record<string, number>> = { ask: 0, passphrase: 1, passkey: 2 };

// The last word on the level was a higher one than the key has: then nothing proves whose key it is.
function lowered(reports: readonly Verification[], key: PersonKey): string | null {
  const last = reports
    .filter(({ ledger }) => ledger === 'tastes')
    .map(({ entries }) => entries.findLast(({ decision }) => decision === 'level')?.level ?? 'ask')
    .find((level) => (RANK[level] ?? 0) > (RANK[key.level] ?? 0));
  if (last === undefined) return null;
  return last === 'passphrase'
    ? 'the passphrase was removed from the key without you: do not trust what was signed since'
    : 'the level was lowered from passkey without your authenticator: do not trust what was signed since';
}

function another(takeover: Takeover | null): string | null {
  if (takeover === null) return null;
  if (takeover.from === null) return 'the ledger that says how your key came to its level is gone: put it back';
  return `the key in your home took the place of ${takeover.from}, which had not named it: yours only if you lost that one; say so with --expect`;
}

function doubtKey(reports: Verification[], message: string): void {
  let tastes = reports.find(({ ledger }) => ledger === 'tastes');
  if (!tastes) {
    tastes = { ledger: 'tastes', machine: '', entries: [], findings: [], problems: [], unaccounted: [] };
    reports.push(tastes);
  }
  tastes.findings.push({ kind: 'level_lowered', entry: null, message });
  for (const entry of reports.flatMap(({ entries }) => entries)) {
    if (entry.verdict === 'yours' || entry.verdict === 'earlier') entry.verdict = 'unproven';
    // Trusted by the word of a key in doubt.
    if (entry.verdict === 'trusted') entry.verdict = 'foreign';
  }
}

// A locked key is proven by its passphrase. One that opens without it is not the key that was locked.
function isProven(key: PersonKey, passphrase: string | null): boolean {
  // What an authenticator signed needs no secret to be checked.
  if (key.level === 'passkey') return key.publicKeys.length > 0;
  if (passphrase === null) return key.level === 'ask' && key.unlock(null) !== null;
  if (key.level === 'passphrase' && key.unlock(passphrase)) return true;
  throw invalidInput(
    'The passphrase does not open the key in your home.',
    'Try again. If you are sure of it, the key was replaced: restore key.json from a backup.',
  );
}
