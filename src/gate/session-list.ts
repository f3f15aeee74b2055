import { BearingsError } from '../errors.ts';
import { type ListedProposal, listable, minutesFor } from './proposal-groups.ts';
import { FEWEST_LISTED } from './proposals/list-decisions.ts';
import type { Proposal } from './proposals/proposal.ts';
import type { ShownProposal } from './propose.ts';

/** What one session proposed, on one list. */
export interface SessionList {
  lines: ListedProposal[];
  /** What comes by itself: it may contradict memory, replaces something, or is long. */
  others: Proposal[];
  /** How long a person takes to read and decide on all of the session. */
  minutes: number;
}

/** Null: they are better decided one by one. */
export async function sessionList(
  group: readonly Proposal[],
  show: (proposalId: string) => Promise<ShownProposal>,
): Promise<SessionList | null> {
  if (group.length < FEWEST_LISTED) return null;
  const shown: ShownProposal[] = [];
  for (const { proposal_id } of group) {
    try {
      shown.push(await show(proposal_id));
    } catch (error) {
      // Decided elsewhere in the meantime.
      if (!(error instanceof BearingsError)) throw error;
    }
  }
  const lines = listable(shown);
  if (lines.length < 2) return null;
  const inside = new Set(
    lines.flatMap(({ proposal, repeats }) => [proposal, ...repeats]).map((each) => each.proposal_id),
  );
  return {
    lines,
    others: group.filter(({ proposal_id }) => !inside.has(proposal_id)),
    minutes: minutesFor(group.map(({ content }) => content)),
  };
}
