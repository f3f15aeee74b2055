import { withFile } from '../../files/open-file.ts';
import { readText } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { accountBlock } from '../accounting/account-block.ts';
import { type Accounts, accountsOf, type SignedEntry, type Watch } from '../accounting/accounts.ts';
import type { LedgerEntry, LedgerHead } from '../ledger/entry.ts';
import { readEntry } from '../ledger/entry-texts.ts';
import { belongsTo, EMPTY_HEAD, entryHash, fileOf, parseEntry } from '../ledger/ledger.ts';
import { blockPass } from './block-pass.ts';
import { keyOwners, signatureCheck } from './key-owners.ts';
import { type ReadLedger, readLedgers, readTexts } from './ledger-file.ts';
import { rememberChecked, rememberedHead } from './ledger-heads.ts';
import { knownKey } from './person-key.ts';

// So many new lines are taken apart again and again before the whole is noted again.
const FEW_LINES = 200;

/** A folder whose ledgers say what is accounted for. */
export interface LedgerLocation {
  ledgerFolder: string;
  scope: string | null;
  /** The workspace; null: the tastes. */
  image_id: string | null;
}

/** One file of it: a decision on another file is no word on this one. */
export interface AccountedLocation extends LedgerLocation {
  file: string;
}

// What the person and those she trusts decided on a file. Other keys' entries claim nobody's yes, and neither does
// a decision on something else that was copied here.
export function readAccounts(place: AccountedLocation, home: string): Accounts {
  return accountsIn(place, home)(place.file);
}

/** The same for several files of one ledger. */
export function accountsIn(place: LedgerLocation, home: string): (file: string) => Accounts {
  const read = readLedgers({ folder: place.ledgerFolder, scope: place.scope, home });
  const signed = signedEntries(place, home, read);
  // Setting a passphrase is no word on any text. What the home knows of a chain and that is gone may have been one.
  const hasDecisions = read.some(
    ({ lines, knownHead }) => (knownHead?.seq ?? 0) > lines.length || lines.some((line) => !ABOUT_NO_TEXT.test(line)),
  );
  return (file) => {
    const own = signed.map((entries) => entries.filter(({ entry }) => fileOf(entry) === file));
    // The first format knew no brief: it is accounted for once the person has said a word on it.
    return accountsOf(own, sha256, file === 'brief.md' ? own.some((entries) => entries.length > 0) : hasDecisions);
  };
}

/** An entry with the line it was read from. */
export interface ReadDecision extends SignedEntry {
  line: string;
}

/** Every decision of the person and of those she trusts, one list for each chain. */
export function readDecisions(place: LedgerLocation, home: string): ReadDecision[][] {
  return signedEntries(place, home, readLedgers({ folder: place.ledgerFolder, scope: place.scope, home }));
}

const ABOUT_NO_TEXT = /"decision":"(?:level|key|upgrade|approve)"/;

function signedEntries(place: LedgerLocation, home: string, read: readonly ReadLedger[]): ReadDecision[][] {
  const owners = keyOwners(home, knownKey(home));
  const belongsHere = belongsTo(place.image_id);
  const texts = readTexts(read, place.scope ?? place.ledgerFolder);
  return read.map((ledger) => {
    const ownerOf = owners.inChain(ledger.lines);
    const isKnown = writtenHere(ledger);
    const signed: ReadDecision[] = [];
    let upgraded = false;
    for (const [index, entry] of genuineEntries(ledger, home).entries()) {
      if (entry === null || (!belongsHere(entry) && !isKnown(index))) continue;
      const owner = ownerOf(entry, index);
      if (owner === null || owner === 'retired') continue;
      upgraded ||= entry.v === 2;
      // Of the first format after one of the second: put there to get around whole hashes.
      if (upgraded && entry.v !== 2) continue;
      const line = ledger.lines[index] ?? '';
      signed.push({ entry: readEntry(entry, texts), owner: owner === 'a key you trust' ? owner : 'you', line });
    }
    return signed;
  });
}

// What the home saw written here stays here, also after the workspace got another name.
function writtenHere({ lines, knownHead }: ReadLedger): (index: number) => boolean {
  let upTo: number | undefined;
  return (index) => {
    upTo ??= knownHead === null ? -1 : lines.findLastIndex((line) => hashOf(line) === knownHead.hash);
    return index <= upTo;
  };
}

const hashOf = (line: string) => entryHash(line, parseEntry(line), sha256);

// By line; null where there is none. A signature that was found genuine once is not checked again while the chain up to it
// is the same.
export function genuineEntries({ path, text, lines }: ReadLedger, home: string): (LedgerEntry | null)[] {
  const remembered = rememberedHead(home, path);
  const entries = lines.map(parseEntry);
  const known = remembered === null ? EMPTY_HEAD : knownPart({ text, lines, entries }, remembered);
  const isGenuine = signatureCheck();
  // A chain that does not lead to what was checked before is checked again, each time, until it is repaired.
  let intact = known.seq > 0 || !remembered?.checked;
  let before = known.hash;
  for (let index = known.seq; index < lines.length; index += 1) {
    const entry = entries[index] ?? null;
    const genuine = entry !== null && isGenuine(entry);
    intact &&= genuine && entry.seq === index + 1 && entry.prev === before;
    before = entryHash(lines[index] ?? '', entry, sha256);
    if (!genuine) entries[index] = null;
  }
  if (intact && lines.length - (remembered?.whole?.seq ?? 0) > (known.seq < lines.length ? 0 : FEW_LINES)) {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    rememberChecked(home, path, { seq: lines.length, hash: before, chars: whole.length, sha256: sha256(whole) });
  }
  return entries;
}

// How far the chain is the one that was checked before: as one text, then link by link.
function knownPart(
  { text, lines, entries }: Pick<ReadLedger, 'text' | 'lines'> & { entries: readonly (LedgerEntry | null)[] },
  { whole, checked }: NonNullable<ReturnType<typeof rememberedHead>>,
): LedgerHead {
  const isSame = whole !== null && sha256(text.slice(0, whole.chars)) === whole.sha256;
  const start = isSame ? { seq: whole.seq, hash: whole.hash } : EMPTY_HEAD;
  if (checked === null || checked.hash === start.hash) return start;
  let before = start.hash;
  for (let index = start.seq; index < lines.length; index += 1) {
    if (entries[index]?.prev !== before) return start;
    before = entryHash(lines[index] ?? '', entries[index] ?? null, sha256);
    if (before === checked.hash) return { seq: index + 1, hash: before };
  }
  return start;
}

/** A block of a file that may have to be reviewed again. */
export interface WatchedBlock extends Watch {
  fingerprint: string;
  first_line: number;
}

/** What of a file no decision stands behind, and how many blocks that one does are no longer there. */
export interface UnaccountedCount {
  fresh: number;
  gone: number;
  watched: readonly WatchedBlock[];
}

export function countUnaccounted(path: string, scope: string | null, accounts: Accounts): UnaccountedCount {
  const seen = new Set<string>();
  const watched: WatchedBlock[] = [];
  const counted = withFile(path, scope, (file) => {
    let fresh = 0;
    for (const block of blockPass(file)) {
      const { parts, mixed } = accountBlock(block, accounts, sha256);
      for (const { fingerprint, origin, from } of parts) {
        seen.add(fingerprint);
        const watch = accounts.watched.get(fingerprint);
        if (origin === null) fresh += 1;
        else if (watch) watched.push({ ...watch, fingerprint, first_line: block.firstLine + from });
      }
      for (const { fingerprint } of mixed ?? []) seen.add(fingerprint);
    }
    return fresh;
  });
  const gone = goneBlocks(seen, accounts, path, scope).length;
  return { fresh: counted.status === 'ok' ? counted.value : 0, gone, watched };
}

/** Blocks that were decided on and are nowhere in the file. What a merge ran together is still there, line by line; a block of which
 *  only the fingerprint is known can't be told apart from one of those. */
export function goneBlocks(
  seen: ReadonlySet<string>,
  accounts: Accounts,
  path: string,
  scope: string | null,
): string[] {
  const missing = [...accounts.origins.keys()].filter((block) => !seen.has(block) && !accounts.parts.has(block));
  if (missing.length === 0) return [];
  const file = readText(path, scope);
  const lines = new Set(file.status === 'ok' ? linesIn(file.value.text) : []);
  return missing.filter((block) => {
    const own = linesIn(accounts.texts.get(block) ?? '');
    return own.some((line) => !lines.has(line));
  });
}

function linesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
