// bearings/person: what only a person may do. Call a method only after a person has seen what it is about, and said so.
import { openRooms } from './bearings.ts';
import type { UnaccountedBlock } from './gate/accounting/blame.ts';
import type { ShownEarlier } from './gate/accounting/go-back.ts';
import type { ShownErasure } from './gate/erase/erase.ts';
import type { PasskeyAct } from './gate/ledger/ledger.ts';
import type { Proposal } from './gate/proposals/proposal.ts';
import type { ShownProposal } from './gate/propose.ts';
import { IN_WORKSPACE, targetOf, WORKSPACE } from './library-options.ts';
import type { TrustAnswer } from './loader/run-adapters.ts';
import { as, either, flag, given, method, needed, nothing, objectOf, oneOf, options, text } from './options.ts';
import type { BearingsOptions } from './settings/bearings-options.ts';

export type { Blame, UnaccountedBlock } from './gate/accounting/blame.ts';
export type { ShownEarlier, WentBack } from './gate/accounting/go-back.ts';
export type { DueBlock } from './gate/accounting/unaccounted.ts';
export type { Decided } from './gate/decide.ts';
export type { Erased, ShownErasure } from './gate/erase/erase.ts';
export type { Proposal } from './gate/proposals/proposal.ts';
export type { ShownProposal } from './gate/propose.ts';
export type { WorkspaceEntry } from './gate/workspaces.ts';
export type { TrustAnswer } from './loader/run-adapters.ts';
export type { WaitingRun } from './tasks/answer-run.ts';

/** What only a person may do; a program calls it after it has asked one. */
export type Person = ReturnType<typeof openPerson>;

const PROOF = {
  /** Only at `confirm: passphrase`. Never kept. */
  passphrase: text,
  /** Only at `confirm: passkey`, from the page. */
  passkey: objectOf<PasskeyAct>(),
};
const EDIT = {
  ...PROOF,
  /** How the person was asked. */
  via: needed(oneOf('review', 'edit', 'init', 'page', 'demo', 'terminal')),
};
const DECISION = options({
  ...PROOF,
  decision: needed(oneOf('accept', 'decline')),
  /** The person's own words in place of the proposed ones. */
  editedContent: text,
  reason: text,
  /** When to review it again: a date or a span; null: never. */
  until: either(text, nothing),
  /** How the person was asked, and through which client; null: none. */
  via: needed(oneOf('review', 'elicitation', 'page', 'demo')),
  client: needed(either(text, nothing)),
});
const ANSWER = options({
  ...PROOF,
  answer: needed(oneOf('accept', 'decline', 'edit')),
  /** For an edit: what takes the place of what was shown. */
  text,
  reason: text,
  /** Of what the person saw: another question is not answered by it. */
  shownSha256: text,
});
const TRUST = options({
  /** The folder of the project. Default: the working directory. */
  project: text,
  policy: text,
});
const ADOPT_ALL = options({ ...EDIT, ...WORKSPACE });
const CREATE = options({
  /** Default in a repository: the name of its folder. */
  id: text,
  /** Make a `.bearings/` in the working directory even where there is no repository. */
  here: flag,
});
const PROOF_OPTIONS = options(PROOF);
const EDITED = as('edit', needed(options(EDIT)));
const SHOWN_BLOCK = as('shown', given<UnaccountedBlock>({ kind: text, file: text, block: objectOf() }));
const SHOWN_EARLIER = given<ShownEarlier>({
  ...{ kind: text, file: text },
  ...{ decision: oneOf('undo', 'restore'), after: text },
});
const SHOWN_PROPOSAL = given<ShownProposal>({
  proposal: given<Proposal>({ proposal_id: text, content_sha256: text }),
  target: text,
});
const SHOWN_ADAPTER = given<TrustAnswer>({ sha256: text, project: text, adapter: objectOf() });

/** Opens the person's files for the person; a program that only reads and proposes takes `openBearings`. */
export function openPerson(options: BearingsOptions = {}) {
  const { gate, ...rooms } = openRooms(options, 'openPerson');
  return {
    /** One proposal as a person should see it: its diff, whether it is stale, what contradicts it, and a like text that was declined. */
    showProposal: method('person.showProposal', [as('proposalId', needed(text))], async (proposalId) =>
      (await gate()).showProposal(proposalId),
    ),

    /** Writes the person's decision on exactly what was shown. */
    decide: method(
      'person.decide',
      [as('shown', SHOWN_PROPOSAL), as('decision', needed(DECISION))],
      async (shown, decision) => (await gate()).decide({ ...shown.proposal, target: shown.target }, null, decision),
    ),

    /** What a decision needs beside the person's yes: nothing, their passphrase, or their authenticator. */
    confirmLevel: method('person.confirmLevel', [], async () => (await gate()).confirmLevel()),

    /** Blocks of memory that no decision accounts for: somebody wrote them past the gate. Of a workspace, or of all. */
    unaccountedBlocks: method('person.unaccountedBlocks', [IN_WORKSPACE], async (options = {}) =>
      (await gate()).unaccountedBlocks(targetOf(options)),
    ),

    /** Accounts for a block as the person's own. */
    adoptBlock: method('person.adoptBlock', [SHOWN_BLOCK, EDITED], async (shown, edit) =>
      (await gate()).adoptBlock(shown, edit),
    ),

    /** Accounts for every block of a workspace, or of all, as the person's own; returns how many. */
    adoptAll: method('person.adoptAll', [as('edit', needed(ADOPT_ALL))], async (edit) =>
      (await gate()).adoptAll(targetOf(edit), edit),
    ),

    /** Takes a block out of its file. */
    removeBlock: method('person.removeBlock', [SHOWN_BLOCK, EDITED], async (shown, edit) =>
      (await gate()).takeOutBlock(shown, edit),
    ),

    /** Blocks to review again: the code they cite has changed, or their date has come. Of a workspace, or of all. */
    dueBlocks: method('person.dueBlocks', [IN_WORKSPACE], async (options = {}) =>
      (await gate()).dueBlocks(targetOf(options)),
    ),

    /** The text as it was before a decision; without a name, before the last one. */
    showUndo: method('person.showUndo', [as('decision', text)], async (decision?: string) =>
      (await gate()).showUndo(decision),
    ),

    /** Writes the earlier text that was shown, as a decision of its own. */
    goBack: method('person.goBack', [as('shown', SHOWN_EARLIER), EDITED], async (shown, edit) =>
      (await gate()).goBack(shown, edit),
    ),

    /** A text with every place and copy of it, and what can't be reached. */
    showErasure: method('person.showErasure', [as('text', needed(text))], async (text) =>
      (await gate()).showErasure(text),
    ),

    /** Deletes a text for good, with every copy that is ours. */
    erase: method(
      'person.erase',
      [as('shown', given<ShownErasure>({ text, sha256: text })), EDITED],
      async (shown, edit) => (await gate()).erase(shown, edit),
    ),

    /** Makes a workspace: in the home by its id, or in the repository that `cwd` is in. */
    createWorkspace: method('person.createWorkspace', [CREATE], async (options = {}) =>
      (await rooms.workspaces()).createWorkspace(options),
    ),

    /** The adapters of a project that run only with the person's word, and whether it was given. */
    trustQuestions: method('person.trustQuestions', [TRUST], async (options = {}) =>
      (await rooms.adapters()).trustQuestions(undefined, { dir: options.project, policy: options.policy }),
    ),

    /** Lets an adapter run, exactly as it was shown. */
    allowAdapter: method(
      'person.allowAdapter',
      [as('shown', SHOWN_ADAPTER), PROOF_OPTIONS],
      async (shown, options = {}) => (await rooms.adapters()).allowAdapter(shown, options),
    ),

    /** Runs that wait for the person, with what they ask. */
    waitingRuns: method('person.waitingRuns', [], async () => (await rooms.runs()).waitingRuns()),

    /** The person's word on what a run asks; it goes on with `tasks.resume`. */
    answerRun: method('person.answerRun', [as('id', needed(text)), as('answer', needed(ANSWER))], async (id, answer) =>
      (await rooms.runs()).answerRun(id, answer),
    ),
  };
}
