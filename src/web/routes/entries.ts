import type { DueBlock, MergedFile, Rooms, ShownProposal, UnaccountedBlock } from '../../bearings.ts';
import { conflict } from '../../errors.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { type Proposal, saidBy, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import type { SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import type { Added, ByPage, Deed, Deeds } from '../guard.ts';
import type { RunSource } from '../run-source.ts';

const TITLE_CHARS = 120;
// Each has its own question, or is put right elsewhere: nothing is settled by looking away.
const NOT_SETTLED_HERE = ['foreign_key', 'block_gone', 'key_replaced', 'level_lowered'];

type Gate = Awaited<ReturnType<Rooms['gate']>>;
type Listed<Name extends 'decidedByClients' | 'neverAccounted' | 'faults' | 'unknownKeys'> = Awaited<
  ReturnType<Gate[Name]>
>;

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
  return {
    type,
    key,
    title: titleOf(title),
    target: '',
    by: '',
    at: null,
    group: null,
    list: null,
    total: 1,
    ...parts,
  };
}

function titleOf(text: string): string {
  const line = withoutOuterBlankLines(text).split('\n')[0] ?? '';
  return [...line].slice(0, TITLE_CHARS).join('');
}

export const outdated = () =>
  conflict('This is no longer what was shown, or was never shown here.', 'Look at it again.');

/** Does it, and says what came of it. */
function deed<T>(
  status: string,
  work: (edit: ByPage, added: Added) => Promise<T>,
  target: string | ((made: T) => string),
): Deed {
  return async (added, edit) => {
    const made = await work(edit, added);
    return { status, target: typeof target === 'string' ? target : target(made), ledger: null };
  };
}

// Something that waits: its row in the list, what is shown of it, and what can be decided on exactly that.

export function clientsEntry(gate: Gate, decisions: Listed<'decidedByClients'>) {
  const shown = JSON.stringify(decisions);
  const seen = async () => {
    // One that came since is not among those that were seen.
    if (JSON.stringify(await gate.decidedByClients()) !== shown) throw outdated();
    await gate.rememberClientDecisions();
  };
  return {
    row: rowOf('clients', 'c/all', 'Decided through a client'),
    body: { type: 'clients' as const, decisions },
    deeds: { seen: deed('seen', seen, 'they are not shown again') },
  };
}

export function firstEntry(gate: Gate, files: Listed<'neverAccounted'>) {
  const adopt = (edit: ByPage) => gate.adoptAll('all', edit, files);
  return {
    row: rowOf('first', 'f/all', 'What was there before'),
    body: { type: 'first' as const, files },
    deeds: { adopt: deed('adopted', adopt, (count) => `${count} ${count === 1 ? 'block' : 'blocks'}`) },
  };
}

export function keyEntry(gate: Gate, key: Listed<'unknownKeys'>[number]) {
  const { fingerprint, ledger: target } = key;
  return {
    row: rowOf('key', `k/${fingerprint}`, `Key ${fingerprint}`, { target }),
    body: { type: 'key' as const, ...key },
    deeds: { trust: deed('trusted', (edit) => gate.trustKey(fingerprint, edit), fingerprint) },
  };
}

/** What does not verify in the record of decisions. */
export function faultEntries(gate: Gate, faults: Listed<'faults'>) {
  const settled = faults.filter(({ kind }) => !NOT_SETTLED_HERE.includes(kind));
  return settled.map((fault) => ({
    row: rowOf('fault', `x/${fault.id}`, fault.message, { target: fault.ledger }),
    body: { type: 'fault' as const, ...fault },
    deeds: { settle: deed('settled', (edit) => gate.settleFault(fault, edit), fault.ledger) },
  }));
}

export function mergedEntry(gate: Gate, file: MergedFile) {
  const { target } = file;
  return {
    row: rowOf('merged', `m/${target}`, 'Merged by git', { target }),
    body: { type: 'merged' as const, ...file },
    deeds: { tidy: deed('tidied', (edit) => gate.tidyFile(file, edit), target) },
  };
}

/** A block that nobody decided on. */
export function blockEntry(gate: Gate, shown: UnaccountedBlock) {
  const { target, block } = shown;
  return {
    row: rowOf('block', `b/${block.fingerprint}/${target}`, block.text, { target }),
    body: { type: 'block' as const, ...shown },
    deeds: {
      adopt: deed('adopted', (edit) => gate.adoptBlock(shown, edit), target),
      take_out: deed('taken out', (edit) => gate.takeOutBlock(shown, edit), target),
    },
  };
}

export function dueEntry(gate: Gate, due: DueBlock) {
  const { target, block, code, until } = due;
  const reasons = [
    ...code.map(changeWords),
    ...(until === null ? [] : [`You wanted to review this again on ${until}`]),
  ];
  const nameOf = (each: DueBlock) => JSON.stringify([each.target, each.block.fingerprint, each.code, each.until]);
  // The gate holds it against the block alone: its code may have changed once more since it was shown.
  const still = (status: string, work: (edit: ByPage, added: Added) => Promise<unknown>) =>
    deed(
      status,
      async (edit, added) => {
        if (!(await gate.dueBlocks('all')).some((each) => nameOf(each) === nameOf(due))) throw outdated();
        await work(edit, added);
      },
      target,
    );
  return {
    row: rowOf('due', `w/${block.fingerprint}/${target}`, block.text, { target }),
    body: { type: 'due' as const, target, block, reasons },
    deeds: {
      retire: still('retired', (edit) => gate.retireBlock(due, edit)),
      keep: still('kept', (edit, { until }) => gate.keepBlock(due, { ...edit, until })),
      edit: still('edited', (edit, { edited = '' }) => gate.editDueBlock(due, edited, edit)),
    },
  };
}

export function asideEntry(gate: Gate, proposal: Proposal) {
  const revive = () => gate.reviveProposal(proposal.proposal_id);
  return {
    row: proposedRow('aside', 'd', proposal),
    body: { type: 'aside' as const, proposal, where: targetOf(proposal), group: null },
    deeds: { revive: deed('revived', revive, (revived) => revived.proposal_id) },
  };
}

/** A step of a run that waits for the person. */
export function runEntry(runs: RunSource, waiting: WaitingRun) {
  const { run, name, question, at, sha256: shownSha256 } = waiting;
  const go =
    (answer: 'accept' | 'decline') =>
    (edit: ByPage, { edited, reason }: Added) => {
      const text = answer === 'accept' ? edited : undefined;
      return runs.answer(run, { answer: text === undefined ? answer : 'edit', text, reason, shownSha256, ...edit });
    };
  const next = ({ shared }: { shared: boolean }) =>
    shared ? 'a worker goes on' : `go on: bearings runs resume ${run}`;
  return {
    row: rowOf('approve', `a/${run}`, question, { target: titleOf(name), by: `run ${run}`, at }),
    body: { type: 'approve' as const, ...waiting },
    deeds: { accept: deed('accepted', go('accept'), next), decline: deed('declined', go('decline'), next) },
  };
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
    async ({ edited, ...added }, edit) => {
      const editedContent = decision === 'accept' ? edited : undefined;
      const given = { client: null, decision, editedContent, ...added, ...edit };
      const { status, target, ledger } = await gate.decide(shown, null, given);
      return { status: status.replace('_', ' '), target, ledger };
    };
  return { accept: decide('accept'), decline: decide('decline') };
}

export function waitingRow(proposal: Proposal, group: SessionGroup, list: string | null): Row {
  return proposedRow('proposal', 'p', proposal, { group: group.total === 1 ? null : group, list });
}

/** What one session proposed, in one row. */
export function listRow(key: string, { client: by, created_at: at, image_id }: Proposal, total: number): Row {
  const target = image_id ?? 'outside of any workspace';
  return rowOf('list', key, `${total} proposals of one session`, { target, by, at, total });
}

function proposedRow(type: string, mark: 'p' | 'd', proposal: Proposal, parts: RowParts = {}) {
  const { proposal_id, client: by, created_at: at } = proposal;
  return rowOf(type, `${mark}/${proposal_id}`, saidBy(proposal), { target: targetOf(proposal), by, at, ...parts });
}
