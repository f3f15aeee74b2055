import { accountBlock } from '../proposals/account-block.ts';
import { type Accounts, accountsOf, type SignedEntry } from '../proposals/accounting.ts';
import { canonicalJson } from '../proposals/canonical-json.ts';
import { type LedgerEntry, parseEntry } from '../proposals/ledger.ts';
import { blockPass } from './block-pass.ts';
import { readLedgers } from './ledger-file.ts';
import { rememberChecked, rememberedHead } from './ledger-heads.ts';
import { withFile } from './open-file.ts';
import { isSignedBy, knownKey } from './person-key.ts';
import { sha256 } from './sha256.ts';
import { trustedKeys } from './trusted-keys.ts';

// What the person and those she trusts decided in this folder. Other keys' entries claim nobody's yes.
export function readAccounts(place: { ledgerFolder: string; scope: string | null }, home: string): Accounts {
  const own = knownKey(home);
  const trusted = new Set(trustedKeys(home, own).map(({ fingerprint }) => fingerprint));
  const ownerOf = (key: string): SignedEntry['owner'] | null =>
    key === own?.fingerprint ? 'you' : trusted.has(key) ? 'a key you trust' : null;
  const ledgers = readLedgers({ folder: place.ledgerFolder, scope: place.scope, home }).map(({ path, lines }) =>
    genuineEntries(path, lines, home).flatMap((entry) => {
      const owner = ownerOf(entry.key);
      return owner === null ? [] : [{ entry, owner }];
    }),
  );
  return accountsOf(ledgers);
}

// A signature that was found genuine once is not checked again while the chain up to it is the same.
function genuineEntries(path: string, lines: readonly string[], home: string): LedgerEntry[] {
  const checked = rememberedHead(home, path)?.checked ?? null;
  const entries = lines.map(parseEntry);
  const known = checked === null ? 0 : checkedLines(lines, entries, checked.hash);
  // A chain that does not lead to what was checked before is checked anew, each time, until it is mended.
  let intact = known > 0 || checked === null;
  let last: LedgerEntry | null = known > 0 ? (entries[known - 1] ?? null) : null;
  const genuine = entries.filter((entry, index): entry is LedgerEntry => {
    if (entry === null) {
      if (index >= known) intact = false;
      return false;
    }
    if (index < known) return true;
    const isGenuine = hasGenuineSignature(entry);
    intact &&=
      isGenuine && entry.seq === index + 1 && entry.prev === (index === 0 ? '' : sha256(lines[index - 1] ?? ''));
    if (intact) last = entry;
    return isGenuine;
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

export function hasGenuineSignature(entry: LedgerEntry): boolean {
  const { sig, ...unsigned } = entry;
  if (typeof sig !== 'string' || sig === '') return false;
  const publicKey = String(entry.public_key);
  return isSignedBy({ text: canonicalJson(unsigned), sig, publicKey, fingerprint: String(entry.key) });
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
