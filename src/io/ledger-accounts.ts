import { accountBlock } from '../proposals/account-block.ts';
import { type Accounts, accountsOf, type SignedEntry } from '../proposals/accounting.ts';
import { belongsTo, type LedgerEntry, parseEntry } from '../proposals/ledger.ts';
import { blockPass } from './block-pass.ts';
import { hasGenuineSignature, keyOwners } from './key-owners.ts';
import { type ReadLedger, readLedgers } from './ledger-file.ts';
import { rememberChecked, rememberedHead } from './ledger-heads.ts';
import { withFile } from './open-file.ts';
import { knownKey } from './person-key.ts';
import { sha256 } from './sha256.ts';

/** A folder whose ledgers say what is accounted for. */
export interface LedgerPlace {
  ledgerFolder: string;
  scope: string | null;
  /** The workspace; null: the tastes. */
  image_id: string | null;
}

// What the person and those she trusts decided in this folder. Other keys' entries claim nobody's yes, and neither does
// a decision on something else that was copied here.
export function readAccounts(place: LedgerPlace, home: string): Accounts {
  const owners = keyOwners(home, knownKey(home));
  const belongsHere = belongsTo(place.image_id);
  const read = readLedgers({ folder: place.ledgerFolder, scope: place.scope, home });
  const ledgers = read.map((ledger) => {
    const ownerOf = owners.inChain(ledger.lines);
    const isKnown = writtenHere(ledger);
    return genuineEntries(ledger.path, ledger.lines, home).flatMap(({ entry, index }): SignedEntry[] => {
      if (!belongsHere(entry) && !isKnown(index)) return [];
      const owner = ownerOf(entry.key, index);
      if (owner === null || owner === 'retired') return [];
      return [{ entry, owner: owner === 'a key you trust' ? owner : 'you' }];
    });
  });
  // Setting a passphrase is no word on any text.
  const kept = read.some(({ lines }) => lines.some((line) => !line.includes('"decision":"level"')));
  return accountsOf(ledgers, kept);
}

// What the home saw written here stays here, also after the workspace got another name.
function writtenHere({ lines, knownHead }: ReadLedger): (index: number) => boolean {
  let upTo: number | undefined;
  return (index) => {
    upTo ??= knownHead === null ? -1 : lines.findLastIndex((line) => sha256(line) === knownHead.hash);
    return index <= upTo;
  };
}

// A signature that was found genuine once is not checked again while the chain up to it is the same.
function genuineEntries(path: string, lines: readonly string[], home: string): { entry: LedgerEntry; index: number }[] {
  const checked = rememberedHead(home, path)?.checked ?? null;
  const entries = lines.map(parseEntry);
  const known = checked === null ? 0 : checkedLines(lines, entries, checked.hash);
  // A chain that does not lead to what was checked before is checked anew, each time, until it is mended.
  let intact = known > 0 || checked === null;
  let last: LedgerEntry | null = known > 0 ? (entries[known - 1] ?? null) : null;
  const genuine = entries.flatMap((entry, index) => {
    if (entry === null) {
      if (index >= known) intact = false;
      return [];
    }
    if (index < known) return [{ entry, index }];
    const isGenuine = hasGenuineSignature(entry);
    intact &&=
      isGenuine && entry.seq === index + 1 && entry.prev === (index === 0 ? '' : sha256(lines[index - 1] ?? ''));
    if (intact) last = entry;
    return isGenuine ? [{ entry, index }] : [];
  });
  if (intact && last && lines.length > known)
    rememberChecked(home, path, { seq: last.seq, hash: sha256(lines.at(-1) ?? '') });
  return genuine;
}

// How many lines lead, link by link, to the one that was checked last.
function checkedLines(lines: readonly string[], entries: readonly (LedgerEntry | null)[], hash: string): number {
  let before = '';
  for (const [index, line] of lines.entries()) {
    if (entries[index]?.prev !== before) return 0;
    before = sha256(line);
    if (before === hash) return index + 1;
  }
  return 0;
}

/** Runs of lines without a decision behind them. */
export function countUnaccounted(path: string, scope: string | null, accounts: Accounts): number {
  const counted = withFile(path, scope, (file) => {
    let count = 0;
    for (const block of blockPass(file))
      for (const part of accountBlock(block, accounts, sha256).parts) if (part.origin === null) count += 1;
    return count;
  });
  return counted.status === 'ok' ? counted.value : 0;
}
