import { BearingsError, conflict, invalidInput, ioError, notFound, tooMany } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { assertWritable } from '../files/lock.ts';
import { tasteFolder } from '../memory/io/memory-files.ts';
import { DISCARD_OP } from '../memory/read-context.ts';
import { scanned } from '../memory/read-memory.ts';
import { ruleNotes } from '../memory/rules.ts';
import { showHidden } from '../safety/hidden-characters.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { assertStaysInside, type Workspace } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { type DeclinedText, declinedTexts } from './accounting/go-back.ts';
import { besideMemory, declinedBefore, declinedLike, servedTastes } from './beside-memory.ts';
import type { Contradiction } from './contradictions/contradictions.ts';
import { ledgersOf, workspaceOf, workspacesOf } from './domains/accounted-files.ts';
import type { Domains } from './domains/domains.ts';
import { randomId } from './io/marks.ts';
import { inOrder, type PendingFolder, type StoredProposal } from './io/pending-folder.ts';
import { standings } from './io/read-standing.ts';
import { findBlock, normalised } from './ledger/text-blocks.ts';
import {
  assertNoSecret,
  type Draft,
  draftProposal,
  IMPORT_CLIENT,
  isForBrief,
  isRetirement,
  lookAgainDate,
  type Proposal,
  type ProposalInput,
  proposedPaths,
  saidBy,
  targetOf,
} from './proposals/proposal.ts';
import { diffText } from './proposals/proposal-diff.ts';
import { FEWEST_LISTED, groupedBySession } from './proposals/session-groups.ts';
import { appendRecord, recordFor, type Session, shownIn } from './sessions/sessions.ts';

export interface Proposed {
  /** `already_waiting`: the same text waits from before, under the id that is given; no second proposal is made. */
  status: 'pending' | 'already_waiting';
  proposal_id: string;
  target: string;
  content: string;
  diff: string;
  how_to_confirm: string;
  /** Lines of memory that likely say the opposite: for the person to settle. */
  contradicts?: Contradiction[];
}

export type ShownProposal = ReturnType<ReturnType<typeof shownBeside>>;

export interface AlreadyPresent {
  status: 'already_present';
  target: string;
}

/** The person said no to this very text: it does not come before them again. */
export interface DeclinedBefore {
  status: 'declined_before';
  target: string;
  declined_at: string;
  reason: string | null;
}

/** Waiting at once of one client in one workspace, and of all: more than that nobody reads. What a person imports is a group of its own. */
const MAX_OF_CLIENT = 50;
const MAX_WAITING = 200;
const HOW_TO_CONFIRM = 'The person decides: ask with the confirm tool, or the person runs `bearings review`.';

export function proposalUseCases(app: AppContext, domains: Domains) {
  const waitingNow = (settings: Settings, workspace: Workspace | null | 'all'): StoredProposal[] => {
    const stores = [null, ...workspacesOf(settings, workspace)].map((each) => domains.pendingOf(settings, each));
    const decided = decidedIds(app, settings, workspace);
    const waiting = inOrder(stores.flatMap(current)).filter(({ proposal }) => !decided.has(proposal.proposal_id));
    // Nor does a text that the person declined, under whatever id it is put there.
    const declined = waiting.length === 0 ? [] : declinedTexts(app, settings);
    return waiting.filter(({ proposal }) => !declinedBefore(declined, saidBy(proposal), targetOf(proposal)));
  };

  const settleIn = async (settings: Settings, workspace: Workspace | null | 'all'): Promise<void> => {
    const own = workspacesOf(settings, workspace).map((each) => domains.notes(settings, each));
    // One file that can't be repaired must not hide what waits elsewhere; deciding on that file says what is wrong.
    for (const domain of [domains.tastes(settings), ...own])
      await domains.settle(domain).catch((error: unknown) => {
        if (!(error instanceof BearingsError)) throw error;
      });
  };

  const pending = async (settings: Settings, workspace: Workspace | null | 'all'): Promise<StoredProposal[]> => {
    await settleIn(settings, workspace);
    return waitingNow(settings, workspace);
  };

  const findIn = async (settings: Settings, proposalId: string): Promise<StoredProposal> => {
    const stored = (await pending(settings, 'all')).find(({ proposal }) => proposal.proposal_id === proposalId);
    if (stored) return stored;
    throw unknownProposal(proposalId);
  };

  return {
    async propose(
      settings: Settings,
      session: Session,
      input: ProposalInput,
    ): Promise<Proposed | AlreadyPresent | DeclinedBefore> {
      await assertWritable();
      const draft = draftProposal(input);
      for (const field of ['content', 'reason', 'replaces', 'file'] as const) assertNoSecret(draft[field], field);
      const paths = proposedPaths(input);
      for (const path of paths ?? []) assertNoSecret(path, 'paths');
      const until = input.until === undefined ? undefined : lookAgainDate(input.until, app.now());
      const workspace = workspaceOf(settings, session.image_id);
      if (draft.kind === 'notes' && !workspace)
        throw invalidInput('Notes belong to a workspace.', 'Name one with image_id.');
      if (workspace && workspace.folder !== session.folder)
        throw conflict(`Two workspaces have the id "${workspace.id}".`, 'Rename one: bearings workspaces rename');
      if (isForBrief(draft) && settings.text('propose_brief') !== 'on')
        throw conflict(
          'The brief is the person’s: no proposals for it are taken here.',
          'Tell the person what you would change. They can allow it: bearings config set propose_brief on',
        );
      const image_id = workspace?.id ?? null;
      const target = targetOf({ ...draft, image_id });
      if (workspace) assertStaysInside(workspace, 'sessions');
      if (draft.kind === 'taste') tasteFolder(settings).assertOneSpelling(draft.file.slice(0, -3));
      const memory = besideMemory(workspace, servedTastes(settings));
      assertReplaceable(memory.textOf(draft), draft);
      if (memory.isRemembered(draft)) return { status: 'already_present', target };
      const declined = declinedBefore(declinedTexts(app, settings), saidBy(draft), target);
      if (declined) return { status: 'declined_before', target, declined_at: declined.at, reason: declined.reason };
      const described = async (status: Proposed['status'], proposal: Proposal): Promise<Proposed> => {
        const contradicts = memory.against(proposal);
        // The lines around it are the repository's own, and go to an agent.
        const diff = diffText(memory.diffOf(proposal));
        return {
          ...{ status, proposal_id: proposal.proposal_id, target, content: proposal.content },
          diff: workspace ? (await scanned(workspace, 'notes.md', diff)).text : diff,
          how_to_confirm: HOW_TO_CONFIRM,
          ...(contradicts.length > 0 ? { contradicts } : {}),
        };
      };
      const { session_id, client } = session;
      const wish = { ...draft, image_id, until, paths };
      const proposal: Proposal = {
        ...{ version: 1, proposal_id: `p_${randomId(8)}`, ...wish, content_sha256: sha256(draft.content) },
        ...{ session_id, client, created_at: app.now().toISOString(), supersedes: input.supersedes },
      };
      const store = domains.pendingOf(settings, workspace);
      const { lock } = workspace ? domains.notes(settings, workspace) : domains.tastes(settings);
      await settleIn(settings, 'all');
      // Two may propose at once: the same waits once, and the bound over all workspaces is counted under the lock that all of them take.
      const add = (): Proposal | undefined => {
        const waiting = client === IMPORT_CLIENT ? [] : waitingNow(settings, 'all');
        const same = waiting.find((other) => input.supersedes === undefined && isSameWish(other.proposal, wish));
        if (same) return same.proposal;
        assertRoom(waiting, proposal);
        try {
          store.add(session.session_id, proposal);
        } catch (error) {
          throw ioError("The proposal can't be stored", error);
        }
        return undefined;
      };
      const same = await lock.run(() => domains.home(settings).lock.run(add));
      if (same) {
        session.record({ type: 'note', text: `proposed what waits already: ${same.proposal_id}` });
        return described('already_waiting', same);
      }
      if (input.supersedes !== undefined) current(store);
      session.record({ type: 'proposal', proposal: { ...proposal } });
      return described('pending', proposal);
    },

    /** Pending proposals: of one workspace (with those for tastes made outside of any), or of all; where none is meant, the home's. */
    async listProposals(settings: Settings, target: TargetLike | 'all'): Promise<Proposal[]> {
      const stored = await pending(settings, target === 'all' ? 'all' : meantOrNone(settings, target));
      return groupedBySession(withinBounds(stored.map(({ proposal }) => proposal))).map(({ proposal }) => proposal);
    },

    async discardedProposals(settings: Settings): Promise<Proposal[]> {
      return domains.stores(settings).flatMap((store) => store.discarded().map(({ proposal }) => proposal));
    },

    async showProposal(settings: Settings, proposalId: string) {
      const { proposal } = await findIn(settings, proposalId);
      return shownBeside(settings, declinedTexts(app, settings))(proposal);
    },

    /** What of one session a person can judge on a list, and what comes by itself; with too few for one, no lines. */
    async sessionList(settings: Settings, group: readonly Proposal[]) {
      const waiting = new Set((await pending(settings, 'all')).map(({ proposal }) => proposal.proposal_id));
      const there = group.filter(({ proposal_id }) => waiting.has(proposal_id));
      const beside = shownBeside(settings, declinedTexts(app, settings));
      const lines = there.length < FEWEST_LISTED ? [] : there.map(beside).filter(isPlain);
      if (lines.length < 2) return { lines: [], others: there };
      const listed = new Set(lines.map(({ proposal }) => proposal));
      return { lines, others: there.filter((proposal) => !listed.has(proposal)) };
    },

    // The agent takes back what it proposed in this session; a client's name proves nothing.
    async withdrawProposal(settings: Settings, session: Session, proposalId: string): Promise<void> {
      await assertWritable();
      const stored = await findIn(settings, proposalId);
      if (stored.proposal.session_id !== session.session_id)
        throw conflict(
          'This proposal belongs to another session.',
          'Only that session can withdraw it. The person can decline it: bearings review',
        );
      const store = domains.pendingOf(settings, workspaceOf(settings, stored.proposal.image_id));
      // Under the lock: a decision that is just being written must not lose its proposal half way.
      const { lock } = domains.of(settings, stored.proposal);
      if (!(await lock.run(() => store.remove(stored)))) throw unknownProposal(proposalId);
      session.record({ type: 'withdrawn', proposal_id: proposalId });
    },

    async reviveProposal(settings: Settings, proposalId: string): Promise<Proposal> {
      for (const store of domains.stores(settings)) {
        const found = store.discarded().find(({ proposal }) => proposal.proposal_id === proposalId);
        if (!found) continue;
        store.revive(found);
        recordFor(app, settings, found.proposal, { type: 'revived', proposal_id: proposalId });
        return found.proposal;
      }
      throw notFound('No discarded proposal has this id.', 'See them: bearings review --list --discarded');
    },

    /** The person had it whole before them on a screen that could decide it: a clean end may set it aside now. */
    async markShown(settings: Settings, proposalId: string, via: 'review' | 'page' | 'elicitation'): Promise<void> {
      const stored = (await pending(settings, 'all')).find(({ proposal }) => proposal.proposal_id === proposalId);
      if (!stored) return;
      const { proposal_id, session_id, image_id } = stored.proposal;
      if (!shownIn(settings, session_id, image_id).has(proposal_id))
        recordFor(app, settings, stored.proposal, { type: 'shown', proposal_id, via });
    },

    // A clean end: what the person saw and did not decide goes aside, what nobody showed them waits on. Its text is in the transcript alone: the log is served.
    async endSession(settings: Settings, session: Session): Promise<string[]> {
      const workspace = workspaceOf(settings, session.image_id);
      if (settings.text('on_session_end') === 'keep') return [];
      const store = domains.pendingOf(settings, workspace);
      const shown = shownIn(settings, session.session_id, session.image_id);
      const own = (await pending(settings, workspace)).filter(
        ({ proposal }) => proposal.session_id === session.session_id && shown.has(proposal.proposal_id),
      );
      const discarded: string[] = [];
      for (const stored of own) {
        const { proposal_id, content, content_sha256 } = stored.proposal;
        const target = targetOf(stored.proposal);
        const { lock } = domains.of(settings, stored.proposal);
        if (!(await lock.run(() => store.discard(stored)))) continue;
        discarded.push(proposal_id);
        session.record({ type: 'discarded', proposal_id, content, target });
        const timestamp = app.now().toISOString();
        if (workspace)
          appendRecord(workspace, 'log.jsonl', { timestamp, op: DISCARD_OP, proposal_id, target, content_sha256 });
      }
      return discarded;
    },
  };
}

// What a later proposal of its session took the place of is gone, also where a crash left its file.
function current(store: PendingFolder): StoredProposal[] {
  const all = store.pending();
  const replaced = new Set(all.map(({ session, proposal }) => `${session} ${proposal.supersedes}`));
  const isReplaced = ({ session, proposal }: StoredProposal) => replaced.has(`${session} ${proposal.proposal_id}`);
  for (const stored of all) if (isReplaced(stored)) store.remove(stored);
  return all.filter((stored) => !isReplaced(stored));
}

const shownBeside = (settings: Settings, declined: readonly DeclinedText[]) => (proposal: Proposal) => {
  const memory = besideMemory(workspaceOf(settings, proposal.image_id), tasteFolder(settings));
  const [diff, target] = [memory.diffOf(proposal), targetOf(proposal)];
  const isStale = proposal.replaces !== null && !diff.some((line) => line.mark === '-');
  return {
    ...{ proposal, target, diff },
    /** The target as the person reads it: an older home's default taste is its `taste.md` (M3). */
    where: shownFile(settings, proposal),
    /** Stale: the block it would replace is gone. */
    state: isStale ? ('stale' as const) : ('fresh' as const),
    /** Lines of memory that likely say the opposite. */
    contradicts: memory.against(proposal),
    /** A text for the same file that the person declined, and that says nearly this. */
    declined: declinedLike(declined, saidBy(proposal), target),
  };
};

const MAX_LINES = 40;

// Short, and with nothing beside it that deserves a second look.
function isPlain({ state, contradicts, declined, proposal }: ShownProposal): boolean {
  const isShort = proposal.content.split('\n').length <= MAX_LINES;
  const isRule = ruleNotes(proposal.content).length > 0;
  return state === 'fresh' && contradicts.length === 0 && !declined && proposal.replaces === null && isShort && !isRule;
}

function shownFile(settings: Settings, proposal: Proposal): string {
  const isDefault = proposal.kind === 'taste' && proposal.file === '_default.md';
  const { name } = tasteFolder(settings).readDefault();
  return isDefault && name !== proposal.file ? name : targetOf(proposal);
}

export function unknownProposal(proposalId: string): BearingsError {
  const shown = JSON.stringify(showHidden([...proposalId].slice(0, 40).join('')));
  return notFound(
    `No pending proposal has the id ${shown}.`,
    'It may have been decided already. See what waits: bearings review --list (an agent: list_proposals)',
  );
}

// Over all its sessions: a new one is no new room. What a client calls itself proves nothing, so there is a bound for all too.
function assertRoom(waiting: readonly StoredProposal[], proposal: Proposal): void {
  const others = waiting.map((stored) => stored.proposal).filter(({ client }) => client !== IMPORT_CLIENT);
  if (withinBounds([...others, proposal]).includes(proposal)) return;
  const hint = 'Gather what belongs together into one proposal, or withdraw some.';
  throw tooMany(`${others.length} proposals wait for the person already.`, hint, { waiting: others.length });
}

// Files may be put there past `propose`: no more of them come before the person at once, the oldest first.
function withinBounds(waiting: readonly Proposal[]): Proposal[] {
  const counts = new Map<string, number>();
  let all = 0;
  return waiting.filter(({ client, image_id }) => {
    if (client === IMPORT_CLIENT) return true;
    const key = `${image_id} ${client}`;
    const own = (counts.get(key) ?? 0) + 1;
    if (own > MAX_OF_CLIENT || all === MAX_WAITING) return false;
    counts.set(key, own);
    all += 1;
    return true;
  });
}

type Wish = Pick<Proposal, 'kind' | 'file' | 'image_id' | 'content' | 'replaces' | 'until' | 'paths'>;

// Whoever proposed it, and whatever reason they gave: the person would be asked the same.
function isSameWish(a: Wish, b: Wish): boolean {
  const said = ({ kind, file, image_id, content, replaces, until, paths }: Wish) =>
    JSON.stringify([kind, file, image_id, normalised(content), replaces && normalised(replaces), until, paths]);
  return said(a) === said(b);
}

function assertReplaceable(text: string | null, draft: Draft): void {
  if (draft.replaces === null || (text !== null && findBlock(text, draft.replaces))) return;
  const field = isRetirement(draft) ? 'retires' : 'replaces';
  const wrong = `${field} must be a block that is exactly once in ${draft.file}.`;
  throw invalidInput(wrong, 'Copy its lines exactly as they are there.', { field });
}

// A file that is put back after the decision waits for nothing.
function decidedIds(app: AppContext, settings: Settings, workspace: Workspace | null | 'all'): Set<string | null> {
  const { of } = standings(app);
  const all = ledgersOf(settings, workspace).flatMap((location) => of(location).decisions.flat());
  return new Set(all.map(({ entry }) => entry.proposal_id));
}
