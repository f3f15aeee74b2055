import type { ShownProposal } from '../../bearings.ts';
import { targetOf } from '../../gate/proposals/proposal.ts';
import { proposalView } from '../views/proposal-view.ts';
import { attempt, type Step } from './conversation.ts';

// What was set aside at a clean end since the person last looked: she is asked once, and can list it any time.
export const reviewSetAside: Step = async (conversation) => {
  const { bearings, screen, terminal } = conversation;
  const gate = await bearings.gate();
  const aside = await gate.discardedSinceReview();
  for (const [index, proposal] of aside.entries()) {
    const diff = proposal.content.split('\n').map((text) => ({ mark: '+' as const, number: null, text }));
    const view: ShownProposal = {
      proposal,
      target: targetOf(proposal),
      diff,
      state: 'fresh',
      similar: [],
      contradicts: [],
      declined: null,
    };
    const place = { index: index + 1, total: aside.length };
    const key = await screen.choose({
      lines: (columns) => [
        'Set aside at the end of a session, before you decided:',
        '',
        ...proposalView(view, { columns, now: new Date(), paint: terminal.paint, place }).split('\n'),
      ],
      keys: '[r]evive  [s]kip  [?] help  [q]uit',
      help: ['r   brings it back to what waits', 's   leaves it aside: bearings review --list --discarded'],
    });
    if (key === 'q') return false;
    if (key === 'r')
      await attempt(conversation, async () => {
        const { proposal_id } = await (await bearings.gate()).reviveProposal(proposal.proposal_id);
        return `revived · ${targetOf(proposal)} · ${proposal_id}`;
      });
  }
  if (aside.length > 0) await gate.rememberReview();
  return true;
};
