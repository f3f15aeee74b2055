import { isRecord } from '../../json.ts';
import { showHidden } from '../../safety/hidden-characters.ts';

export type ConfirmLevel = 'ask' | 'passphrase' | 'passkey';

/** On a proposal; `replace` and `retire` send the old block to the archive. */
type OnProposal = 'accept' | 'decline' | 'replace' | 'retire';
/** The person's own edits: in an editor, taken over as it is, taken out, cleared up after a merge, back to an earlier text. */
type ByHand = 'edit' | 'adopt' | 'remove' | 'tidy' | 'undo' | 'restore';
/** A text and all copies of it are gone: `hashes` of its records. A block that was looked at again and holds, `until` then. */
type OnBlock = 'erase' | 'look_again';
/**
 * In the home's chain alone. `approve`: on what a run asked, `subject` the run and its step, with an `answer`. `key`, `level`:
 * `subject` is a public key, in force from here on at level `to`; `hashes` are the ends of all chains that the earlier one
 * wrote. `trust`: a fingerprint. `allow`: the hash of what may run. `workspace`: the ledger `about` belongs to the folder
 * `place`; chains in `hashes` came with it and do not count. `settle`: the id of a fault. `checkpoint`: ends of all chains.
 */
type ForHome = 'approve' | 'key' | 'level' | 'trust' | 'untrust' | 'allow' | 'revoke' | 'workspace' | 'settle';
export type DecisionKind = OnProposal | ByHand | OnBlock | ForHome | 'checkpoint';

export type ApprovalAnswer = 'accept' | 'edit' | 'decline';

/** What an authenticator gives for the SHA-256 of a text; of several entries at once: of the list of their hashes. */
export interface PasskeySignature {
  alg: 'webauthn';
  /** Id of the authenticator's key, base64url. */
  credential: string;
  /** As the browser gave them, base64url. */
  authenticator_data: string;
  client_data: string;
  signature: string;
  /** Hashes of all entries that it signs, where they are several. */
  list?: string[];
}

/** A text: Ed25519, base64. */
export type Signature = string | PasskeySignature;

interface DecisionFields {
  decision: DecisionKind;
  at: string;
  who: string;
  /** How the person was asked: `review`, `elicitation`, `page`. */
  via: string;
  /** Through which the person was asked. */
  client: string | null;
  /** The client of the agent. */
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
  /** Paths and globs of the files that a note belongs to. */
  paths?: readonly string[];
  /** What it is about where that is not a block: see the kinds above. */
  subject?: string | null;
  /** Of `approve`. */
  answer?: ApprovalAnswer;
  /** Of `level`. */
  to?: ConfirmLevel;
  /** Of `settle`: the ledger; of `workspace`: the ledger, the folder, the chain that its first decision is in, and the name it had before. */
  about?: string;
  place?: string;
  chain?: string;
  was?: string;
  /** Of `erase`, `level` and `workspace`: see there. */
  hashes?: readonly string[];
}

/** What a person decided, with its texts. */
export interface DecisionRecord extends DecisionFields {
  reason: string | null;
  /** Of what was proposed. */
  content_sha256: string | null;
  /** The blocks this decision covers; of `remove` and `retire`: those that went. */
  blocks?: readonly StoredText[];
  /** Blocks that these took the place of. */
  replaced?: readonly StoredText[];
}

/** One line of a chain. Of texts it holds salted hashes. */
export interface LedgerEntry extends DecisionFields {
  v: 3;
  /** The ledger it was signed for: `home`, `tastes`, or `workspace ID`. */
  ledger: string;
  /** Makes every entry one of its own. */
  nonce: string;
  seq: number;
  machine: string;
  /** Fingerprint of the key that signed. */
  key: string;
  public_key: string;
  /** Hash of the line before, with its signature; empty for the first. */
  prev: string;
  /** Of the first entry of a chain that goes on where another one is broken: that one, up to its last good line. */
  after?: string;
  sig: Signature;
  reason_hash: string | null;
  content_hash: string | null;
  /** Salted hashes of the blocks that it covers. */
  blocks?: string[];
  replaced?: string[];
}

/** What the salted hashes of an entry stand for, as far as it is kept. */
export interface EntryTexts {
  reason: string | null;
  content_sha256: string | null;
  blocks: readonly KnownText[];
  replaced: readonly KnownText[];
  /** How many of its blocks were erased. */
  gone: number;
}

/** A record whose hash was found right. */
export interface KnownText {
  /** Its fingerprint. */
  print: string;
  text: string | null;
  /** What it cites of the project. */
  anchors?: readonly Anchor[];
}

export type Sha256 = (text: string) => string;

export interface LedgerHead {
  seq: number;
  hash: string;
}

/** A text that a decision is about; only its fingerprint where the text itself is not kept. */
export type StoredText = { text: string; anchors?: readonly Anchor[] } | { print: string };

/** Next to the chain, by its salted hash: taken away, the text is erased and the chain stays whole. */
export interface TextRecord {
  hash: string;
  salt: string;
  text?: string;
  /** The code of the project that it cites, as it was at the yes. It goes with the text. */
  anchors?: readonly Anchor[];
  /** Where the text itself is not kept. */
  print?: string;
}

/** What was where a note points, when the person said yes to it. */
export interface Anchor {
  /** As the note says it. */
  cited: string;
  /** Within the project. */
  path: string;
  of: 'folder' | 'file' | 'definition' | 'line';
  /** Of a definition, with those around it; else null. */
  name: string | null;
  /** SHA-256 of the definition without its name, of the line, or of the file; null of a folder. */
  hash: string | null;
}

/** As it is read back from next to a ledger; null where that is none. */
export function checkedAnchors(value: unknown): Anchor[] | null {
  return Array.isArray(value) && value.every(isAnchor) ? value : null;
}

function isAnchor(value: unknown): value is Anchor {
  if (!isRecord(value)) return false;
  const { cited, path, of, name, hash } = value;
  const texts = [cited, path].every((text) => typeof text === 'string');
  const maybe = [name, hash].every((text) => text === null || typeof text === 'string');
  return texts && maybe && ['folder', 'file', 'definition', 'line'].includes(String(of)) && isWithin(String(path));
}

function isWithin(path: string): boolean {
  return !/^[\\/]|^[a-z]:|\0/i.test(path) && !path.split(/[\\/]/).includes('..');
}

/** What became of cited code. */
export interface CodeChange extends Pick<Anchor, 'cited' | 'path' | 'name'> {
  how: 'moved' | 'renamed' | 'changed' | 'gone';
  /** Where it is now; null: not known. */
  to: string | null;
}

/** `src/a.ts moved to src/b.ts`. */
export function changeWords({ cited, path, name, how, to }: CodeChange): string {
  const what = name === null || cited.includes(name) ? cited : `${cited} (${name})`;
  const whose = cited.includes(path) || name === null ? what : `${what} of ${path}`;
  const where = to === null ? '' : ` to ${to}`;
  const became = how === 'changed' ? 'has changed' : how === 'gone' ? 'is gone' : `was ${how}`;
  return showHidden(`${whose} ${became}${where}`);
}
