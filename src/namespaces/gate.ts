import type { Blame, UnaccountedBlock } from '../gate/accounting/blame.ts';
import type { FileHistory, ShownEarlier, WentBack } from '../gate/accounting/go-back.ts';
import type { DueBlock, KeepEdit } from '../gate/accounting/look-again.ts';
import type { HandEdit } from '../gate/accounting/own-edits.ts';
import type { Decided, Decision } from '../gate/decide.ts';
import type { Erased, ShownErasure } from '../gate/erase/erase.ts';
import type { FoundText } from '../gate/erase/find-text.ts';
import type { gateUseCases } from '../gate/gate.ts';
import type { Fault } from '../gate/ledger/chain.ts';
import type { ConfirmLevel } from '../gate/ledger/entry.ts';
import type { Proposal, ProposalInput, Shown } from '../gate/proposals/proposal.ts';
import type { AlreadyPresent, DeclinedBefore, Proposed, ShownProposal } from '../gate/propose.ts';
import type { Why } from '../gate/seen/why.ts';
import type { SessionEntry, SessionHit, SessionTranscript } from '../gate/sessions/read-transcripts.ts';
import type { GapInput, Session, sessionUseCases } from '../gate/sessions/sessions.ts';
import type { Verification } from '../gate/verify.ts';
import { type ArgumentsOf, checkedMethods, type KeysOf, type SomeKeysOf } from '../known-keys.ts';
import type { FoundBlock } from '../matching/search-blocks.ts';
import type { RankedGap } from '../memory/gap-ranking.ts';
import type { Gap } from '../memory/gaps.ts';
import type { TargetLike } from '../settings/app-context.ts';

/** Everything that can change memory: sessions, proposals, the person's decisions and their ledger. */
export interface Gate {
  /** Opens a client's session in a workspace, or with null in none; proposals are made from it. */
  openSession(target: TargetLike | null, client: string): Promise<Session>;

  /** Ends a session and returns the ids of its proposals that still wait. */
  endSession(session: Session): Promise<string[]>;

  /** The sessions of a workspace, or of all; the newest first. */
  listSessions(workspace?: string): Promise<SessionEntry[]>;

  /** The transcript of one session. */
  readSession(sessionId: string, workspace?: string): Promise<SessionTranscript>;

  /** Entries of transcripts that hold all these words. */
  searchSessions(words: string, workspace?: string): Promise<SessionHit[]>;

  /** Blocks of tastes, briefs, notes, archives, decisions and transcripts that say these words, the best first. */
  search(words: string, workspace?: string): Promise<FoundBlock[]>;

  /** Adds an operation to the workspace's log; it needs no decision. */
  logOperation(
    target: TargetLike,
    op: string,
    details: Record<string, unknown>,
  ): Promise<{ timestamp: string; op: string }>;

  /** Records something that the vocabulary lacked; it needs no decision. */
  logGap(target: TargetLike, sessionId: string | null, gap: GapInput): Promise<Gap>;

  /** Proposes a change of notes or of a taste. It waits for the person; nothing is written to memory. */
  propose(session: Session, proposal: ProposalInput): Promise<Proposed | AlreadyPresent | DeclinedBefore>;

  /** The proposals that wait, of a workspace or of `all`. */
  listProposals(target: TargetLike | 'all'): Promise<Proposal[]>;

  /** One proposal as a person should see it: its diff, whether it is stale, and lines that say nearly the same. */
  showProposal(proposalId: string): Promise<ShownProposal>;

  /** Takes back a proposal of the same session. */
  withdrawProposal(session: Session, proposalId: string): Promise<void>;

  /** Writes the person's decision on exactly what was shown. Call it only after a person was asked. */
  decide(shown: Shown, kind: Proposal['kind'] | null, decision: Decision): Promise<Decided>;

  /** What a decision needs beside the person's yes: nothing, her passphrase, or her authenticator. */
  confirmLevel(): Promise<ConfirmLevel>;

  /** Blocks of memory that no decision accounts for: somebody wrote them past the gate. */
  unaccountedBlocks(target: TargetLike | 'all'): Promise<UnaccountedBlock[]>;

  /** Accounts for a block as the person's own. Call it only after a person has seen the block. */
  adoptBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void>;

  /** Takes a block out of its file. Call it only after a person has seen the block. */
  removeBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void>;

  /** Takes out a block that no longer holds; of the notes it goes to the archive. Call it only after a person has seen it. */
  retireBlock(shown: Pick<UnaccountedBlock, 'kind' | 'image_id' | 'file' | 'block'>, edit: HandEdit): Promise<void>;

  /** Accounts for every block of a workspace, or of `all`, as the person's own; returns how many. */
  adoptAll(target: TargetLike | 'all', edit: HandEdit): Promise<number>;

  /** Which decision stands behind each block of a file. */
  blame(file: string, target?: TargetLike): Promise<Blame>;

  /** Every decision on a file with what it added and took out, the newest first. */
  history(file: string, target?: TargetLike): Promise<FileHistory>;

  /** The text as it was before a decision, to be shown to the person; without a name, before the last one. */
  showUndo(decision?: string): Promise<ShownEarlier>;

  /** A file as it was after a decision; without one, with every decided block that is gone. */
  showRestore(file: string, at?: string, target?: TargetLike): Promise<ShownEarlier>;

  /** Writes the earlier text that was shown, as a decision of its own. Call it only after a person was asked. */
  goBack(shown: ShownEarlier, edit: HandEdit): Promise<WentBack>;

  /** Texts of memory, the ledgers and the transcripts that hold these words, or the block at a line: `notes.md:12`. */
  findErasable(words: string, target?: TargetLike): Promise<FoundText[]>;

  /** A text with every place and copy of it, to be shown to the person; and what can't be reached. */
  showErasure(text: string): Promise<ShownErasure>;

  /** Deletes a text for good, with every copy that is ours. Call it only after a person was asked. */
  erase(shown: ShownErasure, edit: HandEdit): Promise<Erased>;
  /** Blocks to review again: the code they cite has changed, or their date has come. */
  dueBlocks(target: TargetLike | 'all'): Promise<DueBlock[]>;

  /** Keeps a due block as it is, with a new date or none. Call it only after a person has seen the block. */
  keepBlock(shown: DueBlock, edit: KeepEdit): Promise<void>;

  /** Puts the person's own words in the place of a due block. */
  editBlock(shown: DueBlock, text: string, edit: HandEdit): Promise<void>;

  /** What agents missed, the worst first: how often, how recent, how badly. */
  gaps(target?: TargetLike): Promise<RankedGap[]>;

  /** For a line that an agent was given: the decision, file or record it comes from, and when it was served. */
  why(text: string, target?: TargetLike): Promise<Why>;

  /** Checks every ledger; with the code or the fingerprint that the person wrote down. */
  verify(passphrase?: string | null, expected?: string | null): Promise<Verification>;

  /** What is wrong with the record of decisions: of a workspace with the tastes and the home, or of `all`. */
  faults(target: TargetLike | 'all'): Promise<Fault[]>;
}

const PROPOSAL: KeysOf<ProposalInput> = {
  kind: ['taste', 'notes'],
  'content?': 'text',
  'category?': 'text',
  'file?': 'text',
  'reason?': 'text',
  'replaces?': 'text',
  'retires?': 'text',
  'until?': 'text',
  'supersedes?': 'text',
};
const DECISION: KeysOf<Decision> = {
  decision: ['accept', 'decline'],
  'editedContent?': 'text',
  'reason?': 'text',
  'until?': 'text|null',
  via: 'text',
  client: 'text|null',
  'passphrase?': 'text',
  'passkey?': 'object',
};
const EDIT: KeysOf<HandEdit> = { via: 'text', 'passphrase?': 'text', 'passkey?': 'object' };
const KEEP_EDIT: KeysOf<KeepEdit> = { ...EDIT, 'until?': 'text|null' };
const GAP: KeysOf<GapInput> = {
  description: 'text',
  'intent?': 'text',
  'intent_category?': 'text',
  'missing_capability?': 'text',
  'operations_involved?': 'texts',
  'vocabulary_used?': 'texts',
  'satisfaction?': 'number|null',
  'snapshot_hash?': 'text',
  'notes?': 'text',
  'workaround?': 'text',
};
// What these methods gave before, and what they need of it when it comes back.
const SESSION: SomeKeysOf<Session> = {
  session_id: 'text',
  image_id: 'text|null',
  client: 'text',
  folder: 'text|null',
  record: 'function',
  end: 'function',
  '...': 'object',
};
const SHOWN: SomeKeysOf<Shown> = { proposal_id: 'text', content_sha256: 'text', target: 'text', '...': 'object' };
const PLACE = { kind: 'text', image_id: 'text|null', file: 'text', '...': 'object' } as const;
const BLOCK: SomeKeysOf<UnaccountedBlock> = { ...PLACE, block: { fingerprint: 'text', '...': 'object' } };
const EARLIER: SomeKeysOf<ShownEarlier> = {
  ...PLACE,
  decision: ['undo', 'restore'],
  decision_id: 'text|null',
  before: 'text|null',
  after: 'text',
};
const ERASURE: SomeKeysOf<ShownErasure> = { text: 'text', sha256: 'text', '...': 'object' };
const ARGUMENTS: ArgumentsOf<Gate> = {
  openSession: { target: 'target|null', client: 'text' },
  endSession: { session: SESSION },
  listSessions: { 'workspace?': 'text' },
  readSession: { sessionId: 'text', 'workspace?': 'text' },
  searchSessions: { words: 'text', 'workspace?': 'text' },
  search: { words: 'text', 'workspace?': 'text' },
  logOperation: { target: 'target', op: 'text', details: 'object' },
  logGap: { target: 'target', sessionId: 'text|null', gap: GAP },
  propose: { session: SESSION, proposal: PROPOSAL },
  listProposals: { target: 'target' },
  showProposal: { proposalId: 'text' },
  withdrawProposal: { session: SESSION, proposalId: 'text' },
  decide: { shown: SHOWN, kind: 'text|null', decision: DECISION },
  confirmLevel: {},
  unaccountedBlocks: { target: 'target' },
  adoptBlock: { shown: BLOCK, edit: EDIT },
  removeBlock: { shown: BLOCK, edit: EDIT },
  retireBlock: { shown: BLOCK, edit: EDIT },
  adoptAll: { target: 'target', edit: EDIT },
  blame: { file: 'text', 'target?': 'target' },
  history: { file: 'text', 'target?': 'target' },
  showUndo: { 'decision?': 'text' },
  showRestore: { file: 'text', 'at?': 'text', 'target?': 'target' },
  goBack: { shown: EARLIER, edit: EDIT },
  findErasable: { words: 'text', 'target?': 'target' },
  showErasure: { text: 'text' },
  erase: { shown: ERASURE, edit: EDIT },
  dueBlocks: { target: 'target' },
  keepBlock: { shown: BLOCK, edit: KEEP_EDIT },
  editBlock: { shown: BLOCK, text: 'text', edit: EDIT },
  gaps: { 'target?': 'target' },
  why: { text: 'text', 'target?': 'target' },
  verify: { 'passphrase?': 'text|null', 'expected?': 'text|null' },
  faults: { target: 'target' },
};

export type GateUseCases = ReturnType<typeof gateUseCases>;
export type SessionUseCases = ReturnType<typeof sessionUseCases>;

// A session is all that an agent's first call needs of the gate, so it loads alone.
export function gateNamespace(gate: () => Promise<GateUseCases>, sessions: () => Promise<SessionUseCases>): Gate {
  return checkedMethods('gate', ARGUMENTS, {
    openSession: async (target, client) => (await sessions()).openSession(target, client),
    endSession: async (session) => (await gate()).endSession(session),
    listSessions: async (workspace) => (await gate()).listSessions(workspace),
    readSession: async (sessionId, workspace) => (await gate()).readSession(sessionId, workspace),
    searchSessions: async (words, workspace) => (await gate()).searchSessions(words, workspace),
    search: async (words, workspace) => (await gate()).search(words, workspace),
    logOperation: async (target, op, details) => (await sessions()).logOperation(target, op, details),
    logGap: async (target, sessionId, gap) => (await sessions()).logGap(target, sessionId, gap),
    propose: async (session, proposal) => (await gate()).propose(session, proposal),
    listProposals: async (target) => (await gate()).listProposals(target),
    showProposal: async (proposalId) => (await gate()).showProposal(proposalId),
    withdrawProposal: async (session, proposalId) => (await gate()).withdrawProposal(session, proposalId),
    decide: async (shown, kind, decision) => (await gate()).decide(shown, kind, decision),
    confirmLevel: async () => (await gate()).confirmLevel(),
    unaccountedBlocks: async (target) => (await gate()).unaccountedBlocks(target),
    adoptBlock: async (shown, edit) => (await gate()).adoptBlock(shown, edit),
    removeBlock: async (shown, edit) => (await gate()).takeOutBlock(shown, edit),
    retireBlock: async (shown, edit) => (await gate()).retireBlock(shown, edit),
    adoptAll: async (target, edit) => (await gate()).adoptAll(target, edit),
    blame: async (file, target = {}) => (await gate()).blame(file, target),
    history: async (file, target = {}) => (await gate()).history(file, target),
    showUndo: async (decision) => (await gate()).showUndo(decision),
    showRestore: async (file, at, target = {}) => (await gate()).showRestore(file, at, target),
    goBack: async (shown, edit) => (await gate()).goBack(shown, edit),
    findErasable: async (words, target = {}) => (await gate()).findErasable(words, target),
    showErasure: async (text) => (await gate()).showErasure(text),
    erase: async (shown, edit) => (await gate()).erase(shown, edit),
    dueBlocks: async (target) => (await gate()).dueBlocks(target),
    keepBlock: async (shown, edit) => (await gate()).keepBlock(shown, edit),
    editBlock: async (shown, text, edit) => (await gate()).editDueBlock(shown, text, edit),
    gaps: async (target = {}) => (await gate()).rankedGaps(target),
    why: async (text, target = {}) => (await gate()).why(text, target),
    verify: async (passphrase, expected) => (await gate()).verify(passphrase, expected),
    faults: async (target) => (await gate()).faults(target),
  });
}
