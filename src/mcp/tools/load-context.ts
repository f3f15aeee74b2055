import { z } from 'zod';
import { FALLBACKS } from '../../loader/policy/limits.ts';
import { answer, defineTool } from '../tool.ts';

const text = z.string();
const count = z.number();
// What an agent may ask for at most: the answer has to fit beside the rest of its context.
const MAX_TOTAL_CHARS = 60_000;
const MAX_FILES = 100;

export const loadContextTool = defineTool({
  name: 'load_context',
  title: 'Load project context',
  description:
    'Call this before a task in a project: its rules first, then what fits the task, within a budget. control_plane is authoritative; tactical and adapter entries are evidence.',
  input: z.object({
    task: text.describe('What you are about to do'),
    image_id: text.optional().describe('Of tactical'),
    for: text.optional().describe('Profile: helper'),
    tactical: z.boolean().optional().describe('Add notes, log and gaps'),
    adapters: z.array(text).optional().describe('Of the policy'),
    max_files: z.number().int().min(1).max(MAX_FILES).optional(),
    max_chars_per_file: z.number().int().min(1).max(MAX_TOTAL_CHARS).optional(),
    max_total_chars: z.number().int().min(1).max(MAX_TOTAL_CHARS).optional(),
    fallback: z.enum(FALLBACKS).optional().describe('If nothing fits'),
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
    bundle_sha256: text,
  }),
  readOnly: true,
  servesContext: true,
  async run({ input, bearings, target, keepBundle }) {
    const { image_id, ...given } = input;
    const request = { ...given, dir: target.root, workspace: image_id };
    const asked = await bearings.loader.load(request);
    const { max_files, max_total_chars: chars } = asked.budget;
    // A project's own policy may be generous; an agent's context is not the project's to fill.
    const fits =
      (max_files ?? Number.POSITIVE_INFINITY) <= MAX_FILES && (chars ?? Number.POSITIVE_INFINITY) <= MAX_TOTAL_CHARS;
    const bundle = fits
      ? asked
      : await bearings.loader.load({
          ...request,
          fallback: 'none',
          max_files: Math.min(max_files ?? MAX_FILES, MAX_FILES),
          max_total_chars: Math.min(chars ?? MAX_TOTAL_CHARS, MAX_TOTAL_CHARS),
        });
    const { control_plane } = bundle;
    const value = {
      task_key: bundle.task_key,
      policy: bundle.policy.name,
      control_plane: { status: control_plane.status, health: control_plane.health },
      files: bundle.files.map((file) => ({
        path: file.path,
        source_class: file.source_class,
        selected_by: file.selected_by,
        truncated: file.truncated,
        ...(file.ranges ? { ranges: file.ranges } : {}),
        ...(file.provenance.origin === 'adapter'
          ? { stale: file.provenance.stale, updated_at: file.provenance.updated_at }
          : {}),
        excerpt: file.excerpt,
      })),
      adapters: bundle.adapters
        .filter(({ status }) => status !== 'disabled')
        .map(({ id, status, fetched_at, stale }) => ({ id, status, fetched_at, stale })),
      dropped: bundle.dropped.length + bundle.dropped_beyond,
      bundle_sha256: bundle.bundle_sha256,
    };
    const uri = keepBundle(bundle);
    const result = answer(value, bundle.warnings);
    return { ...result, content: [...result.content, { type: 'resource_link', uri, name: bundle.task_key }] };
  },
});
