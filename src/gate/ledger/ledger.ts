import { canonicalLine, isRecord, parseJson } from '../../json.ts';
import {
  type ConfirmLevel,
  checkedAnchors,
  type DecisionRecord,
  type EntryTexts,
  type KnownText,
  type LedgerEntry,
  type LedgerHead,
  type PasskeySignature,
  type Sha256,
  type Signature,
  type StoredText,
  type TextRecord,
} from './entry.ts';
import { fingerprintOf } from './text-blocks.ts';

/** The key in force, as far as an entry names it, and how it signs. */
export interface Signer {
  fingerprint: string;
  publicKey: string;
  level: ConfirmLevel;
  sign(text: string): Signature;
  /** Where an authenticator signs: what it was asked, which fixes the time and the entries. */
  act?: PasskeyAct;
}

/** Where the next entry of a chain goes: the bytes that `head` comes from were verified. */
export interface ChainEnd {
  ledger: string;
  machine: string;
  head: LedgerHead;
  /** Of a chain that begins because another one is broken. */
  after?: string | undefined;
}

/** A line for the chain, and the records that go next to it first. */
export type LedgerLine = ReturnType<typeof signedLine>;

export const EMPTY_HEAD: LedgerHead = { seq: 0, hash: '' };

// An entry before it is signed: `text` is what is signed, `hash` its SHA-256. The same record, end of the chain and seed give
// the same entry: it can be signed elsewhere and built again to be written.
export function draftEntry(
  record: DecisionRecord,
  end: ChainEnd & { key: Pick<Signer, 'fingerprint' | 'publicKey' | 'level'> },
  { seed, sha256 }: { seed: string; sha256: Sha256 },
) {
  const { reason, content_sha256, blocks, replaced, ...fields } = record;
  const stored = keepTexts({ reason, content_sha256, blocks, replaced }, { seed, sha256 });
  const entry = {
    ...fields,
    ...stored.hashes,
    v: 3 as const,
    ledger: end.ledger,
    nonce: sha256(`${seed} nonce`),
    level: end.key.level,
    seq: end.head.seq + 1,
    prev: end.head.hash,
    ...(end.after !== undefined && { after: end.after }),
    machine: end.machine,
    key: end.key.fingerprint,
    public_key: end.key.publicKey,
  };
  const text = canonicalLine(entry);
  return { text, hash: sha256(text), entry, texts: stored.records };
}

export function signedLine({ entry, text, texts }: ReturnType<typeof draftEntry>, signer: Signer) {
  return { line: canonicalLine({ ...entry, sig: signer.sign(text) }), texts: texts.map(canonicalLine) };
}

/** What a signature of the entry is over. */
export function signedText({ sig: _, ...unsigned }: LedgerEntry): string {
  return canonicalLine(unsigned);
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

// What nests beyond the shape of an entry could exhaust the stack, or turn into a text in ways of its own.
export function parseEntry(line: string): LedgerEntry | null {
  const value = parseJson(line);
  return isRecord(value) && value.v === 3 && isFlat(value) && isInChain(value)
    ? (value as unknown as LedgerEntry)
    : null;
}

/** Of a format that was never published: its lines have the fields of an entry and another version, or none. */
export function isOfEarlierFormat(line: string): boolean {
  const value = parseJson(line);
  return isRecord(value) && value.v !== 3 && isInChain(value) && typeof value.public_key === 'string';
}

const LISTS = ['blocks', 'replaced', 'hashes', 'paths'];

function isFlat(entry: Record<string, unknown>): boolean {
  return Object.entries(entry).every(([name, value]) => {
    if (LISTS.includes(name)) return value === undefined || isTexts(value);
    return typeof value !== 'object' || value === null || (name === 'sig' && isSignature(value));
  });
}

function isSignature(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, part]) => (name === 'list' ? isTexts(part) : typeof part === 'string'));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInChain({ seq, prev }: Record<string, unknown>): boolean {
  return Number.isSafeInteger(seq) && typeof prev === 'string';
}

/** One yes that an authenticator signs. It is gone through twice: first to learn what is to be signed, then to write it. */
export type PasskeyAct = ReturnType<typeof draftAct>;

/** Thrown where a draft has come to what is to be signed, and going on would write. */
export class DraftEnds extends Error {}

/** `publicKey` of the authenticator that is asked; time and seed are fixed before, so that both rounds give the same entries. */
export function draftAct(start: { publicKey: string; at: string; seed: string }) {
  return {
    ...start,
    /** Of all that is signed, in order. */
    hashes: [] as string[],
    /** Where the chains end after the entries of this round, by ledger and name. */
    heads: new Map<string, LedgerHead>(),
    /** Folders that the home's chain names from this round on. */
    registered: new Set<string>(),
    /** Made so far in this round. */
    entries: 0,
    /** Null: a draft, and nothing is written. */
    signature: null as PasskeySignature | null,
    /** The key that comes after, where the level is lowered; base64. */
    next: null as { publicKey: string; privateKey: string } | null,
  };
}

/** The second round: the same act, with what the authenticator gave. */
export function signedAct(draft: PasskeyAct, signature: PasskeySignature): PasskeyAct {
  const { list: _, ...given } = signature;
  const list = draft.hashes.length > 1 ? { list: draft.hashes } : {};
  return { ...draft, heads: new Map(), registered: new Set(), entries: 0, signature: { ...given, ...list } };
}

export function isDraft(act: PasskeyAct | undefined): act is PasskeyAct & { signature: null } {
  return act?.signature === null;
}

/** Each entry of an act has a seed of its own. */
export function nextSeed(act: PasskeyAct, sha256: Sha256): string {
  act.entries += 1;
  return sha256(`${act.seed} ${act.entries}`);
}

export type TextLookup = ReadonlyMap<string, KnownText>;

type Texts = Pick<DecisionRecord, 'reason' | 'content_sha256' | 'blocks' | 'replaced'>;

// Each with a salt of its own: a salt that goes takes one text along and no other.
function keepTexts(texts: Texts, { seed, sha256 }: { seed: string; sha256: Sha256 }) {
  const records: TextRecord[] = [];
  const keep = (stored: StoredText): string => {
    const salt = sha256(`${seed} salt ${records.length}`);
    const hash = saltedHash(salt, stored, sha256);
    records.push({ hash, salt, ...stored });
    return hash;
  };
  const { reason, content_sha256, blocks, replaced } = texts;
  const hashes = {
    reason_hash: reason === null ? null : keep({ text: reason }),
    content_hash: content_sha256 === null ? null : keep({ print: content_sha256 }),
    ...(blocks && { blocks: blocks.map(keep) }),
    ...(replaced && { replaced: replaced.map(keep) }),
  };
  return { hashes, records };
}

function saltedHash(salt: string, stored: StoredText, sha256: Sha256): string {
  // Joined, and not a template: of two thousand of those each is copied once more before it is hashed.
  const hashed = (kind: string, said: string) => sha256([salt, kind, said].join('\n'));
  if (!('text' in stored)) return hashed('print', stored.print);
  if (!stored.anchors) return hashed('text', stored.text);
  return hashed('anchored', canonicalLine({ text: stored.text, anchors: stored.anchors }));
}

/** Null: not a record, or its hash is not that of its text. */
export function readTextRecord(line: string, sha256: Sha256): [string, KnownText] | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  const { hash, salt, text, print } = value;
  if (typeof hash !== 'string' || typeof salt !== 'string') return null;
  const anchors = value.anchors === undefined ? undefined : checkedAnchors(value.anchors);
  if (anchors === null) return null;
  const anchored = anchors && { anchors };
  if (typeof text === 'string' && saltedHash(salt, { text, ...anchored }, sha256) === hash)
    return [hash, { print: fingerprintOf(text, sha256), text, ...anchored }];
  if (typeof print === 'string' && saltedHash(salt, { print }, sha256) === hash) return [hash, { print, text: null }];
  return null;
}

// Salted hashes become the fingerprints they stand for. One whose record is gone covers nothing.
export function textsOf(entry: LedgerEntry, known: TextLookup): EntryTexts {
  const all = (hashes: readonly string[]) => hashes.flatMap((hash) => known.get(hash) ?? []);
  const named = { blocks: entry.blocks ?? [], replaced: entry.replaced ?? [] };
  const [blocks, replaced] = [all(named.blocks), all(named.replaced)];
  return {
    reason: known.get(entry.reason_hash ?? '')?.text ?? null,
    content_sha256: known.get(entry.content_hash ?? '')?.print ?? null,
    ...{ blocks, replaced },
    gone: named.blocks.length - blocks.length + named.replaced.length - replaced.length,
  };
}

/** All salted hashes of an entry. */
export function hashesOf({ blocks = [], replaced = [], reason_hash, content_hash }: LedgerEntry): string[] {
  return [...blocks, ...replaced, reason_hash, content_hash].filter((hash) => typeof hash === 'string');
}
