// bearings/person: what only a person may do. Call a method only after a person has seen what it is about, and said so.
import { openRooms } from './bearings.ts';
import type { UnaccountedBlock } from './gate/accounting/blame.ts';
import type { ShownEarlier } from './gate/accounting/go-back.ts';
import type { ShownErasure } from './gate/erase/erase.ts';
import type { PasskeyAct } from './gate/ledger/ledger.ts';
import type { Proposal } from './gate/proposals/proposal.ts';
import type { ShownProposal } from './gate/propose.ts';
import { IN_WORKSPACE, WORKSPACE, type WorkspaceOptions } from './library-options.ts';
import type { TrustAnswer } from './loader/run-adapters.ts';
import {
  either,
  flag,
  given,
  method,
  needed,
  nothing,
  type OptionsOf,
  objectOf,
  oneOf,
  options,
  type TypeOf,
  text,
} from './options.ts';
import type { BearingsOptions } from './settings/app-context.ts';

export type { Blame, UnaccountedBlock } from './gate/accounting/blame.ts';
export type { ShownEarlier, WentBack } from './gate/accounting/go-back.ts';
export type { DueBlock } from './gate/accounting/unaccounted.ts';
export type { Decided } from './gate/decide.ts';
export type { Erased, ShownErasure } from './gate/erase/erase.ts';
export type { Proposal } from './gate/proposals/proposal.ts';
export type { ShownProposal } from './gate/propose.ts';
export type { WorkspaceEntry } from './gate/workspaces.ts';
export type { WorkspaceOptions } from './library-options.ts';
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
const EDITED = needed(options(EDIT));
const SHOWN_BLOCK = given<UnaccountedBlock>({ kind: text, file: text, block: objectOf() });

export interface ProofOptions extends OptionsOf<typeof PROOF> {}
export interface EditOptions extends OptionsOf<typeof EDIT> {}
export interface DecisionOptions extends TypeOf<typeof DECISION> {}
export interface AnswerOptions extends TypeOf<typeof ANSWER> {}
export interface TrustOptions extends TypeOf<typeof TRUST> {}

/** Opens the person's files for the person; a program that only reads and proposes takes `openBearings`. */
export function openPerson(options: BearingsOptions = {}) {
  const rooms = openRooms(options, 'openPerson');
  return {
    /** One proposal as a person should see it: its diff, whether it is stale, what contradicts it, and a like text that was declined. */
    showProposal: method('person.showProposal', { proposalId: needed(text) }, async (proposalId: string) =>
      (await rooms.gate()).showProposal(proposalId),
    ),

    /** Writes the person's decision on exactly what was shown. */
    decide: method(
      'person.decide',
      {
        shown: given<ShownProposal>({
          proposal: given<Proposal>({ proposal_id: text, content_sha256: text }),
          target: text,
        }),
        decision: needed(DECISION),
      },
      async (
        { proposal: { proposal_id, content_sha256, replaces }, target }: ShownProposal,
        decision: DecisionOptions,
      ) => (await rooms.gate()).decide({ proposal_id, content_sha256, target, replaces }, null, decision),
    ),

    /** What a decision needs beside the person's yes: nothing, their passphrase, or their authenticator. */
    confirmLevel: method('person.confirmLevel', {}, async () => (await rooms.gate()).confirmLevel()),

    /** Blocks of memory that no decision accounts for: somebody wrote them past the gate. Of a workspace, or of all. */
    unaccountedBlocks: method(
      'person.unaccountedBlocks',
      { options: IN_WORKSPACE },
      async (options: WorkspaceOptions = {}) =>
        (await rooms.gate()).unaccountedBlocks(options.workspace === undefined ? 'all' : { id: options.workspace }),
    ),

    /** Accounts for a block as the person's own. */
    adoptBlock: method(
      'person.adoptBlock',
      { shown: SHOWN_BLOCK, edit: EDITED },
      async (shown: UnaccountedBlock, edit: EditOptions) => (await rooms.gate()).adoptBlock(shown, edit),
    ),

    /** Accounts for every block of a workspace, or of all, as the person's own; returns how many. */
    adoptAll: method('person.adoptAll', { edit: needed(ADOPT_ALL) }, async (edit: EditOptions & WorkspaceOptions) =>
      (await rooms.gate()).adoptAll(edit.workspace === undefined ? 'all' : { id: edit.workspace }, edit),
    ),

    /** Takes a block out of its file. */
    removeBlock: method(
      'person.removeBlock',
      { shown: SHOWN_BLOCK, edit: EDITED },
      async (shown: UnaccountedBlock, edit: EditOptions) => (await rooms.gate()).takeOutBlock(shown, edit),
    ),

    /** Blocks to review again: the code they cite has changed, or their date has come. Of a workspace, or of all. */
    dueBlocks: method('person.dueBlocks', { options: IN_WORKSPACE }, async (options: WorkspaceOptions = {}) =>
      (await rooms.gate()).dueBlocks(options.workspace === undefined ? 'all' : { id: options.workspace }),
    ),

    /** The text as it was before a decision; without a name, before the last one. */
    showUndo: method('person.showUndo', { decision: text }, async (decision?: string) =>
      (await rooms.gate()).showUndo(decision),
    ),

    /** Writes the earlier text that was shown, as a decision of its own. */
    goBack: method(
      'person.goBack',
      {
        shown: given<ShownEarlier>({ kind: text, file: text, decision: oneOf('undo', 'restore'), after: text }),
        edit: EDITED,
      },
      async (shown: ShownEarlier, edit: EditOptions) => (await rooms.gate()).goBack(shown, edit),
    ),

    /** A text with every place and copy of it, and what can't be reached. */
    showErasure: method('person.showErasure', { text: needed(text) }, async (text: string) =>
      (await rooms.gate()).showErasure(text),
    ),

    /** Deletes a text for good, with every copy that is ours. */
    erase: method(
      'person.erase',
      { shown: given<ShownErasure>({ text, sha256: text }), edit: EDITED },
      async (shown: ShownErasure, edit: EditOptions) => (await rooms.gate()).erase(shown, edit),
    ),

    /** Makes a workspace: in the home by its id, or in the repository that `cwd` is in. */
    createWorkspace: method(
      'person.createWorkspace',
      { options: CREATE },
      async (options: { id?: string; here?: boolean } = {}) => (await rooms.workspaces()).createWorkspace(options),
    ),

    /** The adapters of a project that run only with the person's word, and whether it was given. */
    trustQuestions: method('person.trustQuestions', { options: TRUST }, async (options: TrustOptions = {}) =>
      (await rooms.adapters()).trustQuestions(undefined, { dir: options.project, policy: options.policy }),
    ),

    /** Lets an adapter run, exactly as it was shown. */
    allowAdapter: method(
      'person.allowAdapter',
      { shown: given<TrustAnswer>({ sha256: text, project: text, adapter: objectOf() }), options: PROOF_OPTIONS },
      async (shown: TrustAnswer, options: ProofOptions = {}) => (await rooms.adapters()).allowAdapter(shown, options),
    ),

    /** Runs that wait for the person, with what they ask. */
    waitingRuns: method('person.waitingRuns', {}, async () => (await rooms.runs()).waitingRuns()),

    /** The person's word on what a run asks; it goes on with `tasks.resume`. */
    answerRun: method(
      'person.answerRun',
      { id: needed(text), answer: needed(ANSWER) },
      async (id: string, answer: AnswerOptions) => (await rooms.runs()).answerRun(id, answer),
    ),
  };
}
