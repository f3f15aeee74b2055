import { z } from 'zod';
import { CATEGORIES } from '../../gate/proposals/proposal.ts';
import { answer, defineTool } from '../tool.ts';

const output = z.object({
  status: z.string(),
  target: z.string(),
  proposal_id: z.string().optional(),
  content: z.string().optional(),
  diff: z.string().optional(),
  how_to_confirm: z.string().optional(),
  /** Each with place, line, text and why: their names are in the answer, and cost every session here. */
  contradicts: z.array(z.unknown()).optional(),
  declined_at: z.string().optional(),
  reason: z.string().nullable().optional(),
});
const content = z.string().optional();
const replaces = z.string().optional().describe('Exact lines to replace');
const retires = z.string().optional().describe('Lines that no longer hold');
const image_id = z.string().optional().describe('Default: the current workspace');

export const proposeTasteTool = defineTool({
  name: 'propose_taste_update',
  title: 'Propose a taste',
  description:
    'Proposes a lasting preference of the person, for all work. Nothing is written until the person says yes.',
  input: z.object({
    content,
    category: z.enum(CATEGORIES),
    file: z.string().optional().describe('Default _default.md'),
    reason: z.string().optional(),
    replaces,
    retires,
  }),
  output,
  readOnly: false,
  async run({ input, bearings, session }) {
    return answer(await (await bearings.gate()).propose(await session(), { kind: 'taste', ...input }));
  },
});

export const proposeNotesTool = defineTool({
  name: 'propose_notes_update',
  title: 'Propose a note',
  description: 'Proposes lines for the notes of a workspace. Nothing is written until the person says yes.',
  input: z.object({
    image_id,
    file: z.string().optional().describe('Or brief.md, if allowed'),
    content,
    reason: z.string().optional(),
    paths: z.array(z.string()).optional().describe('For src/api/**'),
    replaces,
    retires,
  }),
  output,
  readOnly: false,
  async run({ input, bearings, session }) {
    const { image_id: _, ...rest } = input;
    return answer(await (await bearings.gate()).propose(await session(), { kind: 'notes', ...rest }));
  },
});
