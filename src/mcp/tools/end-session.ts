import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const endSessionTool = defineTool({
  name: 'end_session',
  title: 'End the session',
  description: 'Ends this session cleanly. Proposals the person has not decided are set aside.',
  input: z.object({ image_id: z.string().optional() }),
  output: z.object({ status: z.string(), discarded: z.array(z.string()) }),
  readOnly: false,
  async run({ bearings, session, endSession }) {
    const discarded = await bearings.endSession(await session());
    await endSession();
    return answer({ status: 'ended', discarded });
  },
});
