import { canonicalLine } from '../../canonical-json.ts';
import { isRecord } from '../../json-record.ts';
import {
  type Anchor,
  checkedAnchors,
  type LedgerEntry,
  type ReadEntry,
  type Sha256,
  type StoredText,
  type TextRecord,
} from './entry.ts';
import { fingerprintOf } from './text-blocks.ts';

/** A record whose hash was found right. */
export interface KnownText {
  print: string;
  text: string | null;
  anchors?: readonly Anchor[];
}

export type TextLookup = ReadonlyMap<string, KnownText>;

interface Texts {
  reason: string | null;
  content_sha256: string | null;
  blocks?: readonly StoredText[] | undefined;
  replaced?: readonly StoredText[] | undefined;
}

// Each with a salt of its own: a salt that goes takes one text along and no other.
export function keepTexts(texts: Texts, { seed, sha256 }: { seed: string; sha256: Sha256 }) {
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
  if (!('text' in stored)) return sha256(`${salt}\nprint\n${stored.print}`);
  if (!stored.anchors) return sha256(`${salt}\ntext\n${stored.text}`);
  return sha256(`${salt}\nanchored\n${canonicalLine({ text: stored.text, anchors: stored.anchors })}`);
}

/** Null: not a record, or its hash is not that of its text. */
export function readTextRecord(line: string, sha256: Sha256): [string, KnownText] | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
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
export function readEntry(entry: LedgerEntry, texts: TextLookup): ReadEntry {
  const known = (hashes: readonly string[]): KnownText[] =>
    hashes.flatMap((hash) => {
      const text = texts.get(hash);
      return text ? [text] : [];
    });
  const [blocks, replaced] = [known(entry.blocks ?? []), known(entry.replaced ?? [])];
  const textOf = (hash: string | null | undefined) => (hash ? texts.get(hash) : undefined);
  return {
    ...entry,
    reason: textOf(entry.reason_hash)?.text ?? null,
    content_sha256: textOf(entry.content_hash)?.print ?? null,
    blocks: blocks.map(({ print }) => print),
    replaced: replaced.map(({ print }) => print),
    texts_gone: (entry.blocks ?? []).length + (entry.replaced ?? []).length - blocks.length - replaced.length,
    texts: [...blocks, ...replaced].flatMap(({ print, text }) => (text === null ? [] : [[print, text] as const])),
    anchors: blocks.flatMap(({ print, anchors }) => (anchors ? [[print, anchors] as const] : [])),
  };
}

/** All salted hashes of an entry. */
export function hashesOf({ blocks = [], replaced = [], reason_hash, content_hash }: LedgerEntry): string[] {
  return [...blocks, ...replaced, ...[reason_hash, content_hash].filter((hash) => typeof hash === 'string')];
}
