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

export interface ListDecision<T> {
  of: T;
  decision: 'accept' | 'decline';
  reason?: string | undefined;
}

/** The person's word on a list: all of it, all but some, or none. */
export type ListWord =
  | { decision: 'accept'; leftOut: ReadonlySet<number> }
  | { decision: 'decline'; reason?: string | undefined };

const REPEAT_REASON = 'nearly the same as another of its session';

/**
 * What a word on a list decides, one by one and in this order. A yes takes each as it is shown and declines the near repeats
 * below it; lines that are left out (by their place, from 0) stay undecided with theirs.
 */
export function decisionsOf<T>(lines: readonly { own: T; repeats: readonly T[] }[], word: ListWord): ListDecision<T>[] {
  if (word.decision === 'decline')
    return lines
      .flatMap(({ own, repeats }) => [own, ...repeats])
      .map((of) => ({ of, decision: 'decline', reason: word.reason }));
  const chosen = lines.filter((_, index) => !word.leftOut.has(index));
  return [
    ...chosen.map(({ own }) => ({ of: own, decision: 'accept' as const })),
    ...chosen
      .flatMap(({ repeats }) => repeats)
      .map((of) => ({ of, decision: 'decline' as const, reason: REPEAT_REASON })),
  ];
}
