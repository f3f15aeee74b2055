import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const endSessionTool = defineTool({
  name: 'end_session',
  title: 'End the session',
  description:
    'Ends your session in a workspace, or all of them. Proposals the person saw and left undecided are set aside; unseen ones wait on.',
  input: z.object({ image_id: z.string().optional() }),
  output: z.object({ status: z.string(), discarded: z.array(z.string()) }),
  readOnly: false,
  async run({ endSession }) {
    return answer({ status: 'ended', discarded: await endSession() });
  },
});
