import type { Anchor } from './anchor.ts';

export type ConfirmLevel = 'ask' | 'passphrase' | 'passkey';

/** Every kind of word that a person can say. */
export type DecisionKind =
  /** On a proposal. */
  | 'accept'
  | 'decline'
  /** A block in the place of another, and one that no longer holds: the old one goes to the archive. */
  | 'replace'
  | 'retire'
  /** The person's own edits: in an editor, taken over as it is, taken out, cleared up after a merge. */
  | 'edit'
  | 'adopt'
  | 'remove'
  | 'tidy'
  /** Back to an earlier text. */
  | 'undo'
  | 'restore'
  /** A text and all copies of it are gone; `erased` lists the salted hashes of its records. */
  | 'erase'
  /** The person looked at a block again and keeps it: anchored again, `until` says when to look next. */
  | 'look_again'
  /** On what a run showed and asked: `answer` is what the person said, `subject` the run and its step. */
  | 'approve'
  /** The level was changed, a key was made or added, the ledger was upgraded. */
  | 'level'
  | 'key'
  | 'upgrade';

export type ApprovalAnswer = 'accept' | 'edit' | 'decline';

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
  /** What it is about where that is no block: an entry's hash, a salted hash, a fingerprint, a step of a run. */
  subject?: string | null;
  /** Of `approve`. */
  answer?: ApprovalAnswer;
  /** Of `erase`: salted hashes whose records beside the chain are gone. */
  erased?: readonly string[];
}

/** What a person decided, with its texts. */
export interface DecisionRecord extends DecisionFields {
  reason: string | null;
  /** Of what was proposed. */
  content_sha256: string | null;
  /** The blocks this decision stands behind; of `remove` and `retire`: those that went. */
  blocks?: readonly StoredText[];
  /** Blocks that these took the place of. */
  replaced?: readonly StoredText[];
}

/** A decision as it is read back: fingerprints in place of texts. */
export interface ReadEntry extends DecisionFields {
  /** 2; missing in the first format. */
  v?: 2;
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
  /** How many of its blocks were erased. */
  texts_gone?: number;
  /** What those texts cite of the project, by fingerprint. */
  anchors?: readonly (readonly [string, readonly Anchor[]])[];
  /** Fingerprints of blocks that these took the place of. */
  replaced?: string[];
  seq: number;
  machine: string;
  /** Fingerprint of the key that signed. */
  key: string;
  public_key: string;
}

/** One line of a chain, in either format. */
export interface LedgerEntry extends Omit<ReadEntry, 'anchors'> {
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

/** A text that a decision is about; only its fingerprint where the text itself is not kept. */
export type StoredText = { text: string; anchors?: readonly Anchor[] } | { print: string };

/** Beside the chain, by its salted hash: taken away, the text is erased and the chain stays whole. */
export interface TextRecord {
  hash: string;
  salt: string;
  text?: string;
  /** The code of the project that it cites, as it was at the yes. It goes with the text. */
  anchors?: readonly Anchor[];
  /** Where the text itself is not kept. */
  print?: string;
}
