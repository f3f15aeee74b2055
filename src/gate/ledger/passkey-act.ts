import type { LedgerHead, PasskeySignature, Sha256 } from './entry.ts';

/** One yes that an authenticator signs. It is gone through twice: first to learn what is to be signed, then to write it. */
export interface PasskeyAct {
  /** Of the authenticator that is asked. */
  publicKey: string;
  /** Time and seed are fixed before it is asked, so that both rounds give the same entries. */
  at: string;
  seed: string;
  /** Of all that is signed, in order. */
  hashes: string[];
  /** Where the chains end after the entries of this round, by ledger and name. */
  heads: Map<string, LedgerHead>;
  /** Folders that the home's chain names from this round on. */
  registered: Set<string>;
  /** Entries made so far in this round. */
  entries: number;
  /** Null: a draft, and nothing is written. */
  signature: PasskeySignature | null;
  /** The key that comes after, where the level is lowered; base64. */
  next: { publicKey: string; privateKey: string } | null;
}

/** Thrown where a draft has come to what is to be signed, and going on would write. */
export class DraftEnds extends Error {}

export function draftAct(start: Pick<PasskeyAct, 'publicKey' | 'at' | 'seed'>): PasskeyAct {
  return { ...start, hashes: [], heads: new Map(), registered: new Set(), entries: 0, signature: null, next: null };
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
