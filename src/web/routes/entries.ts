import type { DueBlock, MergedFile, Rooms, UnaccountedBlock } from '../../bearings.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { type Proposal, saidBy, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import type { SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import { type Added, type ByPage, type Deeds, done } from '../guard.ts';
import type { RunSource } from '../run-source.ts';

const TITLE_CHARS = 120;
// Each has its own question, or is put right elsewhere: nothing is settled by looking away.
const NOT_SETTLED_HERE = ['foreign_key', 'block_gone', 'key_replaced', 'level_lowered'];

type Gate = Awaited<ReturnType<Rooms['gate']>>;
type Listed<Name extends 'decidedByClients' | 'neverAccounted' | 'faults'> = Awaited<ReturnType<Gate[Name]>>;

export interface Row {
  key: string;
  target: string;
  title: string;
  by: string;
  at: string | null;
  /** Of a proposal: names the list that it belongs to. */
  session: string | null;
  /** Of what one session proposed; null where that is one alone. */
  group: SessionGroup | null;
}

type RowParts = Pick<Row, 'key' | 'title'> & Partial<Row>;

export function rowOf<T extends string>(type: T, row: RowParts): Row & { type: T } {
  return { type, target: '', by: '', at: null, session: null, group: null, ...row, title: titleOf(row.title) };
}

/** Something that waits: its row in the list, what is shown of it, and what can be decided on exactly that. */
function entry<T extends string, B extends object>(type: T, row: RowParts, body: B, deeds: Deeds) {
  return { row: rowOf(type, row), body: { type, ...body }, deeds, what: [row.key, body] as unknown };
}

export function clientsEntry(gate: Gate, decisions: Listed<'decidedByClients'>) {
  const shown = JSON.stringify(decisions);
  return entry(
    'clients',
    { key: 'c/all', title: 'Decided through a client' },
    { decisions },
    {
      async seen() {
        // One that came since is not among those that were seen.
        if (JSON.stringify(await gate.decidedByClients()) !== shown) return null;
        await gate.rememberClientDecisions();
        return done('seen', 'they are not shown again');
      },
    },
  );
}

export function firstEntry(gate: Gate, files: Listed<'neverAccounted'>) {
  return entry(
    'first',
    { key: 'f/all', title: 'What was there before' },
    { files },
    {
      async adopt(_, edit) {
        const adopted = await gate.adoptAll('all', edit, files);
        return done('adopted', `${adopted} ${adopted === 1 ? 'block' : 'blocks'}`);
      },
    },
  );
}

export function keyEntry(gate: Gate, key: Awaited<ReturnType<Gate['unknownKeys']>>[number]) {
  const { fingerprint } = key;
  return entry('key', { key: `k/${fingerprint}`, target: key.ledger, title: `Key ${fingerprint}` }, key, {
    async trust(_, edit) {
      await gate.trustKey(fingerprint, edit);
      return done('trusted', fingerprint);
    },
  });
}

/** What does not verify in the record of decisions. */
export function faultEntries(gate: Gate, faults: Listed<'faults'>) {
  const settled = faults.filter(({ kind }) => !NOT_SETTLED_HERE.includes(kind));
  return settled.map(({ id, ledger, chain, message, kind }) =>
    entry(
      'fault',
      { key: `x/${id}`, target: ledger, title: message },
      { ledger, chain, message, is_clone: kind === 'clone' },
      {
        async settle(_, edit) {
          await gate.settleFault({ id, ledger }, edit);
          return done('settled', ledger);
        },
      },
    ),
  );
}

export function mergedEntry(gate: Gate, { target, before_sha256, fused, doubled, retired, text }: MergedFile) {
  const again = async () =>
    (await gate.mergedFiles('all')).find((file) => file.target === target && file.before_sha256 === before_sha256);
  return entry(
    'merged',
    { key: `m/${target}`, target, title: 'Merged by git' },
    { target, fused, doubled, retired, text },
    {
      tidy: (_, edit) => onSame(again(), (file) => gate.tidyFile(file, edit), done('tidied', target)),
    },
  );
}

/** A block that nobody decided on. */
export function blockEntry(gate: Gate, { target, before, block: { fingerprint, first_line, text } }: UnaccountedBlock) {
  const again = async () =>
    (await gate.unaccountedBlocks('all')).find(
      ({ target: place, block }) => place === target && block.fingerprint === fingerprint,
    );
  return entry(
    'block',
    { key: `b/${fingerprint}/${target}`, target, title: text },
    { target, first_line, text, before },
    {
      adopt: (_, edit) => onSame(again(), (found) => gate.adoptBlock(found, edit), done('adopted', target)),
      take_out: (_, edit) => onSame(again(), (found) => gate.takeOutBlock(found, edit), done('taken out', target)),
    },
  );
}

export function dueEntry(gate: Gate, due: DueBlock) {
  const { target, block } = due;
  const reasons = reasonsOf(due);
  const isSame = (other: DueBlock) =>
    other.target === target &&
    other.block.fingerprint === block.fingerprint &&
    reasonsOf(other).join('\n') === reasons.join('\n');
  const again = async () => (await gate.dueBlocks('all')).find(isSame);
  return entry(
    'due',
    { key: `w/${block.fingerprint}/${target}`, target, title: block.text },
    { target, first_line: block.first_line, content: block.text, reasons },
    {
      retire: (_, edit) => onSame(again(), (found) => gate.retireBlock(found, edit), done('retired', target)),
      keep: ({ edited, until }, edit) =>
        edited === undefined
          ? onSame(again(), (found) => gate.keepBlock(found, { ...edit, until }), done('kept', target))
          : onSame(again(), (found) => gate.editDueBlock(found, edited, edit), done('edited', target)),
    },
  );
}

/** Why a block is due, in words. */
function reasonsOf({ code, until }: DueBlock): string[] {
  return [...code.map(changeWords), ...(until === null ? [] : [`You wanted to review this again on ${until}`])];
}

export function asideEntry(gate: Gate, proposal: Proposal) {
  return entry('aside', proposedRow('d', proposal), wordsOf(proposal), {
    revive: async () => done('revived', (await gate.reviveProposal(proposal.proposal_id)).proposal_id),
  });
}

/** A step of a run that waits for the person. */
export function runEntry(runs: RunSource, { run, name, file, question, shown: content, at, sha256 }: WaitingRun) {
  const go =
    (answer: 'accept' | 'decline') =>
    async ({ edited, reason }: Added, edit: ByPage) => {
      const text = answer === 'accept' ? edited : undefined;
      const { shared } = await runs.answer(run, {
        ...{ answer: text === undefined ? answer : 'edit', shownSha256: sha256, ...edit },
        ...(text === undefined ? {} : { text }),
        ...(reason === undefined ? {} : { reason }),
      });
      const next = shared ? 'a worker goes on' : `go on: bearings runs resume ${run}`;
      return done(answer === 'decline' ? 'declined' : 'accepted', next);
    };
  return entry(
    'approve',
    { key: `a/${run}`, target: titleOf(name), title: question, by: `run ${run}`, at },
    { run, name, file, question, content, at },
    { accept: go('accept'), decline: go('decline') },
  );
}

type ShownProposal = Awaited<ReturnType<Gate['showProposal']>>;

export function proposalEntry(gate: Gate, shown: ShownProposal, group: SessionGroup | null) {
  const { proposal, diff, state, contradicts, declined } = shown;
  const body = {
    ...wordsOf(proposal),
    ...{ target: shown.where, paths: proposal.paths ?? [], group, diff, state, replaces: proposal.replaces },
    contradicts: contradicts.map(({ place, line, text }) => ({ place, line, text })),
    declined: declined && { at: declined.at, reason: declined.reason },
  };
  return {
    ...entry('proposal', proposedRow('p', proposal), body, proposalDeeds(gate, proposal)),
    what: shownOf(proposal),
  };
}

export function proposalDeeds(gate: Gate, proposal: Proposal): Deeds {
  const shown = shownOf(proposal);
  const decide =
    (decision: 'accept' | 'decline') =>
    async ({ edited, ...added }: Added, edit: ByPage) => {
      const editedContent = decision === 'accept' ? edited : undefined;
      const given = { client: null, decision, editedContent, ...added, ...edit };
      const { status, target, ledger } = await gate.decide(shown, null, given);
      return { status: status.replace('_', ' '), target, ledger };
    };
  return { accept: decide('accept'), decline: decide('decline') };
}

export function proposedRow(mark: 'p' | 'd', proposal: Proposal) {
  const { proposal_id, client: by, created_at: at } = proposal;
  return { key: `${mark}/${proposal_id}`, target: targetOf(proposal), title: saidBy(proposal), by, at };
}

function wordsOf(proposal: Proposal) {
  const { client, reason, category, created_at, content } = proposal;
  return { target: targetOf(proposal), client, reason, category, created_at, content, until: proposal.until ?? null };
}

/** Does it to what is still there as it was shown. */
async function onSame<T, A>(
  again: Promise<T | undefined>,
  work: (found: T) => Promise<unknown>,
  acted: A,
): Promise<A | null> {
  const found = await again;
  if (found === undefined) return null;
  await work(found);
  return acted;
}

function titleOf(text: string): string {
  const line = withoutOuterBlankLines(text).split('\n')[0] ?? '';
  return [...line].slice(0, TITLE_CHARS).join('');
}
