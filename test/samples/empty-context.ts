import type { Context } from '../../src/memory/read-context.ts';

/** An empty context with some of its parts filled. */
export function contextOf(parts: Partial<Context> = {}): Context {
  return {
    tastes: { default: '', genres: {}, conflicts: [] },
    brief: { raw: '', intent: '', tastes: [] },
    notes: { summary: '', truncated: false },
    recent_log: [],
    recent_gaps: [],
    ...parts,
  };
}
