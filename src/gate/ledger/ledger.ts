import { canonicalLine } from '../../canonical-json.ts';
import { isRecord } from '../../json-record.ts';
import type { PasskeyAct } from '../keys/passkey-act.ts';
import type { ConfirmLevel, DecisionRecord, LedgerEntry, LedgerHead, Sha256, Signature, TextRecord } from './entry.ts';
import { keepTexts } from './entry-texts.ts';

/** The key in force, as far as an entry names it. */
interface SigningKey {
  fingerprint: string;
  publicKey: string;
  level: ConfirmLevel;
}

export interface Signer extends SigningKey {
  sign(text: string): Signature;
  /** Where an authenticator signs: what it was asked, which fixes the time and the entries. */
  act?: PasskeyAct;
}

interface ChainEnd {
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

// The same record, end of the chain and seed give the same entry: it can be signed elsewhere and built again to be written.
export function draftEntry(
  record: DecisionRecord,
  end: ChainEnd & { key: SigningKey },
  { seed, sha256 }: { seed: string; sha256: Sha256 },
): EntryDraft {
  const { reason, content_sha256, blocks, replaced, ...fields } = record;
  const stored = keepTexts({ reason, content_sha256, blocks, replaced }, { seed, sha256 });
  const entry = {
    ...fields,
    ...stored.hashes,
    v: 2 as const,
    nonce: sha256(`${seed} nonce`),
    level: end.key.level,
    seq: end.head.seq + 1,
    prev: end.head.hash,
    machine: end.machine,
    key: end.key.fingerprint,
    public_key: end.key.publicKey,
  };
  const text = canonicalLine(entry);
  return { text, hash: sha256(text), entry: entry as unknown as EntryDraft['entry'], texts: stored.records };
}

function signedLine({ entry, texts }: EntryDraft, sig: Signature): LedgerLine {
  return { line: canonicalLine({ ...entry, sig }), texts: texts.map(canonicalLine) };
}

export function ledgerLine(
  record: DecisionRecord,
  end: ChainEnd,
  signer: Signer,
  tools: { seed: string; sha256: Sha256 },
): LedgerLine {
  const draft = draftEntry(record, { ...end, key: signer }, tools);
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
  if (key === 'blocks' || key === 'replaced' || key === 'erased') return isTexts(value);
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
