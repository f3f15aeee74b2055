import type { MergedFile } from '../../bearings.ts';
import { targetOf } from '../../gate/proposals/proposal.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf, counted, indented, wrapTo } from '../views/columns.ts';
import { proposalView } from '../views/proposal-view.ts';
import { type Conversation, choose, type Step, type Target } from './conversation.ts';
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
  return [
    ...kind((await gate.decidedByClients()).length, "decided through a client's own question", reviewClients),
    ...kind((await gate.unknownKeys()).length, 'signed by a key you do not know', reviewKeys),
    ...kind(faults.length, 'faults in the record of decisions', reviewFaults),
    ...kind((await gate.unaccountedBlocks(target)).length, 'written by hand: adopt or take out', reviewUnaccounted),
    ...kind((await gate.discardedSinceReview()).length, 'set aside at the end of a session', reviewSetAside),
    ...kind((await gate.olderTaste()).length, 'older taste.md to move', reviewOlderTaste),
    ...kind((await gate.mergedFiles(target)).length, 'merged by git: tidy or keep', reviewMerged),
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
  const page = {
    lines: () => [
      `${counted(decided.length, 'decision')} since you last looked came through a client's own question:`,
      '',
      ...decided.map(({ decision, at, client, target }) =>
        showHidden(`  ${decision.padEnd(8)} ${target} · ${client ?? 'unknown'} · ${ageOf(at, now)}`),
      ),
      '',
      'If you were not asked, a program answered: elicitation_off: "*" in config.yaml, then bearings why.',
    ],
    keys: '[g]o on  [?] help  [q]uit',
    yes: 'g',
    help: ['g   you have seen these; they are not shown again', 'q   shows them again next time'],
  };
  if ((await conversation.screen.choose(page)) === 'q') return false;
  await gate.rememberClientDecisions();
  return true;
};

// What was set aside at a clean end since the person last looked: they are asked once, and can list it any time.
const reviewSetAside: Step = async (conversation) => {
  const { bearings, terminal } = conversation;
  const gate = await bearings.gate();
  const aside = await gate.discardedSinceReview();
  for (const [index, proposal] of aside.entries()) {
    const diff = proposal.content.split('\n').map((text) => ({ mark: '+' as const, number: null, text }));
    const target = targetOf(proposal);
    const view = { proposal, target, diff, state: 'fresh', similar: [], contradicts: [], declined: null } as const;
    const place = { index: index + 1, total: aside.length };
    const page = {
      lines: (columns: number) => [
        'Set aside at the end of a session, before you decided:',
        '',
        ...proposalView(
          { ...view, similar: [], contradicts: [] },
          { columns, now: new Date(), paint: terminal.paint, place },
        ).split('\n'),
      ],
      keys: '[r]evive  [s]kip  [?] help  [q]uit',
      yes: '',
      help: ['r   brings it back to what waits', 's   leaves it aside: bearings review --list --discarded'],
    };
    const revive = async () => {
      const { proposal_id } = await gate.reviveProposal(proposal.proposal_id);
      return `revived · ${target} · ${proposal_id}`;
    };
    if ((await choose(conversation, page, { r: revive })) === 'q') return false;
  }
  await gate.rememberReview();
  return true;
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
  for (const older of await gate.olderTaste()) {
    const page = {
      lines: (columns: number) => [
        terminal.paint('bold', OLDER_TASTE_QUESTION),
        '',
        ...olderTasteLines(older.text, columns),
      ],
      keys: '[m]ove it  [s]kip  [?] help  [q]uit',
      help: [
        'm   the whole file, as it is shown; recorded as your edit',
        's   leaves it where it is: it stays your default taste',
      ],
    };
    const move = async () => {
      await gate.moveOlderTaste(older, { via: 'review', passphrase });
      return 'moved · tastes/_default.md · bearings why tastes/_default.md';
    };
    if ((await choose(conversation, page, { m: move })) === 'q') return false;
  }
  return true;
};

const reviewKeys: Step = async (conversation) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  for (const { fingerprint, decisions, ledger, who, machine, last } of await gate.unknownKeys()) {
    const page = {
      lines: () => [
        `${counted(decisions, 'decision')} of ${showHidden(ledger)} ${decisions === 1 ? 'is' : 'are'} signed by a key you do not know:`,
        '',
        `  fingerprint  ${showHidden(fingerprint)}`,
        `  says it is   ${showHidden(who)} on ${showHidden(machine)}`,
        `  last used    ${ageOf(last, new Date())}`,
        '',
        'Trust it only if its owner told you this fingerprint. Until then its decisions do not count.',
      ],
      keys: '[t]rust it  [s]kip  [?] help  [q]uit',
      help: [
        't   counts its decisions from now on: bearings verify --untrust takes it back',
        's   asks again next time',
      ],
    };
    const trust = async () => {
      await gate.trustKey(fingerprint, { passphrase });
      return `trusted · ${fingerprint} · bearings verify`;
    };
    if ((await choose(conversation, page, { t: trust })) === 'q') return false;
  }
  return true;
};

// What is wrong with the record, or came with a clone: told once, and settled by the person's word.
const reviewFaults: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  for (const fault of await gate.faults(target)) {
    if (ASKED_ELSEWHERE.includes(fault.kind)) continue;
    const isClone = fault.kind === 'clone';
    const isOfKey = OF_THE_KEY.includes(fault.kind);
    const chain = fault.chain === null ? '' : `, chain ${showHidden(fault.chain)}`;
    const page = {
      lines: (columns: number) => [
        `The record of decisions, ${showHidden(fault.ledger)}${chain}:`,
        '',
        ...wrapTo(showHidden(fault.message), columns - 4).map((row) => `  ${row}`),
        '',
        isClone
          ? 'Is this folder yours, with what was decided in it?'
          : isOfKey
            ? 'No key press settles this: restore key.json or the ledger from a backup.'
            : 'What does not verify does not count. Settle it once you know why.',
      ],
      keys: isOfKey
        ? '[s]kip  [?] help  [q]uit'
        : isClone
          ? '[y]es, it is mine  [s]kip  [?] help  [q]uit'
          : '[t] settle it  [s]kip  [?] help  [q]uit',
      help: [
        ...(isOfKey
          ? []
          : [
              isClone
                ? 'y   decisions by you and by keys you trust count here from now on'
                : 't   signed as known to you: it is not told again',
            ]),
        's   asks again next time',
      ],
    };
    const settle = async () => {
      await gate.settleFault(fault, { passphrase });
      return `settled · ${fault.ledger} · bearings verify`;
    };
    if ((await choose(conversation, page, isOfKey ? {} : isClone ? { y: settle } : { t: settle })) === 'q')
      return false;
  }
  return true;
};

const reviewMerged: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const gate = await bearings.gate();
  for (const merged of await gate.mergedFiles(target)) {
    const page = {
      lines: (columns: number) => [
        `${showHidden(merged.target)} was merged: ${mergeWords(merged)}.`,
        'Tidied it reads:',
        '',
        ...indented(merged.text, columns),
      ],
      keys: '[t]idy  [k]eep as it is  [s]kip  [?] help  [q]uit',
      help: [
        't   every block by itself and once; recorded as your edit',
        'k   it is how you want it',
        's   asks again next time',
      ],
    };
    const tidy = async () => {
      await gate.tidyFile(merged, edit);
      return `tidied · ${merged.target} · bearings why ${namedFile(merged)}`;
    };
    const keep = async () => {
      await gate.keepMerged(merged, edit);
      return `kept · ${merged.target}`;
    };
    if ((await choose(conversation, page, { t: tidy, k: keep })) === 'q') return false;
  }
  return true;
};

function mergeWords({ fused, doubled, retired }: MergedFile): string {
  const parts = [
    fused > 0 ? `${counted(fused, 'block')} ran into another` : '',
    doubled > 0 ? `${counted(doubled, 'block')} ${doubled === 1 ? 'is' : 'are'} there twice` : '',
    retired > 0 ? `${counted(retired, 'block')} that no longer held came back` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
