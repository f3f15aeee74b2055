import type { ShownProposal } from '../../bearings.ts';
import { BearingsError } from '../../errors.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { type Proposal, type Shown, saidBy, shownOf } from '../../gate/proposals/proposal.ts';
import { groupedBySession } from '../../gate/proposals/session-groups.ts';
import { typedName } from '../../typed-name.ts';
import { type ProposalView, proposalView } from '../views/proposal-view.ts';
import { askUntil, attempt, type Conversation, type Step } from './conversation.ts';
import { editedText } from './edited-text.ts';
import { undoLast } from './go-back.ts';
import { reviewGroup } from './group.ts';

const KEYS = '[a]ccept  [e]dit  [d]ecline  [s]kip  [A]ll  [t] until  [u]ndo  [?] help  [q]uit';
const HELP = [
  'a   writes exactly what is shown',
  'e   opens it in your editor; you see the result before you accept it',
  'd   declines it for good, with a reason if you like',
  's   leaves it for later',
  't   when to review it again: a date, or 90d, 6 months, 1y',
  'A   accepts this one and those you were shown and skipped',
  'u   shows your last decision as it would be taken back, and asks',
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
}

export const reviewProposals: Step = async (conversation, target) => {
  const { bearings } = conversation;
  const waiting = groupedBySession(await (await bearings.gate()).listProposals(target));
  const skipped: Seen[] = [];
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
    const own = new Set(single);
    for (const { proposal, group: within } of group) {
      if (!own.has(proposal)) continue;
      index += 1;
      const place = { index, total: waiting.length, group: within };
      if (!(await reviewOne(conversation, proposal.proposal_id, { place, skipped }))) return false;
    }
  }
  return true;
};

async function reviewOne(
  conversation: Conversation,
  proposalId: string,
  { place, skipped }: { place: NonNullable<ProposalView['place']>; skipped: Seen[] },
): Promise<boolean> {
  const { bearings, terminal, screen } = conversation;
  const gate = await bearings.gate();
  const shown = await gate.showProposal(proposalId).catch((error: unknown) => {
    if (error instanceof BearingsError && error.code === 'not_found') return null;
    throw error;
  });
  if (!shown) return true;
  let edited: string | undefined;
  let until = shown.proposal.until ?? null;
  let sawEnd = false;
  for (;;) {
    const { until: _, ...proposal } = shown.proposal;
    const dated = { ...shown, proposal: until === null ? proposal : { ...proposal, until } };
    const view = edited === undefined ? dated : withText(dated, edited);
    const seen: Seen = { shown: shownOf(shown.proposal), proposal: shown.proposal, line: lineOf(view), until };
    const key = await screen.choose({
      lines: (columns) => {
        const options = { columns, now: new Date(), paint: terminal.paint, place };
        const note = edited === undefined ? [] : ['', terminal.paint('yellow', '  as you edited it')];
        return [...proposalView(view, options).split('\n'), ...note];
      },
      keys: KEYS,
      help: HELP,
      yes: 'aA',
      onEnd: () => {
        sawEnd = true;
      },
    });
    if (key === 'q' || key === 's') await gate.markShown(proposalId, 'review');
    if (key === 'q') return false;
    if (key === 's') {
      // What was not shown to its end is not among "all shown".
      if (sawEnd) skipped.push(seen);
      return true;
    }
    if (key === 'u') {
      await undoLast(conversation);
      // What is around it may be another text now.
      return reviewOne(conversation, proposalId, { place, skipped });
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

function decide(
  conversation: Conversation,
  { shown, proposal, line, until }: Seen,
  decision: 'accept' | 'decline',
  { edited, reason }: { edited?: string | undefined; reason?: string | undefined },
) {
  const { bearings, passphrase } = conversation;
  const editedContent = decision === 'accept' ? edited : undefined;
  return attempt(conversation, async () => {
    const said = { decision, editedContent, reason, until };
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

function lineOf({ diff }: ShownProposal): number | null {
  return diff.find(({ mark }) => mark === '+')?.number ?? null;
}

function firstLine(text: string): string {
  return JSON.stringify(withoutOuterBlankLines(text).split('\n')[0] ?? '').slice(1, -1);
}
