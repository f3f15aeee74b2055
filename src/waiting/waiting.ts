import { typedName } from '../closest.ts';
import { conflict } from '../errors.ts';
import type { UnaccountedBlock } from '../gate/accounting/blame.ts';
import type { DueBlock } from '../gate/accounting/unaccounted.ts';
import type { NamedFile } from '../gate/domains/accounted-files.ts';
import type { gateUseCases } from '../gate/gate.ts';
import type { Proof } from '../gate/keys/confirm-level.ts';
import { changeWords } from '../gate/ledger/entry.ts';
import { saidBy, shownFile, targetOf } from '../gate/proposals/proposal.ts';
import { type DiffLine, linesOf } from '../gate/proposals/proposal-diff.ts';
import { counted } from '../words.ts';

type Gate = ReturnType<typeof gateUseCases>;
type Target = { id?: string } | 'all';

export const ACTIONS = [
  ...(['seen', 'accept', 'decline', 'revive', 'adopt', 'take_out'] as const),
  ...(['tidy', 'keep', 'trust', 'settle', 'retire', 'move'] as const),
];
type Action = (typeof ACTIONS)[number];

/** What the person adds to their word. */
export interface Added {
  edited?: string | undefined;
  reason?: string | undefined;
  /** A date or a span to look at it again. */
  until?: string | undefined;
}

/** What the level in force asked for, and where the person said it. */
export type Edit = Proof & { via: 'page' | 'review' };

/** What came of a decision. */
export interface Acted {
  status: string;
  target: string;
  ledger: number | null;
  /** What a terminal says to do next. */
  next?: string | undefined;
}

export type Deed = (added: Added, edit: Edit) => Promise<Acted>;

/** What can be decided on something, bound to what was shown of it. */
export type Deeds = Partial<Record<Action, Deed>>;

/** A piece of what is shown; `isOwn`: it is what the person may edit. */
export type Part =
  | { is: 'note' | 'warning'; text: string }
  | { is: 'text'; text: string; isOwn?: true }
  | { is: 'diff'; lines: DiffLine[]; isOwn?: true }
  | { is: 'rows'; rows: { cells: string[]; at?: string }[] };

/** A key, its word, what it does, and how: a deed, or what the person says first. */
export type Choice = readonly [key: string, label: string, about: string, act: Action | 'edit' | 'until' | 'skip'];

/** Something beside proposals that waits for the person, as every face shows it. */
export interface Waiting {
  type: 'clients' | 'key' | 'fault' | 'first' | 'merged' | 'block' | 'due' | 'aside' | 'older' | 'approve';
  key: string;
  title: string;
  about: string;
  /** In a list: its first words and where it is, if they are not the title; who, and when. */
  name?: string;
  where?: string;
  by?: string;
  at?: string;
  parts: Part[];
  choices: Choice[];
  deeds: Deeds;
}

/** What of it the person may put in other words; null: nothing. */
export function ownText(parts: readonly Part[]): string | null {
  const own = parts.find((part) => 'isOwn' in part && part.isOwn);
  if (own?.is === 'diff') return own.lines.map(({ text }) => text).join('\n');
  return own?.is === 'text' ? own.text : null;
}

/** The same with the person's words in it. */
export function asEdited(part: Part, edited: string | null | undefined): Part {
  if (typeof edited !== 'string' || !('isOwn' in part)) return part;
  return part.is === 'text' ? { ...part, text: edited } : diff(linesOf(edited, '+', part.lines[0]?.number ?? null));
}

/** Faults that have their own question. */
const ASKED_ELSEWHERE = ['foreign_key', 'block_gone'];
/** Faults that no word settles: the key is put right. */
const OF_THE_KEY = ['key_replaced', 'level_lowered'];
const SKIP: Choice = ['s', 'skip', 'leaves it as it is, for later', 'skip'];
const LEAVE: Choice = ['s', 'skip', 'leaves it as it is: it is served, and told beside every context', 'skip'];
const STANDING: Choice[] = [
  ['a', 'adopt', 'it is yours, written by hand: recorded as such', 'adopt'],
  ['t', 'take out', 'takes exactly these lines out of the file; bearings undo puts them back', 'take_out'],
];
const GONE: Choice[] = [
  ['a', 'it may be gone', 'you took it out: recorded as such', 'adopt'],
  ['t', 'put it back', 'writes exactly these lines again', 'take_out'],
];
const TOO_LONG = '(too long to be shown here)';

const note = (text: string): Part => ({ is: 'note', text });
const rows = (rows: { cells: string[]; at?: string }[]): Part => ({ is: 'rows', rows });
const diff = (lines: DiffLine[]) => ({ is: 'diff' as const, lines });

/** Each kind in the order in which it is asked about. */
const KINDS = {
  // A client's own question may have been answered by a program.
  async clients(gate: Gate): Promise<Waiting[]> {
    const decided = await gate.decidedByClients();
    const shown = JSON.stringify(decided);
    const seen = async () => {
      // One that came since is not among those that were seen.
      if (JSON.stringify(await gate.decidedByClients()) !== shown) throw outdated();
      await gate.rememberClientDecisions();
    };
    if (decided.length === 0) return [];
    return [
      {
        ...{ type: 'clients', key: 'c/all', title: 'Decided through a client’s own question' },
        about: `${counted(decided.length, 'decision')} since you last looked came through a client's own question. Were you asked?`,
        parts: [
          rows(decided.map(({ decision, at, client, target }) => ({ cells: [decision, target, client ?? '?'], at }))),
          note(
            'If not, a program answered: elicitation_off: "*" in config.yaml of the home keeps clients from asking, and bearings history shows the way back.',
          ),
        ],
        choices: [['g', 'go on', 'you have seen these; they are not shown again', 'seen'], SKIP],
        deeds: { seen: deed('seen', seen, 'they are not shown again') },
      },
    ];
  },

  async key(gate: Gate): Promise<Waiting[]> {
    return (await gate.unknownKeys()).map(({ fingerprint, decisions, ledger, who, machine, last }) => ({
      ...{ type: 'key', key: `k/${fingerprint}`, title: 'A key you do not know', name: `Key ${fingerprint}` },
      ...{ about: `${counted(decisions, 'decision')} of ${ledger} signed by a key you do not know`, at: last },
      where: ledger,
      parts: [
        note(`Trust it only if its owner told you this fingerprint: ${fingerprint}`),
        note(`It says it is ${who} on ${machine}. Until then its decisions do not count.`),
      ],
      choices: [
        ['t', 'trust it', 'counts its decisions from now on: bearings verify --untrust takes it back', 'trust'],
        SKIP,
      ],
      deeds: { trust: deed('trusted', (edit) => gate.trustKey(fingerprint, edit), fingerprint, 'bearings verify') },
    }));
  },

  // What is wrong with the record, or came with a clone: told once, and settled by the person's word.
  async fault(gate: Gate, target: Target): Promise<Waiting[]> {
    const faults = (await gate.faults(target)).filter(({ kind }) => !ASKED_ELSEWHERE.includes(kind));
    return faults.map((fault) => {
      const [asks, ...choices] = questionAbout(fault.kind);
      return {
        ...{ type: 'fault', key: `x/${fault.id}`, title: fault.ledger, name: fault.message },
        about: `the record of decisions${fault.chain === null ? '' : `, chain ${fault.chain}`}`,
        parts: [{ is: 'warning', text: fault.message }, note(asks)],
        choices: [...choices, SKIP],
        deeds: { settle: deed('settled', (edit) => gate.settleFault(fault, edit), fault.ledger, 'bearings verify') },
      };
    });
  },

  async first(gate: Gate, target: Target): Promise<Waiting[]> {
    const files = await gate.neverAccounted(target);
    const total = files.reduce((sum, { blocks }) => sum + blocks, 0);
    const adopt = (edit: Edit) => gate.adoptAll(target, edit, files);
    const said = (adopted: number) => `${counted(adopted, 'block')} of ${total}`;
    if (files.length === 0) return [];
    return [
      {
        ...{ type: 'first', key: 'f/all', title: 'What was there before' },
        ...{ about: 'Nothing here has been decided on yet. This is what is there now:', parts: firstParts(files) },
        choices: [
          ['y', 'yes, adopt all', 'records each block as yours, by hand; no text is changed', 'adopt'],
          ['o', 'one by one', 'shows each block by itself', 'skip'],
          ['n', 'no, not now', 'asks again next time', 'skip'],
        ],
        deeds: { adopt: deed('adopted', adopt, said, 'bearings why notes.md') },
      },
    ];
  },

  async merged(gate: Gate, target: Target): Promise<Waiting[]> {
    return (await gate.mergedFiles(target)).map((file) => ({
      ...{ type: 'merged', key: `m/${file.target}`, title: file.target, name: 'Merged by git' },
      about: `was merged: ${mergeWords(file)}`,
      parts: [note('Tidied it reads:'), diff(linesOf(file.text, ' ', 1))],
      choices: [['t', 'tidy', 'every block by itself and once; recorded as your edit', 'tidy'], SKIP],
      deeds: { tidy: deed('tidied', (edit) => gate.tidyFile(file, edit), file.target, `bearings why ${typed(file)}`) },
    }));
  },

  async block(gate: Gate, target: Target): Promise<Waiting[]> {
    return (await gate.unaccountedBlocks(target)).map((shown) => blockItem(gate, shown));
  },

  // Notes whose code has changed, and blocks whose date has come.
  async due(gate: Gate, target: Target): Promise<Waiting[]> {
    return (await gate.dueBlocks(target)).map((due) => dueItem(gate, due));
  },

  /** All of them, or since the person last looked. */
  async aside(gate: Gate, _: Target, isNew: boolean): Promise<Waiting[]> {
    const proposals = await (isNew ? gate.discardedSinceReview() : gate.discardedProposals());
    return proposals.map((proposal) => ({
      ...{ type: 'aside', key: `d/${proposal.proposal_id}`, title: targetOf(proposal), name: saidBy(proposal) },
      ...{ about: `proposed by ${proposal.client}`, by: proposal.client, at: proposal.created_at },
      parts: [
        note('Set aside at the end of a session, before you decided:'),
        ...(proposal.reason ? [note(`"${proposal.reason}"`)] : []),
        diff(linesOf(saidBy(proposal), '+', null)),
      ],
      choices: [
        ['r', 'revive', 'brings it back to what waits', 'revive'],
        ['s', 'skip', 'leaves it aside: bearings review --list --discarded', 'skip'],
      ],
      deeds: {
        revive: deed(
          'revived',
          () => gate.reviveProposal(proposal.proposal_id),
          (made) => made.proposal_id,
        ),
      },
    }));
  },

  async older(gate: Gate): Promise<Waiting[]> {
    return (await gate.olderTaste()).map((older) => ({
      ...{ type: 'older', key: 'o/taste', title: 'Move your default taste, taste.md, to tastes/_default.md?' },
      about: 'It is served as it is, before and after. Only its place changes.',
      parts: [{ is: 'text', text: older.text.trimEnd() }],
      choices: [['m', 'move it', 'the whole file, as it is shown; recorded as your edit', 'move'], SKIP],
      deeds: { move: deed('moved', (edit) => gate.moveOlderTaste(older, edit), 'tastes/_default.md') },
    }));
  },
} satisfies Record<string, (gate: Gate, target: Target, isNew: boolean) => Promise<Waiting[]>>;

export type WaitingKind = keyof typeof KINDS;
export const WAITING_KINDS = Object.keys(KINDS) as WaitingKind[];

/** All of one kind that waits; of what was set aside, with `isNew`, only what the person was not offered yet. */
export const waitingOf = (gate: Gate, kind: WaitingKind, target: Target, isNew = false): Promise<Waiting[]> =>
  KINDS[kind](gate, target, isNew);

/** What the one question about whole files shows. */
export function firstParts(files: readonly { target: string; blocks: number; text: string }[]): Part[] {
  return [
    rows(files.map(({ target, blocks }) => ({ cells: [target, counted(blocks, 'block')] }))),
    ...files.flatMap(({ target, text }): Part[] => [note(`${target}:`), { is: 'text', text: text.trimEnd() }]),
    note('Is it all yours? After a yes, every new block without your decision is shown.'),
  ];
}

/** A block that nobody decided on, or that is gone without a decision. */
function blockItem(gate: Gate, shown: UnaccountedBlock): Waiting {
  const { target, block, before, gone } = shown;
  const place = gone ? shownFile(shown) : placeOf(shown);
  const why = `bearings why ${typed(shown)}`;
  const unknown = gone ? '(its text is not stored)' : TOO_LONG;
  return {
    ...{ type: 'block', key: `b/${block.fingerprint}/${target}`, title: target, name: block.text },
    about: gone
      ? 'this was accepted, and is no longer there: did you take it out?'
      : 'no decision covers this: did you write it?',
    parts: [
      diff([
        ...before.flatMap((line) => linesOf(line, ' ', null)),
        ...linesOf(block.text || unknown, gone ? '-' : '+', gone ? null : block.first_line),
      ]),
    ],
    choices: [...(gone ? GONE : STANDING), LEAVE],
    deeds: {
      adopt: deed(gone ? 'gone' : 'adopted', (edit) => gate.adoptBlock(shown, edit), place, why),
      take_out: deed(
        gone ? 'put back' : 'taken out',
        (edit) => gate.takeOutBlock(shown, edit),
        place,
        gone ? why : 'back again: bearings undo',
      ),
    },
  };
}

function dueItem(gate: Gate, due: DueBlock): Waiting {
  const { target, block, code, until } = due;
  const nameOf = (each: DueBlock) => JSON.stringify([each.target, each.block.fingerprint, each.code, each.until]);
  // The gate holds it against the block alone: its code may have changed once more since it was shown.
  const still = async () => {
    if (!(await gate.dueBlocks('all')).some((each) => nameOf(each) === nameOf(due))) throw outdated();
  };
  const keep: Deed = async ({ edited, until: next }, edit) => {
    await still();
    await (edited === undefined ? gate.keepBlock(due, { ...edit, until: next }) : gate.editDueBlock(due, edited, edit));
    const status = edited === undefined ? 'kept' : 'edited';
    return { status, target: placeOf(due), ledger: null, next: next && `to review again ${next}` };
  };
  const retire = async (edit: Edit) => {
    await still();
    await gate.retireBlock(due, edit);
  };
  return {
    ...{ type: 'due', key: `w/${block.fingerprint}/${target}`, title: target, name: block.text },
    about: 'does this still hold?',
    parts: [
      { ...diff(linesOf(block.text || TOO_LONG, ' ', block.first_line)), isOwn: true },
      ...code.map((change): Part => ({ is: 'warning', text: changeWords(change) })),
      ...(until === null ? [] : [{ is: 'warning' as const, text: `you wanted to review this again on ${until}` }]),
    ],
    choices: [
      ['k', 'keep', 'it holds: remembered with the code as it is now', 'keep'],
      ['e', 'edit', 'your words in its place; you see the result before you keep it', 'edit'],
      ['r', 'retire', 'it no longer holds: takes it out of the file; bearings undo puts it back', 'retire'],
      ['t', 'until', 'it holds, and you want to review it again on a date', 'until'],
      LEAVE,
    ],
    deeds: { keep, retire: deed('retired', retire, placeOf(due), 'back again: bearings undo') },
  };
}

function questionAbout(kind: string): [string, ...Choice[]] {
  if (kind === 'clone')
    return [
      'Is this folder yours, with what was decided in it?',
      ['y', 'yes, it is mine', 'decisions by you and by keys you trust count here from now on', 'settle'],
    ];
  if (OF_THE_KEY.includes(kind)) return ['No key press settles this: restore key.json or the ledger from a backup.'];
  return [
    'What does not verify does not count. Settle it once you know why.',
    ['t', 'settle it', 'signed as known to you: it is not told again', 'settle'],
  ];
}

function mergeWords({ fused, doubled, retired }: { fused: number; doubled: number; retired: number }): string {
  const parts = [
    fused > 0 && `${counted(fused, 'block')} ran into another`,
    doubled > 0 && `${counted(doubled, 'block')} ${doubled === 1 ? 'is' : 'are'} there twice`,
    retired > 0 && `${counted(retired, 'block')} that no longer held came back`,
  ];
  return parts.filter(Boolean).join(', ');
}

export const outdated = () =>
  conflict('This is no longer what was shown, or was never shown here.', 'Look at it again.');

/** Does it, and says what came of it. */
function deed<T>(
  status: string,
  work: (edit: Edit) => Promise<T>,
  target: string | ((made: T) => string),
  next?: string,
): Deed {
  return async (_, edit) => {
    const made = await work(edit);
    return { status, target: typeof target === 'string' ? target : target(made), ledger: null, next };
  };
}

const placeOf = (shown: NamedFile & { block: { first_line: number } }): string =>
  `${shownFile(shown)} line ${shown.block.first_line}`;

/** As a person types it, with its workspace: they may be in any folder. */
function typed(file: Pick<NamedFile, 'kind' | 'file' | 'image_id'>): string {
  const { kind, image_id } = file;
  return kind === 'taste' || image_id === null ? shownFile(file) : `${shownFile(file)} ${typedName(image_id)}`;
}
