import { createHash } from 'node:crypto';
import type { DueBlock, MergedFile, Rooms, UnaccountedBlock } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { changeWords } from '../../gate/accounting/due-words.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { minutesFor } from '../../gate/proposal-groups.ts';
import { type Proposal, saidBy, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import { groupedBySession, groupOf, type SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import type { Visitor } from '../guard.ts';
import type { Live } from '../live.ts';
import type { RunSource } from '../run-source.ts';
import type { Binding, Item, ItemBody, Queue, QueueRow } from '../wire.ts';

const MOST_ROWS = 200;
const MOST_SHOWN = 50_000;
const TITLE_CHARS = 120;
const ALONE = { session: null, group: null };

type ClientDecisions = Awaited<ReturnType<Awaited<ReturnType<Rooms['gate']>>['decidedByClients']>>;

/** All that waits for the person, as it is now. */
interface Waiting {
  clients: ClientDecisions;
  first: { target: string; blocks: number; sha256: string; text: string }[];
  proposals: Proposal[];
  aside: Proposal[];
  keys: Awaited<ReturnType<Awaited<ReturnType<Rooms['gate']>>['unknownKeys']>>;
  merged: MergedFile[];
  blocks: UnaccountedBlock[];
  due: DueBlock[];
  rows: QueueRow[];
}

// The rows are made with what they show: asked for by themselves they could be old under a newer stamp, and stay.
export function waiting(bearings: Rooms, live: Live): Promise<Waiting> {
  return live.remembered('waiting', async () => {
    const gate = await bearings.gate();
    const all = {
      clients: await gate.decidedByClients(),
      first: await gate.neverAccounted('all'),
      proposals: await gate.listProposals('all'),
      aside: await gate.discardedProposals(),
      keys: await gate.unknownKeys(),
      merged: await gate.mergedFiles('all'),
      // What is gone is asked about in the terminal: there is no text in the file to show.
      blocks: (await gate.unaccountedBlocks('all')).filter(({ gone }) => !gone),
      due: await gate.dueBlocks('all'),
    };
    return { ...all, rows: rowsOf(all) };
  });
}

// A window of what waits. The rows are short: the text itself comes with the item.
export async function queue(
  { bearings, live, runs }: { bearings: Rooms; live: Live; runs: RunSource },
  window: { from: number; count: number; key: string | null },
): Promise<Queue> {
  const all = await waiting(bearings, live);
  // Runs change without a change of memory: they are asked each time.
  const approvals = await runs.waiting();
  const rows = [...clientRows(all), ...approvals.map(approvalRow), ...all.rows];
  const found = window.key === null ? -1 : rows.findIndex(({ key }) => key === window.key);
  const wanted = found === -1 ? window.from : found - Math.floor(window.count / 2);
  const from = Math.max(0, Math.min(wanted, rows.length));
  const gate = await bearings.gate();
  return {
    total: rows.length,
    from,
    at: found === -1 ? null : found,
    rows: rows.slice(from, from + Math.max(1, Math.min(window.count, MOST_ROWS))),
    counts: {
      clients: all.clients.length > 0 ? 1 : 0,
      first: all.first.length > 0 ? 1 : 0,
      proposal: all.proposals.length,
      aside: all.aside.length,
      key: all.keys.length,
      merged: all.merged.length,
      block: all.blocks.length,
      due: all.due.length,
      approve: approvals.length,
    },
    level: await gate.confirmLevel(),
    credentials: (await gate.passkeys())?.credentials ?? [],
    last: await live.remembered('last', async () => (await bearings.gate()).lastDecision()),
    workspaces: (await (await bearings.workspaces()).listWorkspaces()).length,
    minutes: minutesFor(all.proposals.map(({ content }) => content)),
  };
}

// First of all: a client's own question may have been answered by a program.
function clientRows({ clients }: Waiting): QueueRow[] {
  return clients.length === 0 ? [] : [row('c/all', 'clients', '', 'Decided through a client')];
}

function approvalRow({ run, name, question, at }: WaitingRun): QueueRow {
  const by = `run ${run}`;
  return { key: `a/${run}`, type: 'approve', target: titleOf(name), title: titleOf(question), by, at, ...ALONE };
}

function rowsOf({ first, proposals, aside, keys, merged, blocks, due }: Omit<Waiting, 'rows'>): QueueRow[] {
  const proposed = (type: 'proposal' | 'aside', mark: string) => (proposal: Proposal, group: SessionGroup | null) => ({
    key: `${mark}/${proposal.proposal_id}`,
    type,
    target: targetOf(proposal),
    title: titleOf(saidBy(proposal)),
    by: proposal.client,
    at: proposal.created_at,
    session: groupOf(proposal),
    group: group === null || group.total === 1 ? null : group,
  });
  const [waits, asides] = [proposed('proposal', 'p'), proposed('aside', 'd')];
  return [
    ...(first.length > 0 ? [row('f/all', 'first', '', 'What was there before')] : []),
    ...groupedBySession(proposals).map(({ proposal, group }) => waits(proposal, group)),
    ...keys.map((key) => row(`k/${key.fingerprint}`, 'key', key.ledger, `Key ${key.fingerprint}`)),
    ...merged.map((file) => row(`m/${file.target}`, 'merged', file.target, 'Merged by git')),
    ...blocks.map((each) => row(blockKey(each), 'block', each.target, titleOf(each.block.text))),
    ...due.map((each) => row(dueKey(each), 'due', each.target, titleOf(each.block.text))),
    ...aside.map((proposal) => asides(proposal, null)),
  ];
}

function row(key: string, type: QueueRow['type'], target: string, title: string): QueueRow {
  return { key, type, target, title, by: '', at: null, ...ALONE };
}

function blockKey({ target, block }: UnaccountedBlock): string {
  return `b/${block.fingerprint}/${target}`;
}

export function dueKey({ target, block }: DueBlock): string {
  return `w/${block.fingerprint}/${target}`;
}

/** Why a block is due, in words. */
export function reasonsOf({ code, until }: DueBlock): string[] {
  return [...code.map(changeWords), ...(until === null ? [] : [`You wanted to review this again on ${until}`])];
}

export async function item(
  { bearings, live, runs, visitor }: { bearings: Rooms; live: Live; runs: RunSource; visitor: Visitor },
  key: string,
): Promise<Item> {
  const { binding, body } = await look({ bearings, live, runs }, key);
  rememberShown(visitor, binding);
  if (binding.type === 'proposal') await (await bearings.gate()).markShown(binding.shown.proposal_id, 'page');
  return { key, binding, body };
}

/** From now on this browser may decide on it. */
export function rememberShown(visitor: Visitor, binding: Binding): void {
  // An old one makes room: looking at it again is all it takes.
  const [oldest] = visitor.shown;
  if (visitor.shown.size >= MOST_SHOWN && oldest !== undefined) visitor.shown.delete(oldest);
  visitor.shown.add(bindingHash(binding));
}

export function bindingHash(binding: Binding): string {
  return createHash('sha256').update(JSON.stringify(binding)).digest('hex');
}

async function look(
  { bearings, live, runs }: { bearings: Rooms; live: Live; runs: RunSource },
  key: string,
): Promise<{ binding: Binding; body: ItemBody }> {
  const mark = key.slice(0, 2);
  const name = key.slice(2);
  if (mark === 'p/') return readProposal(bearings, live, name);
  const approval = mark === 'a/' ? (await runs.waiting()).find(({ run }) => run === name) : undefined;
  if (approval) {
    const { run, name: called, file, question, shown: content, at, sha256 } = approval;
    return {
      binding: { type: 'approve', run, sha256 },
      body: { type: 'approve', run, name: called, file, question, content, at },
    };
  }
  const all = await waiting(bearings, live);
  if (mark === 'c/' && all.clients.length > 0)
    return {
      binding: { type: 'clients', sha256: clientsHash(all.clients) },
      body: { type: 'clients', decisions: all.clients },
    };
  if (mark === 'f/' && all.first.length > 0)
    return {
      binding: { type: 'first', files: all.first.map(({ target, blocks, sha256 }) => ({ target, blocks, sha256 })) },
      body: { type: 'first', files: all.first },
    };
  const aside = mark === 'd/' ? all.aside.find(({ proposal_id }) => proposal_id === name) : undefined;
  if (aside) {
    const { proposal_id, content_sha256 } = aside;
    const diff = withoutOuterBlankLines(aside.content)
      .split('\n')
      .map((text) => ({ mark: '+' as const, number: null, text }));
    return {
      binding: { type: 'aside', proposal_id, content_sha256 },
      body: { type: 'aside', ...wordsOf(aside), diff },
    };
  }
  const signer = mark === 'k/' ? all.keys.find(({ fingerprint }) => fingerprint === name) : undefined;
  if (signer) return { binding: { type: 'key', fingerprint: name }, body: { type: 'key', ...signer } };
  const merged = mark === 'm/' ? all.merged.find(({ target }) => target === name) : undefined;
  if (merged) {
    const { target, before_sha256, fused, doubled, retired, text } = merged;
    return {
      binding: { type: 'merged', target, before_sha256 },
      body: { type: 'merged', target, fused, doubled, retired, text },
    };
  }
  const found = mark === 'b/' ? all.blocks.find((each) => blockKey(each) === key) : undefined;
  if (found) {
    const { target, block, before } = found;
    return {
      binding: { type: 'block', target, fingerprint: block.fingerprint },
      body: { type: 'block', target, first_line: block.first_line, text: block.text, before },
    };
  }
  const due = mark === 'w/' ? all.due.find((each) => dueKey(each) === key) : undefined;
  if (due) {
    const { target, block } = due;
    const reasons = reasonsOf(due);
    return {
      binding: { type: 'due', target, fingerprint: block.fingerprint, reasons },
      body: { type: 'due', target, first_line: block.first_line, content: block.text, reasons },
    };
  }
  throw notFound('This no longer waits.', 'It may have been decided elsewhere.');
}

/** What was shown of them: one that came since is not among those that were seen. */
export function clientsHash(decisions: ClientDecisions): string {
  return createHash('sha256').update(JSON.stringify(decisions)).digest('hex');
}

async function readProposal(bearings: Rooms, live: Live, id: string): Promise<{ binding: Binding; body: ItemBody }> {
  const { proposal, diff, state, similar, contradicts, declined } = await (await bearings.gate()).showProposal(id);
  const { proposals } = await waiting(bearings, live);
  const own = groupedBySession(proposals).find(({ proposal: each }) => each.proposal_id === id)?.group;
  return {
    binding: { type: 'proposal', shown: shownOf(proposal) },
    body: {
      type: 'proposal',
      group: own && own.total > 1 ? own : null,
      ...wordsOf(proposal),
      diff,
      state,
      replaces: proposal.replaces,
      similar,
      contradicts: contradicts.map(({ place, line, text }) => ({ place, line, text })),
      declined: declined && { at: declined.at, reason: declined.reason },
      conflicts: await (await bearings.page()).conflictsWith(proposal),
    },
  };
}

function wordsOf(proposal: Proposal) {
  const { client, reason, category, created_at, content, session_id, image_id, kind, file } = proposal;
  return {
    target: targetOf(proposal),
    client,
    reason,
    category,
    created_at,
    content,
    session_id,
    image_id,
    kind,
    file,
    until: proposal.until ?? null,
  };
}

function titleOf(text: string): string {
  const line = withoutOuterBlankLines(text).split('\n')[0] ?? '';
  return [...line].slice(0, TITLE_CHARS).join('');
}
