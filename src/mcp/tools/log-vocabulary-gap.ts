import { z } from 'zod';
import { answer, defineTool } from '../tool.ts';

const text = z.string().optional();
const texts = z.array(z.string()).optional();

export const logVocabularyGapTool = defineTool({
  name: 'log_vocabulary_gap',
  title: 'Log a gap',
  description: 'Records what the person wanted and the tools could not do.',
  input: z.object({
    image_id: text,
    description: z.string(),
    intent: text,
    intent_category: text,
    missing_capability: text,
    operations_involved: texts,
    vocabulary_used: texts,
    satisfaction: z.number().nullable().optional().describe('-1, 0 or 1'),
    snapshot_hash: text,
    notes: text,
    workaround: text,
  }),
  output: z.object({ timestamp: z.string(), description: z.string() }),
  readOnly: false,
  async run({ input, bearings, target, session }) {
    const { image_id: _, ...gap } = input;
    const { timestamp, description } = await (await bearings.sessions()).logGap(
      target,
      (await session()).session_id,
      gap,
    );
    return answer({ timestamp, description });
  },
});
