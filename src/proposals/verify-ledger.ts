import { canonicalJson } from './canonical-json.ts';
import { type LedgerEntry, type LedgerHead, parseEntry, type Sha256 } from './ledger.ts';

type EntryVerdict = 'yours' | 'trusted' | 'foreign' | 'unsigned' | 'broken' | 'unproven';

interface VerifiedEntry {
  seq: number;
  verdict: EntryVerdict;
  at: string;
  decision: string;
  file: string | null;
  level: string;
  /** Fingerprint of the key it names. */
  key: string;
}

interface Finding {
  kind:
    | 'not_an_entry'
    | 'entry_changed'
    | 'entry_removed'
    | 'entry_misplaced'
    | 'other_machine'
    | 'tail_cut'
    | 'chain_replaced'
    | 'foreign_key'
    | 'unsigned'
    | 'torn'
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
  isSignedBy(options: { text: string; sig: string; publicKey: string; fingerprint: string }): boolean;
  /** `yours` only where the key is proven to be the person's. */
  ownerOf(fingerprint: string): 'yours' | 'unproven' | 'trusted' | 'foreign';
  /** The head the home remembers of this ledger; null when it never saw one. */
  knownHead: LedgerHead | null;
  /** Start of the hash of each entry that the home saw being written, by number; empty where it does not know. */
  knownMarks?: readonly string[];
}

// Each entry by itself, then the chain, then the chain against what the home remembers of it.
export function verifyLedger(machine: string, lines: readonly string[], deps: VerifyDeps): LedgerReport {
  const findings: Finding[] = [];
  const entries: VerifiedEntry[] = [];
  const tell = (kind: Finding['kind'], entry: number | null, message: string): void => {
    findings.push({ kind, entry, message: entry === null ? message : `entry ${entry}: ${message}` });
  };
  let before: { hash: string; seq: number; spoilt: boolean } = { hash: '', seq: 0, spoilt: false };
  let isReplaced = false;
  let sawKnownHead = deps.knownHead === null || deps.knownHead.seq === 0;
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    const hash = deps.sha256(line);
    if (deps.knownHead?.hash === hash) sawKnownHead = true;
    if (!entry) {
      tell('not_an_entry', index + 1, 'the line is no ledger entry');
      entries.push({ seq: index + 1, verdict: 'broken', at: '', decision: '', file: null, level: '', key: '' });
      before = { hash, seq: before.seq, spoilt: true };
      continue;
    }
    const { seq } = entry;
    const verdict = verdictOf(entry, deps);
    if (verdict === 'broken') tell('entry_changed', seq, 'the signature does not fit; the entry was changed');
    if (verdict === 'unsigned') tell('unsigned', seq, 'it is not signed');
    if (verdict === 'foreign') tell('foreign_key', seq, `it is signed by a key you do not know (${entry.key})`);
    const mark = deps.knownMarks?.[seq - 1];
    if (mark && !hash.startsWith(mark) && verdict !== 'broken' && !isReplaced) {
      isReplaced = true;
      tell(
        'chain_replaced',
        seq,
        'from here on this is another chain than the one written here: the ledger was replaced',
      );
    } else if (entry.prev !== before.hash && !before.spoilt && !isReplaced) {
      if (seq > before.seq + 1) tell('entry_removed', seq, 'the chain is broken here; entries before it were removed');
      else tell('entry_changed', seq, 'the chain is broken here; the entry before it was changed or replaced');
    } else if (seq !== before.seq + 1 && !before.spoilt)
      tell('entry_misplaced', seq, `expected number ${before.seq + 1}`);
    if (entry.machine !== machine) tell('other_machine', seq, `it belongs to the ledger of ${entry.machine}`);
    entries.push({
      seq,
      verdict,
      at: String(entry.at),
      decision: String(entry.decision),
      file: entry.file ?? null,
      level: String(entry.level),
      key: String(entry.key),
    });
    before = { hash, seq, spoilt: verdict === 'broken' };
  }
  const { knownHead } = deps;
  const lastIsChanged = before.spoilt && before.seq === knownHead?.seq;
  if (!sawKnownHead && knownHead && !isReplaced && !lastIsChanged) {
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

function verdictOf(entry: LedgerEntry, deps: VerifyDeps): EntryVerdict {
  const { sig, ...unsigned } = entry;
  if (typeof sig !== 'string' || sig === '') return 'unsigned';
  const publicKey = String(entry.public_key);
  const genuine = deps.isSignedBy({ text: canonicalJson(unsigned), sig, publicKey, fingerprint: String(entry.key) });
  return genuine ? deps.ownerOf(entry.key) : 'broken';
}
