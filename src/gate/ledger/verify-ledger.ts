import type { LedgerEntry, LedgerHead, Sha256, Signature } from './entry.ts';
import { hashesOf } from './entry-texts.ts';
import { entryHash, fileOf, parseEntry, signedText } from './ledger.ts';

type EntryStatus = 'yours' | 'earlier' | 'trusted' | 'foreign' | 'retired' | 'unsigned' | 'broken' | 'unproven';

interface VerifiedEntry {
  seq: number;
  verdict: EntryStatus;
  at: string;
  decision: string;
  file: string | null;
  level: string;
  /** Fingerprint of the key it names. */
  key: string;
  /** Of `erase`: how many records beside the chain went. */
  erased?: number;
}

interface Finding {
  kind:
    | 'not_an_entry'
    | 'entry_changed'
    | 'entry_removed'
    | 'entry_misplaced'
    | 'other_machine'
    | 'copied'
    | 'tail_cut'
    | 'chain_replaced'
    | 'foreign_key'
    | 'retired_key'
    | 'unsigned'
    | 'torn'
    | 'unreadable'
    | 'text_missing'
    | 'ledger_gone'
    | 'block_gone'
    | 'other_key'
    | 'level_lowered';
  /** Its number; null where it is about the whole ledger. */
  entry: number | null;
  message: string;
}

export interface LedgerReport {
  machine: string;
  entries: VerifiedEntry[];
  findings: Finding[];
  /** The same in words only. */
  problems: string[];
}

export interface VerifyDeps {
  sha256: Sha256;
  /** Checks a signature and that the key has this fingerprint. */
  isSignedBy(options: { text: string; sig: Signature; publicKey: string; fingerprint: string }): boolean;
  /** Of the line at `index`. `yours` only where the key is proven to be the person's; `earlier`: one she gave up since. */
  ownerOf(entry: LedgerEntry, index: number): Exclude<EntryStatus, 'unsigned' | 'broken'>;
  /** When the person gave up a key. */
  untilOf?(publicKey: string): string | null;
  /** The head the home remembers of this ledger; null when it never saw one. */
  knownHead: LedgerHead | null;
  /** The hash of each entry that the home saw being written, by number; empty where it does not know. */
  knownHashes?: readonly string[];
  /** False: its record beside the chain is gone, and no decision erased it. */
  hasText?(hash: string): boolean;
  /** False: a decision on something else, so its entry was copied here. */
  belongsHere(entry: LedgerEntry): boolean;
}

/** What came before an entry; sound: it can be believed to be where it was signed to be. */
interface Before {
  hash: string;
  seq: number;
  sound: boolean;
  /** The chain was upgraded: entries of the first format end there. */
  upgraded: boolean;
}

interface Misplaced {
  kind: Finding['kind'];
  problem: string;
  /** It is where another was signed to be, although nothing before it was touched. */
  copied: boolean;
}

const FIRST: Before = { hash: '', seq: 0, sound: true, upgraded: false };

// Each entry by itself and in its place on the chain, then the chain against what the home remembers of it.
export function verifyLedger(machine: string, lines: readonly string[], deps: VerifyDeps): LedgerReport {
  const findings: Finding[] = [];
  const entries: VerifiedEntry[] = [];
  const tell = (kind: Finding['kind'], entry: number | null, message: string): void => {
    findings.push({ kind, entry, message: entry === null ? message : `entry ${entry}: ${message}` });
  };
  const parsed = lines.map(parseEntry);
  const hashes = lines.map((line, index) => entryHash(line, parsed[index] ?? null, deps.sha256));
  // What the home saw written here stays here, also after the workspace got another name.
  const knownUpTo = deps.knownHead === null ? -1 : hashes.indexOf(deps.knownHead.hash);
  let before = FIRST;
  let isReplaced = false;
  for (const [index, entry] of parsed.entries()) {
    const hash = hashes[index] ?? '';
    if (!entry) {
      tell('not_an_entry', index + 1, 'the line is not a ledger entry');
      entries.push({ seq: index + 1, verdict: 'broken', at: '', decision: '', file: null, level: '', key: '' });
      before = { ...before, hash, sound: false };
      continue;
    }
    const { seq } = entry;
    const signature = signatureOf(entry, index, deps);
    const sound = signature !== 'broken' && signature !== 'unsigned';
    const place = whyMisplaced(entry, before, machine);
    const isCopy = place?.copied || (index > knownUpTo && !deps.belongsHere(entry));
    const known = deps.knownHashes?.[seq - 1];
    if (known && hash !== known && sound && !isReplaced) {
      isReplaced = true;
      tell('chain_replaced', seq, 'from here on this is another chain than the one written here');
    }
    if (place) tell(place.kind, seq, place.problem);
    else if (isCopy) tell('copied', seq, 'it is a decision on something else, copied here');
    if (signature === 'broken') tell('entry_changed', seq, 'the signature does not match; the entry was changed');
    if (signature === 'unsigned') tell('unsigned', seq, 'it is not signed');
    if (signature === 'foreign')
      tell('foreign_key', seq, `it is signed by a key you do not know (${String(entry.key)})`);
    if (signature === 'retired')
      tell(
        'retired_key',
        seq,
        `it is signed by the key you gave up on ${String(deps.untilOf?.(entry.public_key)).slice(0, 10)}, and was not there then`,
      );
    const counts = sound && !isCopy && signature !== 'foreign' && signature !== 'retired';
    const missing = counts && deps.hasText ? hashesOf(entry).filter((text) => !deps.hasText?.(text)).length : 0;
    if (missing > 0)
      tell(
        'text_missing',
        seq,
        `${missing === 1 ? 'a text' : `${missing} texts`} of it can't be found beside the chain`,
      );
    entries.push({
      seq,
      verdict: isCopy && signature !== 'unsigned' ? 'broken' : signature,
      at: String(entry.at),
      decision: String(entry.decision),
      file: typeof entry.file === 'string' ? fileOf(entry) : null,
      level: String(entry.level),
      key: String(entry.key),
      ...(entry.erased && { erased: entry.erased.length }),
    });
    before = { hash, seq, sound, upgraded: before.upgraded || (sound && entry.v === 2) };
  }
  const { knownHead } = deps;
  // The last one was changed: that is told already, and nothing is cut off or replaced.
  const lastIsChanged = !before.sound && before.seq === knownHead?.seq;
  if (knownHead && knownHead.seq > 0 && knownUpTo === -1 && !lastIsChanged) {
    if (before.seq < knownHead.seq)
      tell(
        'tail_cut',
        null,
        `the ledger ends at entry ${before.seq}, but entry ${knownHead.seq} was written: its end is cut off`,
      );
    else
      tell(
        'chain_replaced',
        null,
        `entry ${knownHead.seq} is not the one that was written here: the ledger was replaced`,
      );
  }
  return { machine, entries, findings, problems: findings.map(({ message }) => message) };
}

function signatureOf(entry: LedgerEntry, index: number, deps: VerifyDeps): EntryStatus {
  const { sig } = entry;
  if (!sig || (typeof sig !== 'string' && typeof sig !== 'object')) return 'unsigned';
  const [publicKey, fingerprint] = [String(entry.public_key), String(entry.key)];
  const isGenuine = deps.isSignedBy({ text: signedText(entry), sig, publicKey, fingerprint });
  return isGenuine ? deps.ownerOf(entry, index) : 'broken';
}

function whyMisplaced(entry: LedgerEntry, before: Before, machine: string): Misplaced | null {
  const { seq } = entry;
  if (entry.machine !== machine)
    return {
      kind: 'other_machine',
      problem: `it belongs to the ledger of ${String(entry.machine)}`,
      copied: true,
    };
  if (before.upgraded && entry.v !== 2)
    return {
      kind: 'entry_misplaced',
      problem: 'it is of the first format, and comes after one of the second',
      copied: true,
    };
  if (seq <= before.seq)
    return {
      kind: 'entry_misplaced',
      problem: 'it is here a second time, or in the wrong order',
      copied: true,
    };
  if (entry.prev === before.hash)
    return seq === before.seq + 1
      ? null
      : { kind: 'entry_misplaced', problem: `expected number ${before.seq + 1}`, copied: true };
  if (seq > before.seq + 1)
    return {
      kind: 'entry_removed',
      problem: 'the chain is broken here; entries before it were removed',
      copied: false,
    };
  return {
    kind: 'entry_changed',
    problem: 'the chain is broken here; the entry before it was changed or replaced',
    copied: before.sound,
  };
}
