import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const withdrawProposalTool = defineTool({
  name: 'withdraw_proposal',
  title: 'Withdraw a proposal',
  description: 'Takes back an undecided proposal of yours.',
  input: z.object({ proposal_id: z.string() }),
  output: z.object({ status: z.string(), proposal_id: z.string() }),
  readOnly: false,
  async run({ input, bearings, session, sessionWith }) {
    const gate = await bearings.gate();
    const { proposal } = await gate.showProposal(input.proposal_id);
    // A session of this connection, in whichever workspace: or its present one, which is refused.
    const own = sessionWith(proposal.session_id) ?? (await session());
    await gate.withdrawProposal(own, input.proposal_id);
    return answer({ status: 'withdrawn', proposal_id: input.proposal_id });
  },
});
