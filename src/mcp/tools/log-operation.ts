import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const logOperationTool = defineTool({
  name: 'log_operation',
  title: 'Log an operation',
  description: 'Logs what was done in a workspace.',
  input: z.object({
    image_id: z.string().optional(),
    op: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({ timestamp: z.string(), op: z.string() }),
  readOnly: false,
  async run({ input, bearings, target }) {
    return answer(await (await bearings.sessions()).logOperation(target, input.op, input.details ?? {}));
  },
});
