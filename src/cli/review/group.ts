import { BearingsError, invalidInput } from '../../errors.ts';
import { type ListedProposal, type SessionList, sessionList, whyOf } from '../../gate/proposal-groups.ts';
import { type Proposal, shownOf } from '../../gate/proposals/proposal.ts';
import { decisionsOf, type ListDecision } from '../../gate/proposals/session-groups.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf, counted, wrapTo } from '../views/columns.ts';
import { type Conversation, choose } from './conversation.ts';

const CHOICES = {
  '[A]ccept all': 'accepts each exactly as it is shown; near repeats listed below another are declined',
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
  const list = await sessionList(group, async (id) => (await bearings.gate()).showProposal(id));
  if (list === null) return [...group];
  const { lines, others } = list;
  const listed = lines.map(({ proposal, repeats }) => ({ own: proposal, repeats }));
  let sawEnd = false;
  for (;;) {
    const question = {
      lines: (columns: number) => groupView(list, { group, columns, paint: terminal.paint }),
      choices: CHOICES,
      notes: NOTES,
    };
    const onEnd = () => {
      sawEnd = true;
    };
    const key = await choose(conversation, question, { yes: 'AxD', onEnd });
    if ((key === 's' || key === 'q') && sawEnd)
      for (const { proposal_id } of listed.flatMap(({ own, repeats }) => [own, ...repeats]))
        await (await bearings.gate()).markShown(proposal_id, 'review');
    if (key === 'q') return null;
    if (key === 's') return others;
    if (key === 'o') return [...group];
    if (key === 'D') {
      const reason = await screen.line('why (optional)', (typed) => typed.trim());
      if (reason === null) continue;
      const said = { decision: 'decline', reason: reason || undefined } as const;
      return [...(await decideAll(conversation, decisionsOf(listed, said))), ...others];
    }
    const left =
      key === 'x'
        ? await screen.line('which not, for example 3 7-9', (typed) => numbersIn(typed, lines.length))
        : new Set<number>();
    if (left === null || (key === 'x' && left.size === 0)) continue;
    const leftOut = new Set([...left].map((number) => number - 1));
    const undecided = await decideAll(conversation, decisionsOf(listed, { decision: 'accept', leftOut }));
    const rest = listed.filter((_, index) => leftOut.has(index)).flatMap((line) => [line.own, ...line.repeats]);
    return [...undecided, ...rest, ...others];
  }
}

/** What stays undecided: the first that can't be decided ends it, since a near repeat may go only where what it repeats was taken. */
async function decideAll(
  { bearings, screen, terminal, passphrase }: Conversation,
  decisions: readonly ListDecision<Proposal>[],
): Promise<Proposal[]> {
  const count = { accept: 0, decline: 0 };
  const soFar = () =>
    Object.entries({ accepted: count.accept, declined: count.decline })
      .filter(([word, some]) => some > 0 || (word === 'accepted' && count.decline === 0))
      .map(([word, some]) => `${word} ${counted(some, 'proposal')}`)
      .join(', ');
  for (const [index, { of: proposal, decision, reason }] of decisions.entries()) {
    const said = { decision, reason, until: decision === 'accept' ? proposal.until : undefined };
    try {
      await (await bearings.gate()).decide(shownOf(proposal), null, {
        ...said,
        via: 'review',
        client: 'command line',
        passphrase,
      });
      count[decision] += 1;
    } catch (error) {
      if (!(error instanceof BearingsError) || error.data.passphrase === 'wrong') throw error;
      screen.say(terminal.paint('red', `${soFar()}; the rest comes one by one. ${error.message}`));
      return decisions.slice(index).map(({ of }) => of);
    }
  }
  screen.say(`${soFar()} · bearings verify`);
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

function groupView(
  { lines, others, minutes }: SessionList,
  { group, columns, paint }: { group: readonly Proposal[]; columns: number; paint: Conversation['terminal']['paint'] },
): string[] {
  const width = Math.min(columns, 100);
  const [first] = group;
  const repeats = lines.reduce((sum, line) => sum + line.repeats.length, 0);
  const place = first?.image_id ? ` in ${showHidden(first.image_id)}` : '';
  const head = `${counted(group.length, 'proposal')} of one session · ${showHidden(first?.client ?? '')}${place} · ${ageOf(first?.created_at ?? '', new Date())} · about ${minutes} min`;
  const notes = [
    repeats > 0
      ? `${counted(repeats, 'near repeat')} ${repeats === 1 ? 'is' : 'are'} listed below what ${repeats === 1 ? 'it repeats' : 'they repeat'}.`
      : '',
    others.length === 1 ? '1 more comes by itself: it may contradict your memory, is a rule, or is long.' : '',
    others.length > 1
      ? `${others.length} more come by themselves: they may contradict your memory, are rules, or are long.`
      : '',
  ].filter(Boolean);
  return [
    ...wrapTo(head, width).map((line) => paint('bold', line)),
    ...notes.flatMap((note) => wrapTo(note, width)),
    ...lines.flatMap((line, index) => lineView(line, { number: index + 1, width, paint })),
  ];
}

function lineView(
  listed: ListedProposal,
  { number, width, paint }: { number: number; width: number; paint: Conversation['terminal']['paint'] },
): string[] {
  const { proposal, where, repeats } = listed;
  const indent = ' '.repeat(6);
  const text = (said: string, mark: string) =>
    said
      .trim()
      .split('\n')
      .flatMap((line) => wrapTo(showHidden(line), width - 8).map((part) => `${indent}${mark} ${part}`.trimEnd()));
  const until = proposal.until ? ` · to review again on ${proposal.until}` : '';
  const head = `${showHidden(where)} · ${showHidden(whyOf(listed))}${until}`;
  return [
    '',
    ...wrapTo(head, width - 6).map((line, row) =>
      paint('dim', `${row === 0 ? `${String(number).padStart(4)}  ` : indent}${line}`),
    ),
    ...text(proposal.content, '+').map((line) => paint('green', line)),
    ...repeats.flatMap((repeat) => [`${indent}nearly the same:`, ...text(repeat.content, '≈')]),
  ];
}
