import { canonicalLine } from '../../canonical-json.ts';
import { isRecord } from '../../json-record.ts';
import { type KeptText, keepTexts, type TextRecord } from './entry-texts.ts';

export type ConfirmLevel = 'ask' | 'passphrase' | 'passkey';

/** Every kind of word that a person can say. */
export type DecisionKind =
  /** On a proposal. */
  | 'accept'
  | 'decline'
  /** A block in the place of another, and one that no longer holds: the old one goes to the archive. */
  | 'replace'
  | 'retire'
  /** The person's own edits: in an editor, taken over as it stands, taken out, cleared up after a merge. */
  | 'edit'
  | 'adopt'
  | 'remove'
  | 'tidy'
  /** Back to an earlier text. */
  | 'undo'
  | 'restore'
  /** A text and all copies of it are gone; `subject` is its salted hash. */
  | 'erase'
  /** When to look at a block again; `until` says it. */
  | 'look_again'
  /** Something that may run or be read from now on; `subject` is its hash. */
  | 'approve'
  /** The level was changed, a key was made or added, the ledger was upgraded. */
  | 'level'
  | 'key'
  | 'upgrade';

/** What an authenticator gives for SHA-256 of a text; of several entries at once: of the list of their hashes. */
export interface PasskeySignature {
  /** Which form it has. */
  alg: 'webauthn';
  /** Id of the authenticator's key, base64url. */
  credential: string;
  /** As the browser gave it, base64url. */
  authenticator_data: string;
  /** As the browser gave it, base64url: type, challenge and origin. */
  client_data: string;
  /** Over both, base64url. */
  signature: string;
  /** Hashes of all entries that it signs, where they are several. */
  list?: string[];
}

/** A text: Ed25519, base64. */
export type Signature = string | PasskeySignature;

interface DecisionFields {
  /** What the person said. */
  decision: DecisionKind;
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
  edited: boolean;
  already_present: boolean;
  level: ConfirmLevel;
  /** A date: the person wants to look at it again then. */
  until?: string | null;
  /** What it is about where that is no block: an entry's hash, a salted hash, a fingerprint. */
  subject?: string | null;
}

/** What a person decided, with its texts. */
export interface DecisionRecord extends DecisionFields {
  reason: string | null;
  /** Of what was proposed. */
  content_sha256: string | null;
  /** The blocks this decision stands behind; of `remove` and `retire`: those that went. */
  blocks?: readonly KeptText[];
  /** Blocks that these took the place of. */
  replaced?: readonly KeptText[];
}

/** A decision as it is read back: fingerprints in place of texts. */
export interface ReadEntry extends DecisionFields {
  reason: string | null;
  /** Of what was proposed; the first format only. */
  content_sha256: string | null;
  /** Of the block that was written; only the first format has it. */
  written_sha256?: string | null;
  /** Fingerprints. */
  blocks?: string[];
  /** Hashes of the lines of those blocks that have several. They find candidates; the fingerprint decides. */
  lines?: Record<string, string[]>;
  /** Texts by fingerprint, as they are kept beside the chain. */
  texts?: readonly (readonly [string, string])[];
  /** Fingerprints of blocks that these took the place of. */
  replaced?: string[];
  seq: number;
  machine: string;
  /** Fingerprint of the key that signed. */
  key: string;
  public_key: string;
}

/** One line of a chain, in either format. */
export interface LedgerEntry extends ReadEntry {
  /** 2; missing in the first format. */
  v?: 2;
  /** Makes every entry one of its own. */
  nonce?: string;
  /** Hash of the entry before; empty for the first. */
  prev: string;
  sig: Signature;
  /** The second format: salted hash of the reason; `blocks` and `replaced` are such, too. */
  reason_hash?: string | null;
  /** The same of what was proposed. */
  content_hash?: string | null;
}

export type Sha256 = (text: string) => string;

export interface LedgerHead {
  seq: number;
  hash: string;
}

/** The key in force, as far as an entry names it. */
interface SigningKey {
  fingerprint: string;
  publicKey: string;
  level: ConfirmLevel;
}

export interface Signer extends SigningKey {
  sign(text: string): Signature;
}

interface EntryPlace {
  head: LedgerHead;
  machine: string;
}

/** A line for the chain, and the records that go beside it first. */
export interface LedgerLine {
  line: string;
  texts: string[];
}

/** An entry before it is signed: `text` is what is signed, `hash` its SHA-256 and its name on the chain. */
interface EntryDraft {
  text: string;
  hash: string;
  entry: Omit<LedgerEntry, 'sig'>;
  texts: TextRecord[];
}

export const EMPTY_HEAD: LedgerHead = { seq: 0, hash: '' };

// The same record, place and seed give the same entry: it can be signed elsewhere and built again to be written.
function draftEntry(
  record: DecisionRecord,
  place: EntryPlace & { key: SigningKey },
  { seed, sha256 }: { seed: string; sha256: Sha256 },
): EntryDraft {
  const { reason, content_sha256, blocks, replaced, ...fields } = record;
  const kept = keepTexts({ reason, content_sha256, blocks, replaced }, { seed, sha256 });
  const entry = {
    ...fields,
    ...kept.hashes,
    v: 2 as const,
    nonce: sha256(`${seed} nonce`),
    level: place.key.level,
    seq: place.head.seq + 1,
    prev: place.head.hash,
    machine: place.machine,
    key: place.key.fingerprint,
    public_key: place.key.publicKey,
  };
  const text = canonicalLine(entry);
  return { text, hash: sha256(text), entry: entry as unknown as EntryDraft['entry'], texts: kept.records };
}

function signedLine({ entry, texts }: EntryDraft, sig: Signature): LedgerLine {
  return { line: canonicalLine({ ...entry, sig }), texts: texts.map(canonicalLine) };
}

export function ledgerLine(
  record: DecisionRecord,
  place: EntryPlace,
  signer: Signer,
  tools: { seed: string; sha256: Sha256 },
): LedgerLine {
  const draft = draftEntry(record, { ...place, key: signer }, tools);
  return signedLine(draft, signer.sign(draft.text));
}

/** What a signature of the entry is over. */
export function signedText({ sig: _, ...unsigned }: LedgerEntry): string {
  return canonicalLine(unsigned);
}

/** Of the tastes where there is no workspace. False: a decision on something else, so its entry was copied here. */
export function belongsTo(
  imageId: string | null,
): (entry: Pick<LedgerEntry, 'file' | 'image_id'> & { v?: 2 | undefined }) => boolean {
  return ({ v, file, image_id }) => {
    const isTaste = v === 2 ? file === null || file.startsWith(TASTES) : file !== 'notes.md';
    return imageId === null ? isTaste : !isTaste && image_id === imageId;
  };
}

const TASTES = 'tastes/';

/** Its name in an entry: a taste may be called like a file of a workspace. */
export function entryFile(target: { kind: 'taste' | 'notes' | 'brief'; file: string }): string {
  return target.kind === 'taste' ? `${TASTES}${target.file}` : target.file;
}

/** The name in its folder. */
export function fileOf({ file }: Pick<LedgerEntry, 'file'>): string | null {
  return typeof file === 'string' && file.startsWith(TASTES) ? file.slice(TASTES.length) : file;
}

/** By which the next entry and the home know it: of all but the signature; in the first format of the whole line. */
export function entryHash(line: string, entry: LedgerEntry | null, sha256: Sha256): string {
  return sha256(entry?.v === 2 ? signedText(entry) : line);
}

export function headAfter(line: string, sha256: Sha256): LedgerHead {
  const entry = parseEntry(line);
  return { seq: entry?.seq ?? 0, hash: entryHash(line, entry, sha256) };
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
  if (key === 'sig' && isRecord(value))
    return Object.entries(value).every(([name, part]) => (name === 'list' ? isTexts(part) : typeof part === 'string'));
  return value === null || typeof value !== 'object';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInChain({ seq, prev, v }: Record<string, unknown>): boolean {
  return Number.isSafeInteger(seq) && typeof prev === 'string' && (v === undefined || v === 2);
}
