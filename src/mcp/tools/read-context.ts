import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

const text = z.string();
const texts = z.array(text);
const maybe = text.nullable();

export const readContextTool = defineTool({
  name: 'read_context',
  title: 'Read context',
  description:
    'Call this first: the lasting context of a workspace: tastes, brief, notes, recent log, recent gaps. Point out tastes.conflicts to the person; do not resolve them yourself.',
  input: z.object({
    image_id: text.optional().describe('Default: the current workspace'),
    for: text.optional().describe('Profile: helper'),
  }),
  output: z.object({
    tastes: z.object({
      default: text,
      genres: z.record(text, text),
      conflicts: z.array(z.object({ point: text, files: texts })),
    }),
    brief: z.object({ raw: text, intent: text, tastes: texts }),
    notes: z.object({ summary: text, truncated: z.boolean() }),
    recent_log: z.array(z.object({ timestamp: text, op: text, details: z.record(text, z.unknown()) })),
    recent_gaps: z.array(
      z.object({
        timestamp: text,
        image_id: text,
        description: text,
        session_id: maybe,
        snapshot_hash: maybe,
        intent: maybe,
        intent_category: text,
        missing_capability: maybe,
        operations_involved: texts,
        vocabulary_used: texts,
        satisfaction: z.number().nullable(),
        notes: text,
        workaround: maybe.optional(),
      }),
    ),
  }),
  readOnly: true,
  servesContext: true,
  async run({ input, bearings, target }) {
    const { context, warnings } = await (await bearings.memory()).readContext(target, {
      forAgent: true,
      for: input.for,
    });
    return answer(context, warnings);
  },
});
