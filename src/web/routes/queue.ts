import { z } from 'zod';
import { notFound } from '../../errors.ts';
import { shownOf } from '../../gate/proposals/proposal.ts';
import { groupedBySession, groupOf, whyOf } from '../../gate/proposals/session-groups.ts';
import type { Ask, Page } from '../answers.ts';
import { rememberShown, wasShown } from '../guard.ts';
import * as entries from './entries.ts';

// More than anybody decides in one go: the rest comes when these are done.
const MAX_ROWS = 1000;
// Nobody reads more in one go; what an import brought beyond it is the next list.
const MAX_LISTED = 100;

type Source = Pick<Page, 'bearings' | 'live' | 'runs'>;

/** All that waits for the person but runs, which change without a change of memory. */
function waiting({ bearings, live }: Pick<Page, 'bearings' | 'live'>) {
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
    const record = faults.map(({ ledger, message }) => `${ledger}: ${message}`).join('; ');
    const aside = (await gate.discardedProposals()).map((proposal) => entries.asideEntry(gate, proposal));
    // What is gone is asked about in the terminal: there is no text in the file to show.
    const blocks = (await gate.unaccountedBlocks('all')).filter(({ gone }) => !gone);
    return {
      proposals,
      warnings: [...(record ? [`The record of decisions: ${record}`] : []), ...(await gate.sessionWarnings('all'))],
      // A client's own question may have been answered by a program.
      clients: clients.length === 0 ? [] : [entries.clientsEntry(gate, clients)],
      // Made with what they show: kept by themselves they could be old under a newer stamp, and stay.
      rows: groupedBySession(proposals).map(({ proposal, group }) =>
        entries.proposedRow('proposal', 'p', proposal, {
          session: groupOf(proposal),
          group: group.total === 1 ? null : group,
        }),
      ),
      others: [
        ...(first.length === 0 ? [] : [entries.firstEntry(gate, first)]),
        ...(await gate.unknownKeys()).map((key) => entries.keyEntry(gate, key)),
        ...entries.faultEntries(gate, faults),
        ...(await gate.mergedFiles('all')).map((file) => entries.mergedEntry(gate, file)),
        ...blocks.map((block) => entries.blockEntry(gate, block)),
        ...(await gate.dueBlocks('all')).map((due) => entries.dueEntry(gate, due)),
        ...aside,
      ],
      aside,
    };
  });
}

const runEntries = async ({ runs }: Source) => (await runs.waiting()).map((run) => entries.runEntry(runs, run));

// What waits: proposals and runs, or with `list: 'else'` everything else. Where a key is asked for, its list counts; where
// nothing else waits, the first. The rows are short: the text itself comes with the item.
export async function queue(source: Source, { list, key }: { list: string; key: string | null }) {
  const { bearings } = source;
  const gate = await bearings.gate();
  const { clients, rows: proposed, others, aside, warnings } = await waiting(source);
  const main = [...[...clients, ...(await runEntries(source))].map(({ row }) => row), ...proposed];
  const rest = others.map(({ row }) => row);
  const isIn = (rows: readonly entries.Row[]) => rows.some((row) => row.key === key);
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
    /** All that is to be decided: what was set aside undecided need not be. */
    waits: main.length + rest.length - aside.length,
    level: await gate.confirmLevel(),
    /** Of the last check, for `verify --expect`. */
    code: await gate.lastCode(),
    /** Of the record of decisions, and of proposals that can't be listed. */
    warnings,
    /** At `passkey`: ids of the authenticators' keys. */
    credentials: (await gate.passkeys())?.credentials ?? [],
    workspaces: (await (await bearings.workspaces()).listWorkspaces()).length,
  };
}

export function queueRoutes(page: Page) {
  const { bearings } = page;
  const ofSession = async (session: string) =>
    (await waiting(page)).proposals.filter((proposal) => groupOf(proposal) === session);

  return {
    'GET /api/queue': ({ text }: Ask) => queue(page, { list: text('list'), key: text('key') || null }),

    async 'GET /api/item'({ visitor, text }: Ask) {
      const key = text('key');
      const { body, deeds, what } = await entryAt(page, key);
      if (body.type === 'proposal') await (await bearings.gate()).markShown(key.slice(2), 'page');
      return { key, binding: rememberShown(visitor, what, deeds), body };
    },

    /** What one session proposed, on one list, each text whole: it can be decided as it is shown here. */
    async 'GET /api/session-list'({ visitor, text }: Ask) {
      const all = await ofSession(text('session'));
      const [first] = all;
      if (!first) throw notFound('Nothing of this session waits.', 'It may have been decided elsewhere.');
      const gate = await bearings.gate();
      const { lines, others } = await gate.sessionList(all.slice(0, MAX_LISTED));
      const [next] = others;
      return {
        client: first.client,
        image_id: first.image_id,
        created_at: first.created_at,
        /** How many of the session wait. */
        total: all.length,
        /** How many of those on this page come by themselves. */
        others: others.length,
        /** The first of them; null: none. */
        next: next ? `p/${next.proposal_id}` : null,
        /** None: they are better decided one by one. */
        lines: lines.map(({ proposal, target }) => ({
          ...{ target, why: whyOf(proposal), content: proposal.content, until: proposal.until ?? null },
          binding: rememberShown(visitor, shownOf(proposal), entries.proposalDeeds(gate, proposal)),
        })),
      };
    },

    /** The end of the list was on the screen: a clean end of the session may set aside what stays undecided. */
    async 'POST /api/session-list-seen'({ visitor, body }: Ask) {
      const { session } = await body(z.object({ session: z.string() }), 'Name a session.');
      const own = (await ofSession(session)).filter((proposal) => wasShown(visitor, shownOf(proposal)));
      for (const { proposal_id } of own) await (await bearings.gate()).markShown(proposal_id, 'page');
      return { seen: own.length };
    },
  };
}

async function entryAt(page: Page, key: string) {
  const { clients, others, rows } = await waiting(page);
  if (key.startsWith('p/')) {
    const gate = await page.bearings.gate();
    const group = rows.find((row) => row.key === key)?.group ?? null;
    return entries.proposalEntry(gate, await gate.showProposal(key.slice(2)), group);
  }
  const runs = key.startsWith('a/') ? await runEntries(page) : [];
  const found = [...clients, ...runs, ...others].find(({ row }) => row.key === key);
  if (!found) throw notFound('This no longer waits.', 'It may have been decided elsewhere.');
  return { ...found, what: [key, found.body] };
}
