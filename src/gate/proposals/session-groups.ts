import type { Proposal } from './proposal.ts';

/** Where a proposal is among those of its session: one of one workspace, under one name. */
export interface SessionGroup {
  index: number;
  total: number;
}

// The standing session is in every workspace, and commands, imports and runs propose in it.
export function groupOf({ session_id, image_id, client }: Proposal): string {
  return JSON.stringify([session_id, image_id, client]);
}

// What one session proposed is kept together, in the order of its first; each keeps its place within.
export function groupedBySession(proposals: readonly Proposal[]): { proposal: Proposal; group: SessionGroup }[] {
  const sessions = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const group = groupOf(proposal);
    const own = sessions.get(group);
    if (own) own.push(proposal);
    else sessions.set(group, [proposal]);
  }
  return [...sessions.values()].flatMap((own) =>
    own.map((proposal, index) => ({ proposal, group: { index: index + 1, total: own.length } })),
  );
}

/** From so many of one session on, one list of them spares more than it costs. */
export const FEWEST_LISTED = 7;

/** Why it matters, in one line. */
export function whyOf({ reason, category }: Proposal): string {
  if (reason) return `"${reason}"`;
  return category ? `a new ${category}` : 'new';
}
