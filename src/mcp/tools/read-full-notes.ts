import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { clipEnd } from '../../memory/clip-context.ts';
import type { Target } from '../../settings/meant-workspace.ts';
import { answer, defineTool } from '../tool.ts';

export const readFullNotesTool = defineTool({
  name: 'read_full_notes',
  title: 'Read full notes',
  description:
    'Lines of the notes, when read_context says truncated. Up to 2000; go on at next_offset. With query: blocks of notes, brief and tastes that say it, best first.',
  input: z.object({
    image_id: z.string().optional(),
    file: z.string().optional().describe('brief.md, a taste (sea.md), log.jsonl, vocabulary_gaps.jsonl (newest first)'),
    offset: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).optional(),
    query: z.string().optional(),
  }),
  output: z.object({
    image_id: z.string(),
    offset: z.number(),
    lines: z.number(),
    total_lines: z.number(),
    text: z.string(),
    next_offset: z.number().nullable(),
    found: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })).optional(),
  }),
  readOnly: true,
  async run({ input, bearings, target }) {
    const { file = 'notes.md', offset, limit, query } = input;
    if (query !== undefined) return found(bearings, query, target);
    const memory = await bearings.memory();
    const { warnings, ...notes } =
      file === 'notes.md'
        ? await memory.readNotes(target, { offset, limit, forAgent: true })
        : await memory.readPart(target, file, { offset, limit });
    return answer(notes, warnings);
  },
});

const FOUND_CHARS = 2_000;

async function found(bearings: Rooms, query: string, target: Target) {
  const { image_id, found } = await (await bearings.gate()).searchServed(query, target);
  const { total_lines, warnings } = await (await bearings.memory()).readNotes(target, { limit: 1, forAgent: true });
  const blocks = found.map(({ place, line, text }) => ({ file: place, line, text: clipEnd(text, FOUND_CHARS).text }));
  return answer({ image_id, offset: 0, lines: 0, total_lines, text: '', next_offset: null, found: blocks }, warnings);
}
