import type { ShownProposal } from '../../bearings.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { type Proposal, saidBy, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import type { SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import type { RunPlaces } from '../../tasks/run-places.ts';
import type { Deed, Deeds, Waiting } from '../../waiting/waiting.ts';
import { waitingToDecide } from '../../waiting/waiting-run.ts';
import type { Gate } from '../answers.ts';

const TITLE_CHARS = 120;

type Row = ReturnType<typeof rowOf>;

interface RowParts {
  target?: string;
  by?: string;
  at?: string | null;
  /** Of what one session proposed; null where that is one alone. */
  group?: SessionGroup | null;
  /** Of a proposal: the key of the list on which it could be. */
  list?: string | null;
  /** How many a list holds. */
  total?: number;
}

function rowOf(type: string, key: string, title: string, parts: RowParts = {}) {
  const line = withoutOuterBlankLines(title).split('\n')[0] ?? '';
  const shown = [...line].slice(0, TITLE_CHARS).join('');
  return { type, key, title: shown, target: '', by: '', at: null, group: null, list: null, total: 1, ...parts };
}

// Something that waits: its row in the list, what is shown of it, and what can be decided on exactly that.

export function waitingEntry({ deeds, ...body }: Waiting) {
  const { type, key, title, name, where = name === undefined ? '' : title, by = '', at = null } = body;
  return { row: rowOf(type, key, name ?? title, { target: where, by, at }), body, deeds };
}

/** A step of a run that waits for the person. */
export function runEntry(runs: RunPlaces, waiting: WaitingRun) {
  const item = waitingToDecide(waiting, async (given) => {
    const { shared } = await runs.answer(waiting.run, given);
    const target = shared ? 'a worker goes on' : `go on: bearings runs resume ${waiting.run}`;
    return { status: given.answer === 'decline' ? 'declined' : 'accepted', target, ledger: null };
  });
  return waitingEntry({ ...item, where: waiting.name, by: `run ${waiting.run}` });
}

export function proposalEntry(gate: Gate, shown: ShownProposal, group: SessionGroup | null) {
  const { proposal } = shown;
  return {
    body: { type: 'proposal' as const, group, ...shown },
    deeds: proposalDeeds(gate, proposal),
    what: shownOf(proposal),
  };
}

export function proposalDeeds(gate: Gate, proposal: Proposal): Deeds {
  const shown = shownOf(proposal);
  const decide =
    (decision: 'accept' | 'decline'): Deed =>
    async ({ edited, ...added }, { via: _, ...proof }) => {
      const editedContent = decision === 'accept' ? edited : undefined;
      const given = { client: null, decision, editedContent, ...added, ...proof, via: 'page' as const };
      const { status, target, ledger } = await gate.decide(shown, null, given);
      return { status: status.replace('_', ' '), target, ledger };
    };
  return { accept: decide('accept'), decline: decide('decline') };
}

export function waitingRow(proposal: Proposal, group: SessionGroup, list: string | null): Row {
  const { proposal_id, client: by, created_at: at } = proposal;
  const parts = { target: targetOf(proposal), by, at, group: group.total === 1 ? null : group, list };
  return rowOf('proposal', `p/${proposal_id}`, saidBy(proposal), parts);
}

/** What one session proposed, in one row. */
export function listRow(key: string, { client: by, created_at: at, image_id }: Proposal, total: number): Row {
  const target = image_id ?? 'outside of any workspace';
  return rowOf('list', key, `${total} proposals of one session`, { target, by, at, total });
}
