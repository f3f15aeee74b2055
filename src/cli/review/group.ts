import type { ShownProposal } from '../../bearings.ts';
import { BearingsError } from '../../errors.ts';
import { type Proposal, shownOf } from '../../gate/proposal.ts';
import { FEWEST_LISTED, type ListedProposal, listable, minutesFor, whyOf } from '../../gate/proposal-groups.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf } from '../views/age.ts';
import { counted, wrapTo } from '../views/columns.ts';
import type { Conversation } from './conversation.ts';

const KEYS = '[A]ccept all  [x] all but some  [o]ne by one  [D]ecline all  [s]kip  [?] help  [q]uit';
const HELP = [
  'A   accepts each exactly as it is shown; near repeats that stand below another are declined',
  'x   the same, but for the numbers you type: those come one by one',
  'o   shows each by itself, in its surroundings',
  'D   declines all of them for good, with a reason if you like',
  's   leaves all of them for later',
  '',
  'space and b turn the pages: a yes to all counts once the last one was shown.',
  'What may contradict your memory, or is long, is not among them: it comes by itself.',
];

/** What is left to be decided one by one; null: the person leaves. */
export async function reviewGroup(conversation: Conversation, group: readonly Proposal[]): Promise<Proposal[] | null> {
  if (group.length < FEWEST_LISTED) return [...group];
  const { bearings, screen, terminal } = conversation;
  const lines = await listed(conversation, group);
  if (lines.length < 2) return [...group];
  const inside = new Set(
    lines.flatMap(({ proposal, repeats }) => [proposal, ...repeats]).map((each) => each.proposal_id),
  );
  const others = group.filter(({ proposal_id }) => !inside.has(proposal_id));
  const all = [...lines.flatMap(({ proposal, repeats }) => [proposal, ...repeats])];
  let sawEnd = false;
  for (;;) {
    const key = await screen.choose({
      lines: (columns) => groupView(lines, { group, others: others.length, columns, paint: terminal.paint }),
      keys: KEYS,
      yes: 'AxD',
      help: HELP,
      onEnd: () => {
        sawEnd = true;
      },
    });
    if ((key === 's' || key === 'q') && sawEnd)
      for (const { proposal_id } of all) await bearings.internal.markShown(proposal_id, 'review');
    if (key === 'q') return null;
    if (key === 's') return others;
    if (key === 'o') return [...group];
    if (key === 'D') {
      const reason = await screen.line('why (optional)');
      if (reason === null) continue;
      await decideAll(conversation, all, { decision: 'decline', reason: reason.trim() || undefined });
      return others;
    }
    const left =
      key === 'x' ? numbersIn(await screen.line('which not, for example 3 7-9'), lines.length) : new Set<number>();
    if (left === null) continue;
    const chosen = lines.filter((_, index) => !left.has(index + 1));
    await decideAll(
      conversation,
      chosen.map(({ proposal }) => proposal),
      { decision: 'accept' },
    );
    const repeats = chosen.flatMap((line) => line.repeats);
    if (repeats.length > 0)
      await decideAll(conversation, repeats, {
        decision: 'decline',
        reason: 'nearly the same as another of its session',
      });
    const rest = new Set(
      lines.filter((_, index) => left.has(index + 1)).flatMap((line) => [line.proposal, ...line.repeats]),
    );
    return [...rest, ...others];
  }
}

async function listed({ bearings }: Conversation, group: readonly Proposal[]): Promise<ListedProposal[]> {
  const shown: ShownProposal[] = [];
  for (const { proposal_id } of group) {
    try {
      shown.push(await bearings.gate.showProposal(proposal_id));
    } catch (error) {
      // Decided elsewhere in the meantime.
      if (!(error instanceof BearingsError)) throw error;
    }
  }
  return listable(shown);
}

async function decideAll(
  { bearings, screen, terminal, passphrase }: Conversation,
  proposals: readonly Proposal[],
  { decision, reason }: { decision: 'accept' | 'decline'; reason?: string | undefined },
): Promise<void> {
  let done = 0;
  for (const proposal of proposals) {
    const said = { decision, reason, until: decision === 'accept' ? proposal.until : undefined };
    try {
      await bearings.gate.decide(shownOf(proposal), null, {
        ...said,
        via: 'review',
        client: 'command line',
        passphrase,
      });
      done += 1;
    } catch (error) {
      if (!(error instanceof BearingsError) || error.data.passphrase === 'wrong') throw error;
      screen.say(terminal.paint('red', `${error.message} ${error.hint ?? ''}`.trim()));
    }
  }
  screen.say(`${decision === 'accept' ? 'accepted' : 'declined'} ${counted(done, 'proposal')} · bearings verify`);
}

/** Null: the person changed her mind, or what she typed is no list. */
function numbersIn(typed: string | null, most: number): Set<number> | null {
  const words = typed?.split(/[\s,]+/).filter(Boolean) ?? [];
  const found = new Set<number>();
  for (const word of words) {
    const [, from = '', to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(word) ?? [];
    if (from === '' || Number(to) > most || Number(from) < 1) return null;
    for (let number = Number(from); number <= Number(to); number += 1) found.add(number);
  }
  return found.size === 0 ? null : found;
}

function groupView(
  lines: readonly ListedProposal[],
  {
    group,
    others,
    columns,
    paint,
  }: { group: readonly Proposal[]; others: number; columns: number; paint: Conversation['terminal']['paint'] },
): string[] {
  const width = Math.min(columns, 100);
  const [first] = group;
  const repeats = lines.reduce((sum, line) => sum + line.repeats.length, 0);
  const head = `${counted(group.length, 'proposal')} of one session · ${showHidden(first?.client ?? '')} · ${ageOf(first?.created_at ?? '', new Date())} · about ${minutesFor(group.map(({ content }) => content))} min`;
  const notes = [
    repeats > 0
      ? `${counted(repeats, 'near repeat')} ${repeats === 1 ? 'stands' : 'stand'} below what ${repeats === 1 ? 'it repeats' : 'they repeat'}.`
      : '',
    others > 0 ? `${others} more come by themselves: they may contradict your memory, or are long.` : '',
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
  const { proposal, target, repeats } = listed;
  const indent = ' '.repeat(6);
  const text = (said: string, mark: string) =>
    said
      .trim()
      .split('\n')
      .flatMap((line) => wrapTo(showHidden(line), width - 8).map((part) => `${indent}${mark} ${part}`.trimEnd()));
  const until = proposal.until ? ` · to look at again on ${proposal.until}` : '';
  const head = `${showHidden(target)} · ${showHidden(whyOf(listed))}${until}`;
  return [
    '',
    ...wrapTo(head, width - 6).map((line, row) =>
      paint('dim', `${row === 0 ? `${String(number).padStart(4)}  ` : indent}${line}`),
    ),
    ...text(proposal.content, '+').map((line) => paint('green', line)),
    ...repeats.flatMap((repeat) => [`${indent}nearly the same:`, ...text(repeat.content, '≈')]),
  ];
}
