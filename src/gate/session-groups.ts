import type { Proposal } from './proposal.ts';

/** Where a proposal is among those of its session. */
export interface SessionGroup {
  index: number;
  total: number;
}

// What one session proposed is kept together, in the order of its first; each keeps its place within.
export function groupedBySession(proposals: readonly Proposal[]): { proposal: Proposal; group: SessionGroup }[] {
  const sessions = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const own = sessions.get(proposal.session_id);
    if (own) own.push(proposal);
    else sessions.set(proposal.session_id, [proposal]);
  }
  return [...sessions.values()].flatMap((own) =>
    own.map((proposal, index) => ({ proposal, group: { index: index + 1, total: own.length } })),
  );
}
