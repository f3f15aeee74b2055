import type { ShownProposal } from '../../bearings.ts';
import { typedName } from '../../closest.ts';
import { BearingsError } from '../../errors.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { type Proposal, type Shown, saidBy, shownOf } from '../../gate/proposals/proposal.ts';
import { groupedBySession } from '../../gate/proposals/session-groups.ts';
import { counted } from '../views/columns.ts';
import { type ProposalView, proposalView } from '../views/proposal-view.ts';
import { askUntil, attempt, type Conversation, choose, editedText, type Target } from './conversation.ts';
import { undoLast } from './go-back.ts';
import { reviewGroup } from './group.ts';
import { otherKinds, reviewClients, reviewOthers } from './others.ts';

const NOTES = [
  'q   leaves the rest for later; Ctrl-C does the same',
  '',
  'space and b turn the pages of a long text; a yes counts once its end was shown.',
  'A key counts after a short pause: one that is held down decides nothing twice.',
];

interface Seen {
  shown: Shown;
  proposal: Proposal;
  line: number | null;
  until: string | null;
  /** The line whose place it takes. */
  replaces: string | undefined;
}

/** What goes from one proposal to the next. */
interface Sitting {
  target: Target;
  skipped: Seen[];
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
  const sitting: Sitting = { target, skipped: [], ...(await countOthers(conversation, target)) };
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
      if (!(await reviewOne(conversation, proposal.proposal_id, { place, sitting }))) return false;
    }
  }
  return true;
}

async function countOthers(conversation: Conversation, target: Target): Promise<Pick<Sitting, 'others' | 'byClients'>> {
  const kinds = await otherKinds(conversation, target);
  return {
    others: kinds.reduce((sum, { count }) => sum + count, 0),
    byClients: kinds.find(({ review }) => review === reviewClients)?.count ?? 0,
  };
}

async function reviewOne(
  conversation: Conversation,
  proposalId: string,
  { place, sitting }: { place: NonNullable<ProposalView['place']>; sitting: Sitting },
): Promise<boolean> {
  const { bearings, terminal, screen } = conversation;
  const gate = await bearings.gate();
  const shown = await gate.showProposal(proposalId).catch((error: unknown) => {
    if (error instanceof BearingsError && error.code === 'not_found') return null;
    throw error;
  });
  if (!shown) return true;
  const { skipped } = sitting;
  const contradicted = contradictedLine(shown);
  let edited: string | undefined;
  let until = shown.proposal.until ?? null;
  let replaces: string | undefined;
  let sawEnd = false;
  for (;;) {
    const { until: _, ...proposal } = shown.proposal;
    const dated = { ...shown, proposal: until === null ? proposal : { ...proposal, until } };
    const replacing = replaces === undefined || !contradicted ? dated : inPlaceOf(dated, contradicted);
    const view = edited === undefined ? replacing : withText(replacing, edited);
    const seen: Seen = {
      shown: shownOf(shown.proposal),
      proposal: shown.proposal,
      line: lineOf(view),
      until,
      replaces,
    };
    const lines = (columns: number) => {
      const options = { columns, now: new Date(), paint: terminal.paint, place };
      const note = edited === undefined ? [] : ['', terminal.paint('yellow', '  as you edited it')];
      const clients = counted(sitting.byClients, 'decision');
      const line = `${clients} since you last looked came through a client's own question: o`;
      const head = sitting.byClients > 0 ? [terminal.paint('dim', line), ''] : [];
      return [...head, ...proposalView(view, options).split('\n'), ...note];
    };
    const replaceable = replaces === undefined ? contradicted?.line : undefined;
    const choices = choicesFor(replaceable, sitting.others);
    const onEnd = () => {
      sawEnd = true;
    };
    const key = await choose(conversation, { lines, choices, notes: NOTES }, { yes: 'aA', onEnd });
    if (key === 'q' || key === 's') await gate.markShown(proposalId, 'review');
    if (key === 'q') return false;
    if (key === 's') {
      // What was not shown to its end is not among "all shown".
      if (sawEnd) skipped.push(seen);
      return true;
    }
    if (key === 'r') {
      sawEnd = false;
      replaces = contradicted?.text;
      continue;
    }
    if (key === 'u' || key === 'o') {
      if (key === 'u') await undoLast(conversation);
      else if (!(await reviewOthers(conversation, sitting.target))) return false;
      Object.assign(sitting, await countOthers(conversation, sitting.target));
      // What is around it may be another text now.
      return reviewOne(conversation, proposalId, { place, sitting });
    }
    if (key === 'e') {
      sawEnd = false;
      edited = (await editedText(conversation, edited ?? shown.proposal.content)) ?? edited;
      continue;
    }
    if (key === 't') {
      sawEnd = false;
      until = (await askUntil(conversation)) || until;
      continue;
    }
    if (key === 'A') {
      const all = [...skipped, seen];
      if (all.length > 1 && !(await areAllMeant(conversation, all))) continue;
      for (const each of all) await decide(conversation, each, 'accept', each === seen ? { edited } : {});
      skipped.length = 0;
      return true;
    }
    const reason = key === 'd' ? await screen.line('why (optional)', (typed) => typed.trim()) : undefined;
    if (reason === null) continue;
    const more = { edited, reason: reason || undefined };
    const outcome = await decide(conversation, seen, key === 'a' ? 'accept' : 'decline', more);
    // An edit that was refused can be corrected; a disk that was full may be free again.
    if (outcome === 'done' || (outcome.code !== 'io_error' && outcome.code !== 'invalid_input')) return true;
  }
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
    '[A]ll': 'accepts this one and those you were shown and skipped',
    '[t] until': 'when to review it again: a date, or 90d, 6 months, 1y',
    '[u]ndo': 'shows your last decision as it would be taken back, and asks',
    ...(others > 0 && { [`[o]ther (${others})`]: 'everything else that waits, in one list' }),
  };
}

function decide(
  conversation: Conversation,
  { shown, proposal, line, until, replaces }: Seen,
  decision: 'accept' | 'decline',
  { edited, reason }: { edited?: string | undefined; reason?: string | undefined },
) {
  const { bearings, passphrase } = conversation;
  const editedContent = decision === 'accept' ? edited : undefined;
  return attempt(conversation, async () => {
    const said = { decision, editedContent, reason, until, ...(decision === 'accept' ? { replaces } : {}) };
    const given = { ...said, via: 'review', client: 'command line', passphrase } as const;
    const decided = await (await bearings.gate()).decide(shown, null, given);
    const file = proposal.kind === 'taste' ? `tastes/${proposal.file}` : proposal.file;
    const where = decided.status === 'accepted' && line !== null ? `${file} line ${line}` : decided.target;
    // By its name: the person may be in any folder.
    const whose = proposal.image_id === null ? '' : ` ${typedName(proposal.image_id)}`;
    const next = decision === 'accept' ? `bearings why ${file}${whose}` : 'bearings verify';
    return `${decided.status.replace('_', ' ')} · ${where} · ledger ${decided.ledger} · ${next}`;
  });
}

async function areAllMeant({ screen }: Conversation, all: readonly Seen[]): Promise<boolean> {
  const key = await screen.choose({
    lines: () => [
      `Accept all ${all.length} that you were shown?`,
      '',
      ...all.map(({ shown, proposal }) => `  ${shown.target}: ${firstLine(saidBy(proposal))}`),
    ],
    keys: '[y]es, all of them  [n]o, go back',
    yes: 'y',
    help: ['y   accepts each exactly as it was shown', 'n   goes back to the last one'],
  });
  return key === 'y';
}

function withText(shown: ShownProposal, text: string): ShownProposal {
  const at = shown.diff.findIndex(({ mark }) => mark === '+');
  const first = shown.diff[at]?.number ?? null;
  const added = text.split('\n').map((line, index) => ({
    mark: '+' as const,
    number: first === null ? null : first + index,
    text: line,
  }));
  const around = shown.diff.filter(({ mark }) => mark !== '+');
  return { ...shown, diff: [...around.slice(0, at), ...added, ...around.slice(at)] };
}

/** The line of the same file that it may contradict, where it takes no other place yet. */
function contradictedLine({ proposal, contradicts }: ShownProposal) {
  const file = proposal.kind === 'taste' ? `tastes/${proposal.file}` : proposal.file;
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

function firstLine(text: string): string {
  return JSON.stringify(withoutOuterBlankLines(text).split('\n')[0] ?? '').slice(1, -1);
}
