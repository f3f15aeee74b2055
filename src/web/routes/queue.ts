import type { DueBlock, Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { minutesFor } from '../../gate/proposal-groups.ts';
import { type Proposal, saidBy, shownOf, targetOf } from '../../gate/proposals/proposal.ts';
import { groupedBySession, groupOf, type SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import type { Ask, Page } from '../answers.ts';
import { type Binding, rememberShown, sha256 } from '../binding.ts';

// More than anybody decides in one go: the rest comes when these are done.
const MAX_ROWS = 1000;
const TITLE_CHARS = 120;
// Each has its own question, or is put right elsewhere: nothing is settled by looking away.
const NOT_SETTLED_HERE = ['foreign_key', 'block_gone', 'key_replaced', 'level_lowered'];

type Gate = Awaited<ReturnType<Rooms['gate']>>;
type Source = Pick<Page, 'bearings' | 'live' | 'runs'>;

interface Row {
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

function rowOf<T extends Binding['type']>(type: T, row: Pick<Row, 'key' | 'title'> & Partial<Row>): Row & { type: T } {
  return { type, target: '', by: '', at: null, session: null, group: null, ...row, title: titleOf(row.title) };
}

/** Something that waits: its row in the list, what a decision is bound to, and what is shown. */
function entry<T extends Binding['type'], B extends object>(
  row: Parameters<typeof rowOf>[1],
  binding: Binding & { type: T },
  body: B,
) {
  const { type } = binding as { type: T };
  return { row: rowOf(type, row), binding: binding as Binding, body: { type, ...body } };
}

/** All that waits for the person but runs, which change without a change of memory. */
export function waiting({ bearings, live }: Pick<Page, 'bearings' | 'live'>) {
  return live.remembered('waiting', async () => {
    const gate = await bearings.gate();
    const here = await (await bearings.memory()).workspaceKey({});
    const all = await gate.listProposals('all');
    // Those of the workspace that the page was started in come first.
    const [own, foreign] = [true, false].map((isHere) => all.filter(({ image_id }) => (image_id === here) === isHere));
    const proposals = [...(own ?? []), ...(foreign ?? [])];
    const clients = await gate.decidedByClients();
    const first = await gate.neverAccounted('all');
    const faults = await gate.faults('all');
    const opposed = await gate.contradictingTastes('all');
    const aside = (await gate.discardedProposals()).map((proposal) =>
      entry(
        proposedRow('d', proposal),
        { type: 'aside', proposal_id: proposal.proposal_id, content_sha256: proposal.content_sha256 },
        wordsOf(proposal),
      ),
    );
    return {
      proposals,
      faults: faults.map(({ ledger, message }) => `${ledger}: ${message}`),
      // A client's own question may have been answered by a program.
      clients: clients.length === 0 ? [] : [clientsEntry(clients)],
      first: first.length === 0 ? [] : [firstEntry(first)],
      // Made with what they show: kept by themselves they could be old under a newer stamp, and stay.
      rows: groupedBySession(proposals).map(({ proposal, group }) =>
        rowOf('proposal', {
          ...proposedRow('p', proposal),
          session: groupOf(proposal),
          group: group.total === 1 ? null : group,
        }),
      ),
      others: [
        ...(await recordEntries(gate, faults)),
        ...(await textEntries(gate)),
        ...(await gate.dueBlocks('all')).map(dueEntry),
        ...aside,
        ...(opposed.length === 0 ? [] : [opposedEntry(opposed)]),
      ],
      /** How many of them need no decision. */
      told: aside.length + Math.min(opposed.length, 1),
    };
  });
}

function clientsEntry(decisions: Awaited<ReturnType<Gate['decidedByClients']>>) {
  const row = { key: 'c/all', title: 'Decided through a client' };
  return entry(row, { type: 'clients', sha256: clientsHash(decisions) }, { decisions });
}

// Told and never resolved: the person edits one of them, or leaves both.
function opposedEntry(lines: string[]) {
  const row = { key: 't/all', title: 'Tastes that may contradict each other' };
  return entry(row, { type: 'tastes', sha256: sha256(lines.join('\n')) }, { lines });
}

function firstEntry(files: Awaited<ReturnType<Gate['neverAccounted']>>) {
  const bound = files.map(({ target, blocks, sha256: hash }) => ({ target, blocks, sha256: hash }));
  return entry({ key: 'f/all', title: 'What was there before' }, { type: 'first', files: bound }, { files });
}

// What is to be said about the record of decisions: whose key signed, and what does not verify.
async function recordEntries(gate: Gate, all: Awaited<ReturnType<Gate['faults']>>) {
  const keys = (await gate.unknownKeys()).map((key) =>
    entry(
      { key: `k/${key.fingerprint}`, target: key.ledger, title: `Key ${key.fingerprint}` },
      { type: 'key', fingerprint: key.fingerprint },
      key,
    ),
  );
  const faults = all.filter(({ kind }) => !NOT_SETTLED_HERE.includes(kind));
  return [
    ...keys,
    ...faults.map(({ id, ledger, chain, message, kind }) =>
      entry(
        { key: `x/${id}`, target: ledger, title: message },
        { type: 'fault', id, ledger },
        { ledger, chain, message, is_clone: kind === 'clone' },
      ),
    ),
  ];
}

async function textEntries(gate: Gate) {
  const merged = (await gate.mergedFiles('all')).map(({ target, before_sha256, fused, doubled, retired, text }) =>
    entry(
      { key: `m/${target}`, target, title: 'Merged by git' },
      { type: 'merged', target, before_sha256 },
      { target, fused, doubled, retired, text },
    ),
  );
  // What is gone is asked about in the terminal: there is no text in the file to show.
  const blocks = (await gate.unaccountedBlocks('all')).filter(({ gone }) => !gone);
  return [
    ...merged,
    ...blocks.map(({ target, before, block: { fingerprint, first_line, text } }) =>
      entry(
        { key: `b/${fingerprint}/${target}`, target, title: text },
        { type: 'block', target, fingerprint },
        { target, first_line, text, before },
      ),
    ),
  ];
}

function dueEntry(found: DueBlock) {
  const { target, block } = found;
  const reasons = reasonsOf(found);
  return entry(
    { key: `w/${block.fingerprint}/${target}`, target, title: block.text },
    { type: 'due', target, fingerprint: block.fingerprint, reasons },
    { target, first_line: block.first_line, content: block.text, reasons },
  );
}

/** What was shown of them: one that came since is not among those that were seen. */
export function clientsHash(decisions: Awaited<ReturnType<Gate['decidedByClients']>>): string {
  return sha256(JSON.stringify(decisions));
}

/** Why a block is due, in words. */
export function reasonsOf({ code, until }: DueBlock): string[] {
  return [...code.map(changeWords), ...(until === null ? [] : [`You wanted to review this again on ${until}`])];
}

function runEntry({ run, name, file, question, shown: content, at, sha256: hash }: WaitingRun) {
  return entry(
    { key: `a/${run}`, target: titleOf(name), title: question, by: `run ${run}`, at },
    { type: 'approve', run, sha256: hash },
    { run, name, file, question, content, at },
  );
}

// What waits: proposals and runs, or with `list: 'else'` everything else. Where a key is asked for, its list counts; where
// nothing else waits, the first. The rows are short: the text itself comes with the item.
export async function queue(source: Source, { list, key }: { list: string; key: string | null }) {
  const { bearings } = source;
  const gate = await bearings.gate();
  const { clients, first, proposals, rows: proposed, others, told, faults } = await waiting(source);
  const before = [...clients, ...(await source.runs.waiting()).map(runEntry)];
  const main = [...before.map(({ row }) => row), ...proposed];
  const rest = [...first, ...others].map(({ row }) => row);
  const isIn = (rows: readonly Row[]) => rows.some((row) => row.key === key);
  const isElse = rest.length > 0 && (isIn(rest) || (list === 'else' && !isIn(main)));
  const rows = isElse ? rest : main;
  return {
    list: isElse ? ('else' as const) : ('main' as const),
    total: rows.length,
    /** Whether the asked-for key still waits. */
    waitsHere: isIn(rows),
    rows: rows.slice(0, MAX_ROWS),
    /** How many there are beside proposals and runs. */
    others: rest.length,
    /** All that is to be decided: what was set aside undecided, or is only told, need not be. */
    waits: main.length + rest.length - told,
    level: await gate.confirmLevel(),
    /** Of the last check, for `verify --expect`. */
    code: await gate.lastCode(),
    /** Of the record of decisions. */
    faults,
    /** At `passkey`: ids of the authenticators' keys. */
    credentials: (await gate.passkeys())?.credentials ?? [],
    workspaces: (await (await bearings.workspaces()).listWorkspaces()).length,
    /** How long it takes to read and decide on all proposals. */
    minutes: minutesFor(proposals.map(({ content }) => content)),
  };
}

export function queueRoutes(page: Page) {
  return {
    'GET /api/queue': ({ text }: Ask) => queue(page, { list: text('list'), key: text('key') || null }),

    async 'GET /api/item'({ visitor, text }: Ask) {
      const key = text('key');
      const { binding, body } = await (key.startsWith('p/')
        ? proposalEntry(page, key.slice(2))
        : otherEntry(page, key));
      rememberShown(visitor, binding);
      if (binding.type === 'proposal') await (await page.bearings.gate()).markShown(binding.shown.proposal_id, 'page');
      return { key, binding, body };
    },
  };
}

async function otherEntry(page: Page, wanted: string) {
  const { clients, first, others } = await waiting(page);
  const runs = wanted.startsWith('a/') ? await page.runs.waiting() : [];
  const found = [...clients, ...runs.map(runEntry), ...first, ...others].find(({ row }) => row.key === wanted);
  if (!found) throw notFound('This no longer waits.', 'It may have been decided elsewhere.');
  return found;
}

async function proposalEntry(page: Page, id: string) {
  const { bearings } = page;
  const { proposal, diff, state, similar, contradicts, declined } = await (await bearings.gate()).showProposal(id);
  const own = (await waiting(page)).rows.find(({ key }) => key === `p/${id}`);
  return entry(
    proposedRow('p', proposal),
    { type: 'proposal', shown: shownOf(proposal) },
    {
      ...wordsOf(proposal),
      group: own?.group ?? null,
      diff,
      state,
      replaces: proposal.replaces,
      similar,
      contradicts: contradicts.map(({ place, line, text }) => ({ place, line, text })),
      declined: declined && { at: declined.at, reason: declined.reason },
    },
  );
}

function proposedRow(mark: 'p' | 'd', proposal: Proposal) {
  const { proposal_id, client: by, created_at: at } = proposal;
  return { key: `${mark}/${proposal_id}`, target: targetOf(proposal), title: saidBy(proposal), by, at };
}

function wordsOf(proposal: Proposal) {
  const { client, reason, category, created_at, content } = proposal;
  return { target: targetOf(proposal), client, reason, category, created_at, content, until: proposal.until ?? null };
}

function titleOf(text: string): string {
  const line = withoutOuterBlankLines(text).split('\n')[0] ?? '';
  return [...line].slice(0, TITLE_CHARS).join('');
}
