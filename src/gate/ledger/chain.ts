import { canonicalLine, isRecord } from '../../json.ts';
import type { LedgerEntry, Sha256 } from './entry.ts';
import { EMPTY_HEAD, isOfEarlierFormat, parseEntry, signedText } from './ledger.ts';

/** A chain as it was read. Its name is that of its file. */
export interface ChainText {
  name: string;
  lines: readonly string[];
  /** The last line has no end: a crash left it. */
  torn: boolean;
  /** Why it can't be read; null when it can. */
  unreadable: string | null;
}

/** A line that is where it was signed to be, with the hash by which the next one names it. */
export interface ChainEntry {
  entry: LedgerEntry;
  line: string;
  hash: string;
}

/** What is wrong with the record of decisions. */
export interface Fault {
  kind: FaultKind;
  /** `home`, `tastes`, or the workspace. */
  ledger: string;
  chain: string | null;
  /** Its number; null where it is about the whole chain or ledger. */
  entry: number | null;
  message: string;
  /** The same for the same state: the person settles it by this name. */
  id: string;
  /** It has an ordinary cause, another branch or a clone: told, and no failed check. */
  calm?: true;
}

/** What it signed verifies, and nobody here has trusted it: no damage. */
export function isUntrustedKey({ kind }: Pick<Fault, 'kind'>): boolean {
  return kind === 'foreign_key';
}

type FaultKind =
  | ('not_an_entry' | 'earlier_format' | 'entry_changed' | 'entry_removed' | 'entry_misplaced' | 'unsigned')
  | ('other_chain' | 'copied' | 'torn' | 'unreadable' | 'chain_short' | 'chain_replaced' | 'mark_gone')
  | ('foreign_key' | 'retired_key' | 'key_replaced' | 'level_lowered')
  | ('text_missing' | 'erased_back' | 'ledger_gone' | 'workspace_gone' | 'block_gone' | 'clone' | 'left_out');

/** A chain up to its last good entry. */
export type CheckedChain = ReturnType<typeof checkChain>;

type Break = { kind: FaultKind; entry: number | null; problem: string } | null;

export type IsSigned = (entry: LedgerEntry) => boolean;

// Each of these raises what a program may do, so none is believed by a later signature alone.
const SIGNED_ALONE = /^(?:approve|key|level|trust|untrust|allow|revoke|workspace|settle|checkpoint)$/;

// Links first, then signatures: whoever signed an entry had verified all that its `prev` covers, so for entries of one key
// and level the last signature is enough. A chain counts up to the first line that does not fit.
export function checkChain(chain: ChainText, { sha256, isSigned }: { sha256: Sha256; isSigned: IsSigned }) {
  const linked = linkedEntries(chain, sha256);
  const bad = firstUnsigned(linked.entries, isSigned);
  const entries = bad === -1 ? linked.entries : linked.entries.slice(0, bad);
  const last = entries.at(-1);
  return {
    name: chain.name,
    entries,
    head: last ? { seq: last.entry.seq, hash: last.hash } : EMPTY_HEAD,
    /** Why nothing after the last entry counts; null: all of it does. */
    broken: bad === -1 ? linked.broken : unsignedAt(linked.entries[bad], bad + 1),
    /** How many there are in all. */
    lines: chain.lines.length,
  };
}

function linkedEntries(chain: ChainText, sha256: Sha256): { entries: ChainEntry[]; broken: Break } {
  const { name, lines, torn, unreadable } = chain;
  const entries: ChainEntry[] = [];
  const stop = (kind: FaultKind, problem: string, entry: number | null = entries.length + 1) => ({
    entries,
    broken: { kind, entry, problem },
  });
  if (unreadable !== null) return stop('unreadable', `it can't be read: ${unreadable}`, null);
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry === null)
      return isOfEarlierFormat(line)
        ? stop('earlier_format', 'it is of a format that was never published and is no longer read')
        : stop('not_an_entry', 'the line is not a ledger entry');
    if (entry.machine !== name) return stop('other_chain', `it belongs to the chain ${String(entry.machine)}`);
    const before = entries.at(-1);
    if (entry.seq !== entries.length + 1)
      return entry.seq > entries.length + 1
        ? stop('entry_removed', 'the chain is broken here; entries before it were removed', entry.seq)
        : stop('entry_misplaced', 'it is here a second time, or in the wrong order', entry.seq);
    if (entry.prev !== (before?.hash ?? '') && !isNextInList(before, entry, sha256))
      return stop('entry_changed', 'the chain is broken here; the entry before it was changed or replaced');
    entries.push({ entry, line, hash: sha256(line) });
  }
  return torn ? stop('torn', 'the last line is torn', null) : { entries, broken: null };
}

// One assertion signs a list of entries, so it can't be part of what their links cover: within the list the text is.
function isNextInList(before: ChainEntry | undefined, { sig, prev }: LedgerEntry, sha256: Sha256): boolean {
  // A line that nobody signed has none.
  if (before === undefined || !isRecord(sig) || sig.list === undefined || !isAsWritten(before)) return false;
  return JSON.stringify(sig) === JSON.stringify(before.entry.sig) && prev === sha256(signedText(before.entry));
}

// One text for one entry: what is hashed is what is signed, to the byte. Where a hash names the line, whoever signed that hash
// saw to it; it is asked where only the text is named, or the signature alone.
function isAsWritten({ entry, line }: ChainEntry): boolean {
  return canonicalLine(entry) === line;
}

/** The place of the first entry that is not vouched for; -1: there is none. */
function firstUnsigned(entries: readonly ChainEntry[], isSigned: IsSigned): number {
  const isSignedAt = (index: number) => {
    const own = entries[index];
    return own !== undefined && Boolean(own.entry.sig) && isAsWritten(own) && isSigned(own.entry);
  };
  for (let start = 0; start < entries.length; ) {
    const end = endOfRun(entries, start);
    const isVouched = isSignedAt(end);
    for (let index = start; index <= end; index += 1) {
      const isEnough = isVouched && !SIGNED_ALONE.test(entries[index]?.entry.decision ?? 'key');
      if (!isEnough && !isSignedAt(index)) return index;
    }
    start = end + 1;
  }
  return -1;
}

function endOfRun(entries: readonly ChainEntry[], start: number): number {
  const { public_key, level } = entries[start]?.entry ?? {};
  const isSame = (next: LedgerEntry | undefined) => next?.public_key === public_key && next?.level === level;
  let end = start;
  while (end + 1 < entries.length && isSame(entries[end + 1]?.entry)) end += 1;
  return end;
}

function unsignedAt(own: ChainEntry | undefined, number: number): Break {
  if (own && !isAsWritten(own))
    return { kind: 'not_an_entry', entry: number, problem: 'the line is not as it was written' };
  return own?.entry.sig
    ? { kind: 'entry_changed', entry: number, problem: 'the signature does not match; the entry was changed' }
    : { kind: 'unsigned', entry: number, problem: 'it is not signed' };
}
