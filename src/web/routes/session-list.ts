import { z } from 'zod';
import { notFound } from '../../errors.ts';
import { sessionList, whyOf } from '../../gate/proposal-groups.ts';
import { type Proposal, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import { groupOf } from '../../gate/proposals/session-groups.ts';
import type { Ask, Page } from '../answers.ts';
import { type Binding, bindingHash, rememberShown } from '../binding.ts';
import { waiting } from './queue.ts';

// Nobody reads more in one go; what an import brought beyond it is the next list.
const MAX_LISTED = 100;

export function sessionListRoutes(page: Page) {
  const { bearings } = page;
  return {
    /** What one session proposed, on one list, each text whole: it can be decided as it is shown here. */
    async 'GET /api/session-list'({ visitor, text }: Ask) {
      const all = (await waiting(page)).proposals.filter((each) => groupOf(each) === text('session'));
      const [first] = all;
      if (!first) throw notFound('Nothing of this session waits.', 'It may have been decided elsewhere.');
      const list = await sessionList(all.slice(0, MAX_LISTED), async (id) => (await bearings.gate()).showProposal(id));
      const lines = (list?.lines ?? []).map((line) => ({
        own: textOf(line.proposal),
        target: targetOf(line.proposal),
        why: whyOf(line),
        /** Of the same session, and nearly the same. */
        repeats: line.repeats.map(textOf),
      }));
      for (const { binding } of lines.flatMap(({ own, repeats }) => [own, ...repeats])) rememberShown(visitor, binding);
      const [next] = list?.others ?? [];
      return {
        client: first.client,
        image_id: first.image_id,
        created_at: first.created_at,
        /** How many of the session wait. */
        total: all.length,
        /** How many of those on this page come by themselves. */
        others: list?.others.length ?? 0,
        /** The first of them; null: none. */
        next: next ? `p/${next.proposal_id}` : null,
        minutes: list?.minutes ?? 0,
        /** None: they are better decided one by one. */
        lines,
      };
    },

    /** The end of the list was on the screen: a clean end of the session may set aside what stays undecided. */
    async 'POST /api/session-list-seen'({ visitor, body }: Ask) {
      const { session } = await body(z.object({ session: z.string() }), 'Name a session.');
      const own = (await waiting(page)).proposals.filter(
        (each) => groupOf(each) === session && visitor.shown.has(bindingHash(textOf(each).binding)),
      );
      for (const { proposal_id } of own) await (await bearings.gate()).markShown(proposal_id, 'page');
      return { seen: own.length };
    },
  };
}

function textOf(proposal: Proposal) {
  const binding: Binding = { type: 'proposal', shown: shownOf(proposal) };
  return { binding, content: proposal.content, until: proposal.until ?? null };
}
