import { z } from 'zod';
import { AGENT_LIMITS, bundleForAgent, loadForAgent } from '../../loader/bundle/for-agent.ts';
import { RECEIPT_EVENTS } from '../../loader/bundle/receipt.ts';
import { renderMarkdown } from '../../loader/bundle/render-markdown.ts';
import { FALLBACKS } from '../../loader/policy/limits.ts';
import { answer, defineTool } from '../tool.ts';

const text = z.string();
const count = z.number();
const { max_files: MAX_FILES, max_total_chars: MAX_TOTAL_CHARS } = AGENT_LIMITS;

export const loadContextTool = defineTool({
  name: 'load_context',
  title: 'Load project context',
  description:
    'Call this before a task in a project: its rules, then what fits the task, within a budget. Only control_plane is authoritative.',
  input: z.object({
    task: text.describe('What you are about to do'),
    image_id: text.optional(),
    for: text.optional().describe('Profile: helper'),
    tactical: z.boolean().optional().describe('Add notes, log and gaps'),
    adapters: z.array(text).optional(),
    max_files: z.number().int().min(1).max(MAX_FILES).optional(),
    max_chars_per_file: z.number().int().min(1).max(MAX_TOTAL_CHARS).optional(),
    max_total_chars: z.number().int().min(1).max(MAX_TOTAL_CHARS).optional(),
    max_tokens: z.number().int().min(1).max(MAX_TOTAL_CHARS).optional(),
    receipt: z.enum(RECEIPT_EVENTS).optional(),
    fallback: z.enum(FALLBACKS).optional(),
  }),
  output: z.object({
    task_key: text,
    policy: text,
    control_plane: z.object({ status: text, health: text.nullable() }),
    files: z.array(
      z.object({
        path: text,
        source_class: text,
        selected_by: text,
        truncated: z.boolean(),
        ranges: z.array(z.object({ start: count, end: count })).optional(),
        stale: z.boolean().nullable().optional(),
        updated_at: text.nullable().optional(),
        excerpt: text,
      }),
    ),
    adapters: z.array(z.object({ id: text, status: text, fetched_at: text.nullable(), stale: z.boolean().nullable() })),
    dropped: count,
    fallback: z.unknown(),
    partitions: z.unknown(),
    bundle_sha256: text,
  }),
  readOnly: true,
  servesContext: true,
  readsProject: true,
  async run({ input, bearings, target, keepBundle }) {
    const { image_id, ...given } = input;
    const request = { ...given, dir: target.root, workspace: image_id };
    const bundle = await loadForAgent((await bearings.loader()).loadContext, request);
    const uri = keepBundle(bundle);
    const unsigned = bundle.arguments.tactical ? await (await bearings.memory()).notesWarnings(target) : [];
    const result = answer(bundleForAgent(bundle), [...bundle.warnings, ...unsigned]);
    // Code as text: in JSON every quote and line end of it would be escaped.
    const shown = {
      type: 'text' as const,
      text: renderMarkdown({ ...bundle, task: '', warnings: [] }),
    };
    const link = { type: 'resource_link' as const, uri, name: bundle.task_key };
    return { ...result, content: [shown, ...result.content.slice(1), link] };
  },
});
