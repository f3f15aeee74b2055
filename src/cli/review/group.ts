import { BearingsError, invalidInput } from '../../errors.ts';
import { type Proposal, shownOf } from '../../gate/proposals/proposal.ts';
import { whyOf } from '../../gate/proposals/session-groups.ts';
import type { ShownProposal } from '../../gate/propose.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf, counted, wrapTo } from '../views/columns.ts';
import { askReason, type Conversation, choose } from './conversation.ts';

const CHOICES = {
  '[A]ccept all': 'accepts each exactly as it is shown',
  '[x] all but some': 'the same, but for the numbers you type: those come one by one',
  '[o]ne by one': 'shows each by itself, in its surroundings',
  '[D]ecline all': 'declines all of them for good, with a reason if you like',
  '[s]kip': 'leaves all of them for later',
};
const NOTES = [
  '',
  'space and b turn the pages: a yes to all counts once the last one was shown.',
  'What may contradict your memory, is a rule, or is long, is not among them: it comes by itself.',
];

/** What is left to be decided one by one; null: the person leaves. */
export async function reviewGroup(conversation: Conversation, group: readonly Proposal[]): Promise<Proposal[] | null> {
  const { bearings, screen, terminal } = conversation;
  const { lines, others } = await (await bearings.gate()).sessionList(group);
  if (lines.length === 0) return [...group];
  const listed = lines.map(({ proposal }) => proposal);
  let sawEnd = false;
  for (;;) {
    const key = await choose(conversation, () => ({
      lines: (columns) => groupView(lines, { group, others: others.length, columns, paint: terminal.paint }),
      choices: CHOICES,
      notes: NOTES,
      yes: 'AxD',
      onEnd: () => {
        sawEnd = true;
      },
    }));
    if ((key === 's' || key === 'q') && sawEnd)
      for (const { proposal_id } of listed) await (await bearings.gate()).markShown(proposal_id, 'review');
    if (key === 'q') return null;
    if (key === 's') return others;
    if (key === 'o') return [...group];
    if (key === 'D') {
      const reason = await askReason(conversation);
      if (reason === null) continue;
      const said = { decision: 'decline', reason: reason || undefined } as const;
      return [...(await decideAll(conversation, listed, said)), ...others];
    }
    const left =
      key === 'x'
        ? await screen.line('which not, for example 3 7-9', (typed) => numbersIn(typed, lines.length))
        : new Set<number>();
    if (left === null || (key === 'x' && left.size === 0)) continue;
    const isLeft = (_: Proposal, index: number) => left.has(index + 1);
    const meant = listed.filter((proposal, index) => !isLeft(proposal, index));
    return [...(await decideAll(conversation, meant, { decision: 'accept' })), ...listed.filter(isLeft), ...others];
  }
}

/** What stays undecided: the first that can't be decided ends it. */
async function decideAll(
  { bearings, screen, terminal, passphrase }: Conversation,
  proposals: readonly Proposal[],
  said: { decision: 'accept' | 'decline'; reason?: string | undefined },
): Promise<Proposal[]> {
  const soFar = (count: number) =>
    `${said.decision === 'accept' ? 'accepted' : 'declined'} ${counted(count, 'proposal')}`;
  for (const [index, proposal] of proposals.entries()) {
    const until = said.decision === 'accept' ? proposal.until : undefined;
    try {
      const given = { ...said, until, via: 'review', client: 'command line', passphrase } as const;
      await (await bearings.gate()).decide(shownOf(proposal), null, given);
    } catch (error) {
      if (!(error instanceof BearingsError) || error.data.passphrase === 'wrong') throw error;
      screen.say(terminal.paint('red', `${soFar(index)}; the rest comes one by one. ${error.message}`));
      return proposals.slice(index);
    }
  }
  screen.say(`${soFar(proposals.length)} · bearings verify`);
  return [];
}

function numbersIn(typed: string, most: number): Set<number> {
  const words = typed.split(/[\s,]+/).filter(Boolean);
  const found = new Set<number>();
  for (const word of words) {
    const [, from = '', to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(word) ?? [];
    if (from === '' || Number(to) > most || Number(from) < 1 || Number(from) > Number(to))
      throw invalidInput(`"${showHidden(word.slice(0, 20))}" is not a number from 1 to ${most}.`, 'For example: 3 7-9');
    for (let number = Number(from); number <= Number(to); number += 1) found.add(number);
  }
  return found;
}

interface GroupView {
  group: readonly Proposal[];
  others: number;
  columns: number;
  paint: Conversation['terminal']['paint'];
}

function groupView(lines: readonly ShownProposal[], { group, others, columns, paint }: GroupView): string[] {
  const width = Math.min(columns, 100);
  const [first] = group;
  const place = first?.image_id ? ` in ${showHidden(first.image_id)}` : '';
  const head = `${counted(group.length, 'proposal')} of one session · ${showHidden(first?.client ?? '')}${place} · ${ageOf(first?.created_at ?? '', new Date())}`;
  const [come, are] =
    others === 1 ? ['comes by itself: it', 'is a rule, or is'] : ['come by themselves: they', 'are rules, or are'];
  const note = others === 0 ? [] : wrapTo(`${others} more ${come} may contradict your memory, ${are} long.`, width);
  return [
    ...wrapTo(head, width).map((line) => paint('bold', line)),
    ...note,
    ...lines.flatMap((line, index) => lineView(line, { number: index + 1, width, paint })),
  ];
}

function lineView(
  { proposal, where }: ShownProposal,
  { number, width, paint }: { number: number; width: number; paint: Conversation['terminal']['paint'] },
): string[] {
  const indent = ' '.repeat(6);
  const until = proposal.until ? ` · to review again on ${proposal.until}` : '';
  const head = `${showHidden(where)} · ${showHidden(whyOf(proposal))}${until}`;
  const rows = proposal.content.trim().split('\n');
  return [
    '',
    ...wrapTo(head, width - 6).map((line, row) =>
      paint('dim', `${row === 0 ? `${String(number).padStart(4)}  ` : indent}${line}`),
    ),
    ...rows
      .flatMap((line) => wrapTo(showHidden(line), width - 8))
      .map((line) => paint('green', `${indent}+ ${line}`.trimEnd())),
  ];
}
