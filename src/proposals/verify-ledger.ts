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
  /** False: a decision on something else, so its entry was copied here. */
  belongsHere(entry: LedgerEntry): boolean;
}

// Each entry by itself and in its place on the chain, then the chain against the head that the home remembers.
export function verifyLedger(machine: string, lines: readonly string[], deps: VerifyDeps): LedgerReport {
  const problems: string[] = [];
  const entries: VerifiedEntry[] = [];
  const hashes = lines.map(deps.sha256);
  // What the home saw written here stays here, also after the workspace got another name.
  const knownUpTo = deps.knownHead === null ? -1 : hashes.indexOf(deps.knownHead.hash);
  let before: { hash: string; seq: number; sound: boolean } = { hash: '', seq: 0, sound: true };
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    const hash = hashes[index] ?? '';
    if (!entry) {
      problems.push(`entry ${index + 1}: the line is no ledger entry`);
      entries.push({ seq: index + 1, verdict: 'broken', at: '', decision: '', file: null, level: '' });
      before = { ...before, hash, sound: false };
      continue;
    }
    const signature = signatureOf(entry, deps);
    const place = whyMisplaced(entry, before, machine);
    const isCopy = place?.copied || (index > knownUpTo && !deps.belongsHere(entry));
    const verdict = isCopy && signature !== 'unsigned' ? 'broken' : signature;
    if (place) problems.push(`entry ${entry.seq}: ${place.problem}`);
    else if (isCopy) problems.push(`entry ${entry.seq}: it is a decision on something else, copied here`);
    if (signature === 'broken') problems.push(`entry ${entry.seq}: the signature does not fit; the entry was changed`);
    if (signature === 'unsigned') problems.push(`entry ${entry.seq}: it is not signed`);
    if (signature === 'foreign') problems.push(`entry ${entry.seq}: it is signed by a key you do not know`);
    entries.push({
      seq: entry.seq,
      verdict,
      at: String(entry.at),
      decision: String(entry.decision),
      file: typeof entry.file === 'string' ? entry.file : null,
      level: String(entry.level),
    });
    before = { hash, seq: entry.seq, sound: signature !== 'broken' && signature !== 'unsigned' };
  }
  const { knownHead } = deps;
  if (knownHead && knownHead.seq > 0 && knownUpTo === -1) {
    problems.push(
      before.seq < knownHead.seq
        ? `the ledger ends at entry ${before.seq}, but entry ${knownHead.seq} was written: its end is cut off`
        : `entry ${knownHead.seq} is not the one that was written here: the ledger was replaced`,
    );
  }
  return { machine, entries, problems };
}

function signatureOf(entry: LedgerEntry, deps: VerifyDeps): EntryVerdict {
  const { sig, ...unsigned } = entry;
  if (typeof sig !== 'string' || sig === '') return 'unsigned';
  const text = canonicalJson(unsigned);
  const [publicKey, fingerprint] = [String(entry.public_key), String(entry.key)];
  return deps.isSignedBy({ text, sig, publicKey, fingerprint }) ? deps.ownerOf(fingerprint) : 'broken';
}

// Copied: an entry that stands where another was signed to stand, although nothing before it was touched.
function whyMisplaced(
  entry: LedgerEntry,
  before: { hash: string; seq: number; sound: boolean },
  machine: string,
): { problem: string; copied: boolean } | null {
  if (entry.machine !== machine)
    return { problem: `it belongs to the ledger of ${String(entry.machine)}`, copied: true };
  if (entry.seq <= before.seq) return { problem: 'it stands here a second time, or in the wrong order', copied: true };
  if (entry.prev === before.hash)
    return entry.seq === before.seq + 1 ? null : { problem: `expected number ${before.seq + 1}`, copied: true };
  if (entry.seq > before.seq + 1)
    return { problem: 'the chain is broken here; entries before it were removed', copied: false };
  return {
    problem: 'the chain is broken here; the entry before it was changed or replaced',
    copied: before.sound,
  };
}
