import { canonicalLine } from '../../canonical-json.ts';
import { isRecord } from '../../json-record.ts';

export type ConfirmLevel = 'ask' | 'passphrase';

/** What a person decided, as the ledger keeps it. */
export interface DecisionRecord {
  /** `adopt`, `remove` and `tidy` are the person's own edits: taken over by hand, taken out, cleared up after a merge. */
  decision: 'accept' | 'decline' | 'adopt' | 'remove' | 'tidy' | 'level';
  at: string;
  who: string;
  /** The way the person was asked: `review`, `elicitation`, `page`. */
  via: string;
  /** Through which the person was asked. */
  client: string | null;
  /** The client of the agent; missing in old entries, where `client` says it. */
  proposed_by?: string | null;
  proposal_id: string | null;
  session_id: string | null;
  image_id: string | null;
  file: string | null;
  category: string | null;
  reason: string | null;
  /** Of what was proposed. */
  content_sha256: string | null;
  /** Of the block that was written; null when nothing was. */
  written_sha256: string | null;
  edited: boolean;
  already_present: boolean;
  /** Fingerprints of the blocks this decision stands behind; of `remove`: of those that went. */
  blocks?: string[];
  /** Hashes of the lines of those blocks that have several. */
  lines?: Record<string, string[]>;
  /** Fingerprints of blocks that these took the place of. */
  replaced?: string[];
  level: ConfirmLevel;
}

export interface LedgerEntry extends DecisionRecord {
  seq: number;
  /** SHA-256 of the line before; empty for the first. */
  prev: string;
  machine: string;
  /** Fingerprint of the key that signed. */
  key: string;
  public_key: string;
  sig: string;
}

export type Sha256 = (text: string) => string;

export interface LedgerHead {
  seq: number;
  hash: string;
}

export interface Signer {
  fingerprint: string;
  publicKey: string;
  level: ConfirmLevel;
  sign(text: string): string;
}

export const EMPTY_HEAD: LedgerHead = { seq: 0, hash: '' };

export function ledgerLine(
  record: DecisionRecord,
  place: { head: LedgerHead; machine: string },
  signer: Signer,
): string {
  const unsigned = {
    ...record,
    level: signer.level,
    seq: place.head.seq + 1,
    prev: place.head.hash,
    machine: place.machine,
    key: signer.fingerprint,
    public_key: signer.publicKey,
  };
  return canonicalLine({ ...unsigned, sig: signer.sign(canonicalLine(unsigned)) });
}

/** Of the tastes where there is no workspace. False: a decision on something else, so its entry was copied here. */
export function belongsTo(imageId: string | null): (entry: Pick<LedgerEntry, 'file' | 'image_id'>) => boolean {
  return ({ file, image_id }) => (imageId === null ? file !== 'notes.md' : file === 'notes.md' && image_id === imageId);
}

export function headAfter(line: string, sha256: Sha256): LedgerHead {
  return { seq: parseEntry(line)?.seq ?? 0, hash: sha256(line) };
}

// What nests beyond the shape of an entry could exhaust the stack, or turn into a text in ways of its own.
export function parseEntry(line: string): LedgerEntry | null {
  try {
    const value = JSON.parse(line);
    return isRecord(value) && Object.entries(value).every(isField) && isInChain(value)
      ? (value as unknown as LedgerEntry)
      : null;
  } catch {
    return null;
  }
}

function isField([key, value]: [string, unknown]): boolean {
  if (key === 'blocks' || key === 'replaced') return isTexts(value);
  if (key === 'lines') return isRecord(value) && Object.values(value).every(isTexts);
  return value === null || typeof value !== 'object';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInChain({ seq, prev }: Record<string, unknown>): boolean {
  return Number.isSafeInteger(seq) && typeof prev === 'string';
}
