import type { LoadRequest } from '../load.ts';
import type { Bundle } from './bundle.ts';

// What an agent may ask for at most: the answer has to fit beside the rest of its context.
export const AGENT_LIMITS = { max_files: 100, max_total_chars: 60_000 } as const;

// A project's own policy may be generous; an agent's context is not the project's to fill.
export async function loadForAgent(
  load: (request: LoadRequest) => Promise<Bundle>,
  request: LoadRequest,
): Promise<Bundle> {
  // A receipt is kept once, of what the agent gets in the end.
  const { receipt, ...plain } = request;
  if (receipt !== undefined) {
    const { arguments: final } = await loadForAgent(load, plain);
    return load({ ...final, dir: request.dir, receipt });
  }
  const asked = await load(request);
  const { max_files, max_total_chars } = asked.budget;
  const files = Math.min(max_files ?? AGENT_LIMITS.max_files, AGENT_LIMITS.max_files);
  const chars = Math.min(max_total_chars ?? AGENT_LIMITS.max_total_chars, AGENT_LIMITS.max_total_chars);
  if (files === max_files && chars === max_total_chars) return asked;
  return load({ ...request, fallback: 'none', max_files: files, max_total_chars: chars });
}

/** A bundle as an agent gets it. */
export function bundleForAgent(bundle: Bundle) {
  const { control_plane, fallback, budget } = bundle;
  return {
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
    fallback: {
      level: fallback.level,
      attempts: fallback.attempts.map(({ level, reason }) => `${level}: ${reason}`),
      degraded: fallback.degraded,
    },
    partitions: budget.partitions,
    bundle_sha256: bundle.bundle_sha256,
  };
}
