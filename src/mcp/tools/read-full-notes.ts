import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

export const readFullNotesTool = defineTool({
  name: 'read_full_notes',
  title: 'Read full notes',
  description: 'Lines of the notes, when read_context says truncated. At most 2000 lines a call; go on at next_offset.',
  input: z.object({
    image_id: z.string().optional().describe('Workspace id; default: the current one'),
    offset: z.number().int().min(0).optional().describe('Lines to skip'),
    limit: z.number().int().min(1).optional(),
  }),
  output: z.object({
    image_id: z.string(),
    offset: z.number(),
    lines: z.number(),
    total_lines: z.number(),
    text: z.string(),
    next_offset: z.number().nullable(),
  }),
  readOnly: true,
  async run({ input, bearings, target }) {
    const { offset, limit } = input;
    const { warnings, ...notes } = await bearings.memory.readNotes(target, { offset, limit, forAgent: true });
    return answer(notes, warnings);
  },
});
