import { z } from 'zod';
import { saidBy, targetOf } from '../../gate/proposals/proposal.ts';
import { clipEnd } from '../../memory/clip-context.ts';
import { answer, defineTool } from '../tool.ts';

const SHOWN = 50;
const CONTENT_CHARS = 300;

export const listProposalsTool = defineTool({
  name: 'list_proposals',
  title: 'List proposals',
  description: 'Proposals that wait, and the ids of the workspaces you may name.',
  input: z.object({ image_id: z.string().optional() }),
  output: z.object({
    total: z.number(),
    workspaces: z.array(z.string()),
    proposals: z.array(
      z.object({
        proposal_id: z.string(),
        kind: z.string(),
        target: z.string(),
        client: z.string(),
        created_at: z.string(),
        content: z.string(),
        yours: z.boolean(),
      }),
    ),
  }),
  readOnly: true,
  async run({ input, bearings, target, sessionWith }) {
    const gate = await bearings.gate();
    const here = await gate.listProposals(target);
    // Without a workspace also what this connection proposed elsewhere.
    const own = input.image_id === undefined ? await gate.listProposals('all') : [];
    const known = new Set(here.map(({ proposal_id }) => proposal_id));
    const isOwn = (one: (typeof own)[number]) =>
      sessionWith(one.session_id) !== undefined && !known.has(one.proposal_id);
    const pending = [...here, ...own.filter(isOwn)];
    const proposals = pending.slice(-SHOWN).map((proposal) => {
      const { proposal_id, kind, client, created_at, session_id } = proposal;
      const content = clipEnd(saidBy(proposal), CONTENT_CHARS).text;
      const yours = sessionWith(session_id) !== undefined;
      return { proposal_id, kind, target: targetOf(proposal), client, created_at, content, yours };
    });
    const { workspaces } = await (await bearings.clients()).memoryNames();
    return answer(
      { total: pending.length, workspaces: workspaces.slice(0, SHOWN), proposals },
      await gate.sessionWarnings(target),
    );
  },
});
