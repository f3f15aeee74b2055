import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { type Proposal, shownOf } from '../../gate/proposals/proposal.ts';
import { FEWEST_LISTED, groupedBySession, groupOf, whyOf } from '../../gate/proposals/session-groups.ts';
import { WAITING_KINDS, waitingOf } from '../../waiting/waiting.ts';
import type { Ask, Page } from '../answers.ts';
import { rememberShown, type Visitor, wasShown } from '../guard.ts';
import * as entries from './entries.ts';

// More than anybody decides in one go: the rest comes when these are done.
const MAX_ROWS = 1000;
// Nobody reads more in one go; what an import brought beyond it is the next list.
const MAX_LISTED = 100;

export function queueRoutes({ bearings, runs }: Pick<Page, 'bearings' | 'runs'>) {
  /** All that waits for the person but runs, which change without a change of memory. */
  const waiting = whileUnchanged(bearings, async () => {
    const gate = await bearings.gate();
    const here = await (await bearings.memory()).workspaceKey({});
    // Those of the workspace that the page was started in come first.
    const isForeign = ({ image_id }: Proposal) => Number(image_id !== here);
    const proposals = (await gate.listProposals('all')).sort((a, b) => isForeign(a) - isForeign(b));
    const record = (await gate.faults('all')).map(({ ledger, message }) => `${ledger}: ${message}`).join('; ');
    const others: Entry[] = [];
    for (const kind of WAITING_KINDS) others.push(...(await waitingOf(gate, kind, 'all')).map(entries.waitingEntry));
    return {
      proposals: groupedBySession(proposals),
      warnings: [...(record ? [`The record of decisions: ${record}`] : []), ...(await gate.sessionWarnings('all'))],
      clients: others.filter(({ row }) => row.type === 'clients'),
      // What no word of the person settles is told in the warnings.
      others: others.filter(({ row, body }) => row.type !== 'clients' && body.choices.length > 1),
    };
  });
  const runEntries = async () => (await runs.waiting()).map((run) => entries.runEntry(runs, run));
  const ofList = async (key: string) =>
    (await waiting()).proposals.map(({ proposal }) => proposal).filter((proposal) => listKey(proposal) === key);

  // What one session proposed, each text whole: it can be decided as it is shown here.
  const listEntry = async (key: string, visitor: Visitor) => {
    const all = await ofList(key);
    const [first] = all;
    if (!first) throw gone();
    const gate = await bearings.gate();
    const { lines, others } = await gate.sessionList(all.slice(0, MAX_LISTED));
    const { client, image_id, created_at } = first;
    const body = {
      ...{ type: 'list' as const, client, image_id, created_at },
      /** How many of the session wait, and how many of those on this page come by themselves. */
      ...{ total: all.length, others: others.length },
      next: others[0] ? proposalKey(others[0]) : null,
      /** None: they are better decided one by one. */
      lines: lines.map(({ proposal, target }) => ({
        ...{ key: proposalKey(proposal), target, why: whyOf(proposal) },
        ...{ content: proposal.content, until: proposal.until ?? null },
        binding: rememberShown(visitor, shownOf(proposal), entries.proposalDeeds(gate, proposal)),
      })),
    };
    return { body, deeds: {}, what: [key, body] };
  };

  const entryAt = async (key: string, visitor: Visitor) => {
    if (key.startsWith('l/')) return listEntry(key, visitor);
    const { clients, others, proposals } = await waiting();
    if (key.startsWith('p/')) {
      const gate = await bearings.gate();
      const own = proposals.find(({ proposal, group }) => proposalKey(proposal) === key && group.total > 1);
      const found = entries.proposalEntry(gate, await gate.showProposal(key.slice(2)), own?.group ?? null);
      await gate.markShown(key.slice(2), 'page');
      return found;
    }
    const asking = key.startsWith('a/') ? await runEntries() : [];
    const found = [...clients, ...asking, ...others].find(({ row }) => row.key === key);
    if (!found) throw gone();
    return { ...found, what: [key, found.body] };
  };

  return {
    // Proposals and runs, and everything else. What is shown one by one though there is enough for a list: the session of the
    // proposal that is asked for. The rows are short: the text itself comes with the item.
    async 'GET /api/queue'({ text }: Pick<Ask, 'text'>) {
      const [gate, key] = [await bearings.gate(), text('key')];
      const { clients, proposals, others, warnings } = await waiting();
      const asked = proposals.find(({ proposal }) => proposalKey(proposal) === key)?.proposal;
      const oneByOne = asked && groupOf(asked);
      const rows = proposals.flatMap(({ proposal, group }) => {
        const list = listKey(proposal);
        const isListed = list === key || (group.total >= FEWEST_LISTED && groupOf(proposal) !== oneByOne);
        if (!isListed) return [entries.waitingRow(proposal, group, group.total >= FEWEST_LISTED ? list : null)];
        return group.index === 1 ? [entries.listRow(list, proposal, group.total)] : [];
      });
      const before = [...clients, ...(await runEntries())].map(({ row }) => row);
      const main = [...before, ...rows];
      const rest = others.map(({ row }) => row);
      return {
        main: { total: main.length, rows: main.slice(0, MAX_ROWS) },
        others: { total: rest.length, rows: rest.slice(0, MAX_ROWS) },
        /** Whether the asked-for key still waits. */
        waitsHere: [...main, ...rest].some((row) => row.key === key),
        /** All that is to be decided: what was set aside undecided need not be. */
        waits: before.length + proposals.length + rest.filter(({ type }) => type !== 'aside').length,
        level: await gate.confirmLevel(),
        /** Of the last check, for `verify --expect`. */
        code: await gate.lastCode(),
        /** Of the record of decisions, and of proposals that can't be listed. */
        warnings,
        /** At `passkey`: ids of the authenticators' keys. */
        credentials: (await gate.passkeys())?.credentials ?? [],
      };
    },

    async 'GET /api/item'({ visitor, text }: Ask) {
      const key = text('key');
      const { body, deeds, what } = await entryAt(key, visitor);
      return { key, binding: rememberShown(visitor, what, deeds), body };
    },

    /** The end of a list was on the screen: a clean end of the session may set aside what stays undecided. */
    async 'POST /api/seen'({ visitor, body }: Ask) {
      const { key } = await body(z.object({ key: z.string() }), 'Name a list.');
      const own = (await ofList(key)).filter((proposal) => wasShown(visitor, shownOf(proposal)));
      for (const { proposal_id } of own) await (await bearings.gate()).markShown(proposal_id, 'page');
      return { seen: own.length };
    },

    /** Another one: something of memory changed. What, the page asks for by itself. Null: something changes right now. */
    'GET /api/stamp': async () => ({ stamp: await (await bearings.page()).memoryStamp() }),
  };
}

type Entry = ReturnType<typeof entries.waitingEntry>;

const gone = () => notFound('This no longer waits.', 'It may have been decided elsewhere.');
const proposalKey = ({ proposal_id }: Proposal) => `p/${proposal_id}`;
const listKey = (proposal: Proposal) => `l/${groupOf(proposal)}`;

// Made once and kept while nothing of memory changes: moving from one thing to the next asks for it each time.
function whileUnchanged<T>(bearings: Rooms, make: () => Promise<T>): () => Promise<T> {
  let known: { stamp: string; value: Promise<T> } | null = null;
  return async () => {
    const stamp = await (await bearings.page()).memoryStamp();
    if (stamp === null) return make();
    if (known?.stamp !== stamp) known = { stamp, value: make() };
    const { value } = known;
    // A failure is not kept: the next one tries again.
    value.catch(() => {
      known = null;
    });
    return value;
  };
}
