import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const endSessionTool = defineTool({
  name: 'end_session',
  title: 'End the session',
  description:
    'Ends this session cleanly. Proposals the person saw and did not decide are set aside; those nobody showed her wait on.',
  input: z.object({ image_id: z.string().optional() }),
  output: z.object({ status: z.string(), discarded: z.array(z.string()) }),
  readOnly: false,
  async run({ bearings, session, endSession }) {
    const discarded = await bearings.gate.endSession(await session());
    await endSession();
    return answer({ status: 'ended', discarded });
  },
});
