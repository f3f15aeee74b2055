import type { Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { whyOf } from '../../gate/proposal-groups.ts';
import { type Proposal, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import { groupOf } from '../../gate/proposals/session-groups.ts';
import { sessionList } from '../../gate/session-list.ts';
import { isRecord } from '../../json-record.ts';
import type { Visitor } from '../guard.ts';
import type { ListedLine, SessionListPage } from '../list-wire.ts';
import type { Live } from '../live.ts';
import type { Binding } from '../wire.ts';
import { bindingHash, rememberShown, waiting } from './queue.ts';

// Nobody reads more in one go; what an import brought beyond it is the next list.
const MOST_LISTED = 100;

interface Asking {
  bearings: Rooms;
  live: Live;
  visitor: Visitor;
}

/** What one session proposed, on one list, each text whole: it can be decided as it is shown here. */
export async function sessionListPage({ bearings, live, visitor }: Asking, session: string): Promise<SessionListPage> {
  const all = (await waiting(bearings, live)).proposals.filter((each) => groupOf(each) === session);
  const [first] = all;
  if (!first) throw notFound('Nothing of this session waits.', 'It may have been decided elsewhere.');
  const list = await sessionList(all.slice(0, MOST_LISTED), async (id) => (await bearings.gate()).showProposal(id));
  const lines = (list?.lines ?? []).map(
    (line): ListedLine => ({
      own: textOf(line.proposal),
      target: targetOf(line.proposal),
      why: whyOf(line),
      repeats: line.repeats.map(textOf),
    }),
  );
  for (const { binding } of lines.flatMap(({ own, repeats }) => [own, ...repeats])) rememberShown(visitor, binding);
  const [next] = list?.others ?? [];
  return {
    client: first.client,
    image_id: first.image_id,
    created_at: first.created_at,
    total: all.length,
    others: list?.others.length ?? 0,
    next: next ? `p/${next.proposal_id}` : null,
    minutes: list?.minutes ?? 0,
    lines,
  };
}

function textOf(proposal: Proposal) {
  const binding: Binding = { type: 'proposal', shown: shownOf(proposal) };
  return { binding, content: proposal.content, until: proposal.until ?? null };
}

/** The end of the list was on the screen: a clean end of the session may set aside what stays undecided. */
export async function sawList({ bearings, live, visitor }: Asking, body: unknown): Promise<{ seen: number }> {
  const session = isRecord(body) ? body.session : undefined;
  let seen = 0;
  for (const proposal of (await waiting(bearings, live)).proposals) {
    if (groupOf(proposal) !== session || !visitor.shown.has(bindingHash(textOf(proposal).binding))) continue;
    await (await bearings.gate()).markShown(proposal.proposal_id, 'page');
    seen += 1;
  }
  return { seen };
}
