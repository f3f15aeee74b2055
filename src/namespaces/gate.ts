import type { Blame, UnaccountedBlock } from '../gate/accounting/blame.ts';
import type { HandEdit } from '../gate/accounting/hand-edits.ts';
import type { Decided, Decision } from '../gate/decide.ts';
import type { gateUseCases } from '../gate/gate.ts';
import type { ConfirmLevel } from '../gate/ledger/ledger.ts';
import type { Verification } from '../gate/ledger/verify.ts';
import type { Proposal, ProposalInput, Shown } from '../gate/proposal.ts';
import type { AlreadyPresent, Proposed, ShownProposal } from '../gate/propose.ts';
import type { SessionEntry, SessionHit, SessionTranscript } from '../gate/sessions/read-transcripts.ts';
import type { GapInput, Session } from '../gate/sessions/sessions.ts';
import { type KeysOf, knownKeys } from '../known-keys.ts';
import type { Gap } from '../memory/gaps.ts';
import type { TargetLike } from '../settings/app-context.ts';

const PROPOSAL: KeysOf<ProposalInput> = {
  kind: true,
  content: true,
  category: true,
  file: true,
  reason: true,
  replaces: true,
};
const DECISION: KeysOf<Decision> = {
  decision: true,
  editedContent: true,
  reason: true,
  via: true,
  client: true,
  passphrase: true,
};
const EDIT: KeysOf<HandEdit> = { via: true, passphrase: true };
const GAP: KeysOf<GapInput> = {
  description: true,
  intent: true,
  intent_category: true,
  missing_capability: true,
  operations_involved: true,
  vocabulary_used: true,
  satisfaction: true,
  snapshot_hash: true,
  notes: true,
  workaround: true,
};

export type GateUseCases = ReturnType<typeof gateUseCases>;

// Everything that can change memory: sessions, proposals and the person's decisions.
export function gateNamespace(gate: () => Promise<GateUseCases>) {
  return {
    /** Opens a client's session in a workspace, or with null in none; proposals are made from it. */
    async openSession(target: TargetLike | null, client: string): Promise<Session> {
      return (await gate()).openSession(target, client);
    },

    /** Ends a session and returns the ids of its proposals that still wait. */
    async endSession(session: Session): Promise<string[]> {
      return (await gate()).endSession(session);
    },

    /** The sessions of a workspace, or of all; the newest first. */
    async listSessions(workspace?: string): Promise<SessionEntry[]> {
      return (await gate()).listSessions(workspace);
    },

    /** The transcript of one session. */
    async readSession(sessionId: string, workspace?: string): Promise<SessionTranscript> {
      return (await gate()).readSession(sessionId, workspace);
    },

    /** Entries of transcripts that hold all these words. */
    async searchSessions(words: string, workspace?: string): Promise<SessionHit[]> {
      return (await gate()).searchSessions(words, workspace);
    },

    /** Adds an operation to the workspace's log; it needs no decision. */
    async logOperation(
      target: TargetLike,
      op: string,
      details: Record<string, unknown>,
    ): Promise<{ timestamp: string; op: string }> {
      return (await gate()).logOperation(target, op, details);
    },

    /** Records something that the vocabulary lacked; it needs no decision. */
    async logGap(target: TargetLike, sessionId: string | null, gap: GapInput): Promise<Gap> {
      return (await gate()).logGap(target, sessionId, knownKeys(gap, GAP, 'gate.logGap'));
    },

    /** Proposes a change of notes or of a taste. It waits for the person; nothing is written to memory. */
    async propose(session: Session, proposal: ProposalInput): Promise<Proposed | AlreadyPresent> {
      return (await gate()).propose(session, knownKeys(proposal, PROPOSAL, 'gate.propose'));
    },

    /** The proposals that wait, of a workspace or of `all`. */
    async listProposals(target: TargetLike | 'all'): Promise<Proposal[]> {
      return (await gate()).listProposals(target);
    },

    /** One proposal as a person should see it: its diff, whether it is stale, and lines that say nearly the same. */
    async showProposal(proposalId: string): Promise<ShownProposal> {
      return (await gate()).showProposal(proposalId);
    },

    /** Takes back a proposal of the same session. */
    async withdrawProposal(session: Session, proposalId: string): Promise<void> {
      return (await gate()).withdrawProposal(session, proposalId);
    },

    /** Writes the person's decision on exactly what was shown. Call it only after a person was asked. */
    async decide(shown: Shown, kind: Proposal['kind'] | null, decision: Decision): Promise<Decided> {
      return (await gate()).decide(shown, kind, knownKeys(decision, DECISION, 'gate.decide'));
    },

    /** Whether a decision needs the person's passphrase. */
    async confirmLevel(): Promise<ConfirmLevel> {
      return (await gate()).confirmLevel();
    },

    /** Blocks of memory that no decision accounts for: somebody wrote them past the gate. */
    async unaccountedBlocks(target: TargetLike | 'all'): Promise<UnaccountedBlock[]> {
      return (await gate()).unaccountedBlocks(target);
    },

    /** Accounts for a block as the person's own. Call it only after a person has seen the block. */
    async adoptBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      return (await gate()).adoptBlock(shown, knownKeys(edit, EDIT, 'gate.adoptBlock'));
    },

    /** Takes a block out of its file. Call it only after a person has seen the block. */
    async removeBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      return (await gate()).takeOutBlock(shown, knownKeys(edit, EDIT, 'gate.removeBlock'));
    },

    /** Accounts for every block of a workspace, or of `all`, as the person's own; returns how many. */
    async adoptAll(target: TargetLike | 'all', edit: HandEdit): Promise<number> {
      return (await gate()).adoptAll(target, knownKeys(edit, EDIT, 'gate.adoptAll'));
    },

    /** Which decision stands behind each block of a file. */
    async blame(file: string, target: TargetLike = {}): Promise<Blame> {
      return (await gate()).blame(file, target);
    },

    /** Checks the chain and the signatures of every ledger. */
    async verify(passphrase?: string | null): Promise<Verification[]> {
      return (await gate()).verify(passphrase);
    },
  };
}
