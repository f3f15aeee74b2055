import { typedName } from '../../closest.ts';
import { BearingsError } from '../../errors.ts';
import { type Proposal, shownFile, shownOf } from '../../gate/proposals/proposal.ts';
import { withText } from '../../gate/proposals/proposal-diff.ts';
import { groupedBySession } from '../../gate/proposals/session-groups.ts';
import type { ShownProposal } from '../../gate/propose.ts';
import { counted } from '../views/columns.ts';
import { type ProposalView, proposalView } from '../views/proposal-view.ts';
import { askReason, askUntil, type Conversation, choose, editedText, type Target } from './conversation.ts';
import { undoLast } from './go-back.ts';
import { reviewGroup } from './group.ts';
import { otherKinds, reviewOthers } from './others.ts';

const NOTES = [
  'q   leaves the rest for later; Ctrl-C does the same',
  '',
  'space and b turn the pages of a long text; a yes counts once its end was shown.',
  'A key counts after a short pause: one that is held down decides nothing twice.',
];

/** What goes from one proposal to the next. */
interface Sitting {
  /** Beside the proposals, and how many of it were decided through a client's own question. */
  others: number;
  byClients: number;
}

/** Those of the workspace that the person is in first. */
export async function reviewProposals(conversation: Conversation, target: Target): Promise<boolean> {
  const { bearings } = conversation;
  const all = await (await bearings.gate()).listProposals(target);
  const { workspaceId } = await bearings.memory();
  const here = target === 'all' ? await workspaceId({}).catch(() => null) : null;
  const isHere = ({ image_id }: Proposal) => image_id !== null && image_id === here;
  const waiting = groupedBySession([...all.filter(isHere), ...all.filter((proposal) => !isHere(proposal))]);
  let sitting = await sittingOf(conversation, target);
  let index = 0;
  for (let from = 0; from < waiting.length; ) {
    const group = waiting.slice(from, from + (waiting[from]?.group.total ?? 1));
    from += group.length;
    const single = await reviewGroup(
      conversation,
      group.map(({ proposal }) => proposal),
    );
    if (single === null) return false;
    index += group.length - single.length;
    const own = new Set(single.map(({ proposal_id }) => proposal_id));
    for (const { proposal, group: within } of group) {
      if (!own.has(proposal.proposal_id)) continue;
      index += 1;
      const place = { index, total: waiting.length, group: within };
      for (;;) {
        const key = await reviewOne(conversation, proposal.proposal_id, { place, sitting });
        if (key === 'q' || (key === 'o' && !(await reviewOthers(conversation, target)))) return false;
        if (key === 'u') await undoLast(conversation);
        if (key !== 'u' && key !== 'o') break;
        // What is around it may be another text now.
        sitting = await sittingOf(conversation, target);
      }
    }
  }
  return true;
}

async function sittingOf(conversation: Conversation, target: Target): Promise<Sitting> {
  const kinds = await otherKinds(conversation, target);
  return {
    others: kinds.reduce((sum, { count }) => sum + count, 0),
    byClients: kinds.find(({ type }) => type === 'clients')?.count ?? 0,
  };
}

// The key that the person pressed last.
async function reviewOne(
  conversation: Conversation,
  proposalId: string,
  { place, sitting }: { place: NonNullable<ProposalView['place']>; sitting: Sitting },
): Promise<string> {
  const { bearings, terminal, passphrase } = conversation;
  const gate = await bearings.gate();
  const shown = await gate.showProposal(proposalId).catch((error: unknown) => {
    if (error instanceof BearingsError && error.code === 'not_found') return null;
    throw error;
  });
  if (!shown) return 's';
  const { proposal } = shown;
  const contradicted = contradictedLine(shown);
  let edited: string | undefined;
  let until = proposal.until ?? null;
  let isReplacing = false;
  const asDecided = (): ShownProposal => {
    const { until: _, ...undated } = proposal;
    const dated = { ...shown, proposal: until === null ? undated : { ...undated, until } };
    const replacing = isReplacing && contradicted ? inPlaceOf(dated, contradicted) : dated;
    return edited === undefined ? replacing : { ...replacing, diff: withText(replacing.diff, edited) };
  };
  const decide = async (
    decision: 'accept' | 'decline',
    more: { reason?: string | undefined; editedContent?: string | undefined; replaces?: string | undefined },
  ) => {
    const line = lineOf(asDecided());
    const given = { decision, until, via: 'review', client: 'command line', passphrase, ...more } as const;
    const decided = await gate.decide(shownOf(proposal), null, given);
    const file = shownFile(proposal);
    const where = decided.status === 'accepted' && line !== null ? `${file} line ${line}` : decided.target;
    // By its name: the person may be in any folder.
    const whose = proposal.image_id === null ? '' : ` ${typedName(proposal.image_id)}`;
    const next = decision === 'accept' ? `bearings why ${file}${whose}` : 'bearings verify';
    return `${decided.status.replace('_', ' ')} · ${where} · ledger ${decided.ledger} · ${next}`;
  };
  const key = await choose(conversation, () => ({
    lines: (columns) => {
      const note = edited === undefined ? [] : ['', terminal.paint('yellow', '  as you edited it')];
      const clients = `${counted(sitting.byClients, 'decision')} since you last looked came through a client's own question: o`;
      const head = sitting.byClients > 0 ? [terminal.paint('dim', clients), ''] : [];
      const view = proposalView(asDecided(), { columns, now: new Date(), paint: terminal.paint, place });
      return [...head, ...view.split('\n'), ...note];
    },
    choices: choicesFor(isReplacing ? undefined : contradicted?.line, sitting.others),
    notes: NOTES,
    yes: 'a',
    acts: {
      a: () => decide('accept', { editedContent: edited, replaces: isReplacing ? contradicted?.text : undefined }),
      async r() {
        isReplacing = true;
        return null;
      },
      async e() {
        edited = (await editedText(conversation, edited ?? proposal.content)) ?? edited;
        return null;
      },
      async d() {
        const reason = await askReason(conversation);
        return reason === null ? null : decide('decline', { reason: reason || undefined });
      },
      async t() {
        until = (await askUntil(conversation)) || until;
        return null;
      },
    },
  }));
  if (key === 'q' || key === 's') await gate.markShown(proposalId, 'review');
  return key;
}

function choicesFor(line: number | undefined, others: number): Record<string, string> {
  return {
    '[a]ccept': 'writes exactly what is shown',
    ...(line !== undefined && {
      [`[r]eplace line ${line}`]: 'takes the place of the line that it contradicts; you see it before you accept it',
    }),
    '[e]dit': 'opens it in your editor; you see the result before you accept it',
    '[d]ecline': 'declines it for good, with a reason if you like',
    '[s]kip': 'leaves it for later',
    '[t] until': 'when to review it again: a date, or 90d, 6 months, 1y',
    '[u]ndo': 'shows your last decision as it would be taken back, and asks',
    ...(others > 0 && { [`[o]ther (${others})`]: 'everything else that waits, in one list' }),
  };
}

/** The line of the same file that it may contradict, where it takes no other place yet. */
function contradictedLine({ proposal, contradicts }: ShownProposal) {
  const file = shownFile(proposal);
  if (proposal.replaces !== null || proposal.content === '') return undefined;
  return contradicts.find(({ place }) => place === file);
}

function inPlaceOf(shown: ShownProposal, { line, text }: { line: number; text: string }): ShownProposal {
  const added = shown.diff.filter(({ mark }) => mark === '+');
  const taken = { mark: '-' as const, number: line, text };
  const placed = added.map((each, index) => ({ ...each, number: line + index }));
  return { ...shown, diff: [taken, ...placed], contradicts: [] };
}

function lineOf({ diff }: ShownProposal): number | null {
  return diff.find(({ mark }) => mark === '+')?.number ?? null;
}
