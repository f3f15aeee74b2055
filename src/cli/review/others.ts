import type { MergedFile } from '../../gate/accounting/blame.ts';
import { targetOf } from '../../gate/proposals/proposal.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf, counted, fitTo, indented, wrapTo } from '../views/columns.ts';
import { type Conversation, choose, chooseEach, type Step, type Target } from './conversation.ts';
import { reviewDue } from './due.ts';
import { namedFile, reviewUnaccounted } from './unaccounted.ts';

interface Kind {
  title: string;
  count: number;
  review: Step;
}

/** Faults that have their own question. */
const ASKED_ELSEWHERE = ['foreign_key', 'block_gone'];
/** Faults that no word settles: the key is put right. */
const OF_THE_KEY = ['key_replaced', 'level_lowered'];

/** All that waits beside runs and proposals, by kind. */
export async function otherKinds({ bearings }: Pick<Conversation, 'bearings'>, target: Target): Promise<Kind[]> {
  const gate = await bearings.gate();
  const faults = (await gate.faults(target)).filter(({ kind }) => !ASKED_ELSEWHERE.includes(kind));
  const kind = (count: number, title: string, review: Step): Kind[] => (count > 0 ? [{ title, count, review }] : []);
  const unknown = (await gate.unknownKeys()).length;
  const unaccounted = unknown > 0 ? 'by hand, or by such a key' : 'written by hand';
  return [
    ...kind((await gate.decidedByClients()).length, "decided through a client's own question", reviewClients),
    ...kind(unknown, 'signed by a key you do not know', reviewKeys),
    ...kind(faults.length, 'faults in the record of decisions', reviewFaults),
    ...kind((await gate.unaccountedBlocks(target)).length, `${unaccounted}: adopt or take out`, reviewUnaccounted),
    ...kind((await gate.discardedSinceReview()).length, 'set aside at the end of a session', reviewSetAside),
    ...kind((await gate.olderTaste()).length, 'older taste.md to move', reviewOlderTaste),
    ...kind((await gate.mergedFiles(target)).length, 'merged by git: to tidy', reviewMerged),
    ...kind((await gate.dueBlocks(target)).length, 'to review again: code or date', reviewDue),
  ];
}

/** One list of everything else; where there is one kind alone, that. */
export async function reviewOthers(conversation: Conversation, target: Target): Promise<boolean> {
  const { screen, terminal } = conversation;
  const done = new Set<string>();
  for (;;) {
    const kinds = (await otherKinds(conversation, target)).filter(({ title }) => !done.has(title));
    const [only] = kinds;
    if (!only) return true;
    let chosen = only;
    if (kinds.length > 1) {
      const key = await screen.choose({
        lines: () => [
          terminal.paint('bold', 'Beside proposals there is'),
          '',
          ...kinds.map(({ title, count }, index) => `  [${index + 1}]  ${String(count).padStart(4)}  ${title}`),
        ],
        keys: `${kinds.map((_, index) => `[${index + 1}]`).join(' ')}  [n]ext  [?] help  [q]uit`,
        help: ['1   opens that kind; n the first of them', 'q   leaves the rest for later'],
      });
      if (key === 'q') return false;
      chosen = kinds[Number(key) - 1] ?? only;
    }
    if (!(await chosen.review(conversation, target))) return false;
    done.add(chosen.title);
  }
}

// A client's own question may have been answered by a program.
export const reviewClients: Step = async (conversation) => {
  const gate = await conversation.bearings.gate();
  const decided = await gate.decidedByClients();
  const now = new Date();
  const lines = (columns: number) =>
    [
      `${counted(decided.length, 'decision')} since you last looked came through a client's own question:`,
      '',
      ...decided.map(({ decision, at, client, target }) =>
        showHidden(`  ${decision.padEnd(8)} ${target} · ${client ?? 'unknown'} · ${ageOf(at, now)}`),
      ),
      '',
      'If you were not asked, a program answered: elicitation_off: "*" in config.yaml, then bearings why.',
    ].flatMap((line) => wrapTo(line, columns));
  const choices = { '[g]o on': 'you have seen these; they are not shown again; q shows them next time' };
  if ((await choose(conversation, () => ({ lines, choices, yes: 'g' }))) === 'q') return false;
  await gate.rememberClientDecisions();
  return true;
};

// What was set aside at a clean end since the person last looked: they are asked once, and can list it any time.
const reviewSetAside: Step = async (conversation) => {
  const { bearings, terminal } = conversation;
  const gate = await bearings.gate();
  const isDone = await chooseEach(conversation, await gate.discardedSinceReview(), (proposal, place) => {
    const target = targetOf(proposal);
    const about = `${place.index} of ${place.total}   ${target} · ${proposal.client} · ${ageOf(proposal.created_at, new Date())}`;
    return {
      lines: (columns) => [
        'Set aside at the end of a session, before you decided:',
        '',
        terminal.paint('bold', fitTo(showHidden(about), columns)),
        ...indented(proposal.content, columns),
      ],
      choices: {
        '[r]evive': 'brings it back to what waits',
        '[s]kip': 'leaves it aside: bearings review --list --discarded',
      },
      acts: {
        r: async () => `revived · ${target} · ${(await gate.reviveProposal(proposal.proposal_id)).proposal_id}`,
      },
    };
  });
  if (isDone) await gate.rememberReview();
  return isDone;
};

export const OLDER_TASTE_QUESTION = 'Move your default taste, taste.md, to tastes/_default.md?';

/** All of it, as it stays: only its place changes. */
export function olderTasteLines(text: string, columns: number): string[] {
  const end = 'It is served as it is, before and after. Only its place changes.';
  return [...indented(text.trimEnd(), columns), '', end];
}

export const reviewOlderTaste: Step = async (conversation) => {
  const { bearings, terminal, passphrase } = conversation;
  const gate = await bearings.gate();
  return chooseEach(conversation, await gate.olderTaste(), (older) => ({
    lines: (columns) => [terminal.paint('bold', OLDER_TASTE_QUESTION), '', ...olderTasteLines(older.text, columns)],
    choices: {
      '[m]ove it': 'the whole file, as it is shown; recorded as your edit',
      '[s]kip': 'leaves it where it is: it stays your default taste',
    },
    acts: {
      m: async () => {
        await gate.moveOlderTaste(older, { via: 'review', passphrase });
        return 'moved · tastes/_default.md · bearings why tastes/_default.md';
      },
    },
  }));
};

const reviewKeys: Step = async (conversation) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  return chooseEach(conversation, await gate.unknownKeys(), ({ fingerprint, ...key }) => ({
    lines: (columns) =>
      [
        `${counted(key.decisions, 'decision')} of ${showHidden(key.ledger)} signed by a key you do not know:`,
        '',
        `  fingerprint  ${showHidden(fingerprint)}`,
        `  says it is   ${showHidden(`${key.who} on ${key.machine}`)}`,
        `  last used    ${ageOf(key.last, new Date())}`,
        '',
        'Trust it only if its owner told you this fingerprint. Until then its decisions do not count.',
      ].flatMap((line) => wrapTo(line, columns)),
    choices: {
      '[t]rust it': 'counts its decisions from now on: bearings verify --untrust takes it back',
      '[s]kip': 'asks again next time',
    },
    acts: {
      t: async () => {
        await gate.trustKey(fingerprint, { passphrase });
        return `trusted · ${fingerprint} · bearings verify`;
      },
    },
  }));
};

// What is wrong with the record, or came with a clone: told once, and settled by the person's word.
const reviewFaults: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  const faults = (await gate.faults(target)).filter(({ kind }) => !ASKED_ELSEWHERE.includes(kind));
  return chooseEach(conversation, faults, (fault) => {
    const chain = fault.chain === null ? '' : `, chain ${showHidden(fault.chain)}`;
    const [asks, choices] = questionAbout(fault.kind);
    const settle = async () => {
      await gate.settleFault(fault, { passphrase });
      return `settled · ${fault.ledger} · bearings verify`;
    };
    const acts = { [fault.kind === 'clone' ? 'y' : 't']: settle };
    return {
      acts: OF_THE_KEY.includes(fault.kind) ? {} : acts,
      lines: (columns) => [
        `The record of decisions, ${showHidden(fault.ledger)}${chain}:`,
        '',
        ...wrapTo(showHidden(fault.message), columns - 4).map((row) => `  ${row}`),
        '',
        asks,
      ],
      choices: { ...choices, '[s]kip': 'asks again next time' },
    };
  });
};

function questionAbout(kind: string): [string, Record<string, string>] {
  if (kind === 'clone')
    return [
      'Is this folder yours, with what was decided in it?',
      { '[y]es, it is mine': 'decisions by you and by keys you trust count here from now on' },
    ];
  if (OF_THE_KEY.includes(kind))
    return ['No key press settles this: restore key.json or the ledger from a backup.', {}];
  return [
    'What does not verify does not count. Settle it once you know why.',
    { '[t] settle it': 'signed as known to you: it is not told again' },
  ];
}

const reviewMerged: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  return chooseEach(conversation, await gate.mergedFiles(target), (merged) => ({
    lines: (columns) => [
      `${showHidden(merged.target)} was merged: ${mergeWords(merged)}.`,
      'Tidied it reads:',
      '',
      ...indented(merged.text, columns),
    ],
    choices: { '[t]idy': 'every block by itself and once; recorded as your edit', '[s]kip': 'asks again next time' },
    acts: {
      t: async () => {
        await gate.tidyFile(merged, { via: 'review', passphrase });
        return `tidied · ${merged.target} · bearings why ${namedFile(merged)}`;
      },
    },
  }));
};

function mergeWords({ fused, doubled, retired }: MergedFile): string {
  const parts = [
    fused > 0 && `${counted(fused, 'block')} ran into another`,
    doubled > 0 && `${counted(doubled, 'block')} ${doubled === 1 ? 'is' : 'are'} there twice`,
    retired > 0 && `${counted(retired, 'block')} that no longer held came back`,
  ];
  return parts.filter(Boolean).join(', ');
}
