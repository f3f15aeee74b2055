import { canonicalJson } from './canonical-json.ts';
import { type LedgerHead, parseEntry, type Sha256 } from './ledger.ts';

type EntryVerdict = 'yours' | 'trusted' | 'foreign' | 'unsigned' | 'broken' | 'unproven';

interface VerifiedEntry {
  seq: number;
  verdict: EntryVerdict;
  at: string;
  decision: string;
  file: string | null;
  level: string;
}

export interface LedgerReport {
  machine: string;
  entries: VerifiedEntry[];
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
}

// Each entry by itself, then the chain, then the chain against the head that the home remembers.
export function verifyLedger(machine: string, lines: readonly string[], deps: VerifyDeps): LedgerReport {
  const problems: string[] = [];
  const entries: VerifiedEntry[] = [];
  let hash = '';
  let seq = 0;
  let sawKnownHead = deps.knownHead === null || deps.knownHead.seq === 0;
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    const at = `entry ${index + 1}`;
    if (!entry) {
      problems.push(`${at}: the line is no ledger entry`);
      entries.push({ seq: index + 1, verdict: 'broken', at: '', decision: '', file: null, level: '' });
    } else {
      if (entry.prev !== hash) {
        const gap =
          entry.seq > seq + 1 ? 'entries before it were removed' : 'the entry before it was changed or replaced';
        problems.push(`entry ${entry.seq}: the chain is broken here; ${gap}`);
      } else if (entry.seq !== seq + 1) problems.push(`entry ${entry.seq}: expected number ${seq + 1}`);
      if (entry.machine !== machine) problems.push(`entry ${entry.seq}: it belongs to the ledger of ${entry.machine}`);
      const { sig, ...unsigned } = entry;
      const signed = typeof sig === 'string' && sig !== '';
      const genuine =
        signed &&
        deps.isSignedBy({
          text: canonicalJson(unsigned),
          sig,
          publicKey: String(entry.public_key),
          fingerprint: String(entry.key),
        });
      const verdict = !signed ? 'unsigned' : genuine ? deps.ownerOf(entry.key) : 'broken';
      if (verdict === 'broken') problems.push(`entry ${entry.seq}: the signature does not fit; the entry was changed`);
      if (verdict === 'unsigned') problems.push(`entry ${entry.seq}: it is not signed`);
      if (verdict === 'foreign') problems.push(`entry ${entry.seq}: it is signed by a key you do not know`);
      entries.push({
        seq: entry.seq,
        verdict,
        at: String(entry.at),
        decision: String(entry.decision),
        file: entry.file ?? null,
        level: String(entry.level),
      });
      seq = entry.seq;
    }
    hash = deps.sha256(line);
    if (deps.knownHead && hash === deps.knownHead.hash) sawKnownHead = true;
  }
  if (!sawKnownHead && deps.knownHead) {
    problems.push(
      seq < deps.knownHead.seq
        ? `the ledger ends at entry ${seq}, but entry ${deps.knownHead.seq} was written: its end is cut off`
        : `entry ${deps.knownHead.seq} is not the one that was written here: the ledger was replaced`,
    );
  }
  return { machine, entries, problems };
}
