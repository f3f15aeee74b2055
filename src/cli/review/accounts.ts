import type { MergedFile, UnaccountedBlock } from '../../bearings.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { typedName } from '../../typed-name.ts';
import { ageOf } from '../views/age.ts';
import { counted, padTo, wrapTo } from '../views/columns.ts';
import { blocksIn, firstAccountLines } from '../views/first-account.ts';
import { attempt, type Conversation, type Step } from './conversation.ts';

// The one question of a first run: was all this yours?
export const reviewFirst: Step = async (conversation, target) => {
  const { bearings, screen, passphrase } = conversation;
  const found = await (await bearings.gate()).neverAccounted(target);
  if (found.length === 0) return true;
  const key = await screen.choose({
    lines: (columns) => firstAccountLines(found, columns),
    keys: '[y]es, adopt all  [n]o, not now  [?] help  [q]uit',
    yes: 'y',
    help: ['y   records each block as yours, by hand; no text is changed', 'n   asks again next time'],
  });
  if (key === 'q') return false;
  if (key === 'y')
    await attempt(conversation, async () => {
      const adopted = await (await bearings.gate()).adoptAll(target, { via: 'review', passphrase }, found);
      return `adopted · ${counted(adopted, 'block')} of ${blocksIn(found)} · bearings why notes.md`;
    });
  return true;
};

export const OLDER_TASTE_QUESTION = 'Move your default taste, taste.md, to tastes/_default.md?';

/** All of it, as it stays: only its place changes. */
export function olderTasteLines(text: string, columns: number): string[] {
  return [
    ...text
      .trimEnd()
      .split(/\r\n|\n|\r/)
      .flatMap((line) => wrapTo(showHidden(line), columns - 4).map((row) => `    ${row}`.trimEnd())),
    '',
    'It is served as it is, before and after. Only its place changes.',
  ];
}

export const reviewOlderTaste: Step = async (conversation) => {
  const { bearings, screen, terminal, passphrase } = conversation;
  for (const older of await (await bearings.gate()).olderTaste()) {
    const key = await screen.choose({
      lines: (columns) => [terminal.paint('bold', OLDER_TASTE_QUESTION), '', ...olderTasteLines(older.text, columns)],
      keys: '[m]ove it  [s]kip  [?] help  [q]uit',
      yes: 'm',
      help: [
        'm   the whole file, as it is shown; recorded as your edit',
        's   leaves it where it is: it stays your default taste',
      ],
    });
    if (key === 'q') return false;
    if (key === 'm')
      await attempt(conversation, async () => {
        await (await bearings.gate()).moveOlderTaste(older, { via: 'review', passphrase });
        return 'moved · tastes/_default.md · bearings why tastes/_default.md';
      });
  }
  return true;
};

export const reviewKeys: Step = async (conversation) => {
  const { bearings, screen, passphrase } = conversation;
  for (const found of await (await bearings.gate()).unknownKeys()) {
    const key = await screen.choose({
      lines: () => [
        `${counted(found.decisions, 'decision')} of ${showHidden(found.ledger)} ${found.decisions === 1 ? 'is' : 'are'} signed by a key you do not know:`,
        '',
        `  fingerprint  ${showHidden(found.fingerprint)}`,
        `  says it is   ${showHidden(found.who)} on ${showHidden(found.machine)}`,
        `  last used    ${ageOf(found.last, new Date())}`,
        '',
        'Trust it only if its owner told you this fingerprint. Until then its decisions do not count.',
      ],
      keys: '[t]rust it  [s]kip  [?] help  [q]uit',
      yes: 't',
      help: [
        't   counts its decisions from now on: bearings verify --untrust takes it back',
        's   asks again next time',
      ],
    });
    if (key === 'q') return false;
    if (key === 't')
      await attempt(conversation, async () => {
        await (await bearings.gate()).trustKey(found.fingerprint, { passphrase });
        return `trusted · ${found.fingerprint} · bearings verify`;
      });
  }
  return true;
};

// What is wrong with the record, or came with a clone: told once, and settled by the person's word.
export const reviewFaults: Step = async (conversation, target) => {
  const { bearings, screen, passphrase } = conversation;
  for (const fault of await (await bearings.gate()).faults(target)) {
    // Each has its own question, or is put right elsewhere: nothing is settled by looking away.
    if (['foreign_key', 'block_gone', 'key_replaced', 'level_lowered'].includes(fault.kind)) continue;
    const isClone = fault.kind === 'clone';
    const key = await screen.choose({
      lines: (columns) => [
        `The record of decisions, ${showHidden(fault.ledger)}${fault.chain === null ? '' : `, chain ${showHidden(fault.chain)}`}:`,
        '',
        ...wrapTo(showHidden(fault.message), columns - 4).map((row) => `  ${row}`),
        '',
        isClone
          ? 'Is this folder yours, with what was decided in it?'
          : 'What does not verify does not count. Settle it once you know why.',
      ],
      keys: isClone ? '[y]es, it is mine  [s]kip  [?] help  [q]uit' : '[t] settle it  [s]kip  [?] help  [q]uit',
      yes: isClone ? 'y' : 't',
      help: [
        isClone
          ? 'y   decisions by you and by keys you trust count here from now on'
          : 't   signed as known to you: it is not told again',
        's   asks again next time',
      ],
    });
    if (key === 'q') return false;
    if (key === 'y' || key === 't')
      await attempt(conversation, async () => {
        await (await bearings.gate()).settleFault(fault, { passphrase });
        return `settled · ${fault.ledger} · bearings verify`;
      });
  }
  return true;
};

export const reviewMerged: Step = async (conversation, target) => {
  const { bearings, screen, passphrase } = conversation;
  for (const merged of await (await bearings.gate()).mergedFiles(target)) {
    const key = await screen.choose({
      lines: (columns) => [
        `${showHidden(merged.target)} was merged: ${mergeWords(merged)}.`,
        'Tidied it reads:',
        '',
        ...merged.text
          .split(/\r\n|\n|\r/)
          .flatMap((line) => wrapTo(showHidden(line), columns - 4).map((row) => `    ${row}`)),
      ],
      keys: '[t]idy  [k]eep as it is  [s]kip  [?] help  [q]uit',
      yes: 'tk',
      help: [
        't   every block by itself and once; recorded as your edit',
        'k   it is how you want it',
        's   asks again next time',
      ],
    });
    if (key === 'q') return false;
    const edit = { via: 'review', passphrase } as const;
    if (key === 't')
      await attempt(conversation, async () => {
        await (await bearings.gate()).tidyFile(merged, edit);
        return `tidied · ${merged.target} · bearings why ${namedFile(merged)}`;
      });
    if (key === 'k')
      await attempt(conversation, async () => {
        await (await bearings.gate()).keepMerged(merged, edit);
        return `kept · ${merged.target}`;
      });
  }
  return true;
};

export const reviewUnaccounted: Step = async (conversation, target) => {
  const { bearings, screen, terminal, passphrase } = conversation;
  let found = await (await bearings.gate()).unaccountedBlocks(target);
  const total = found.length;
  const skipped: UnaccountedBlock[] = [];
  for (let index = 0; index < total; index += 1) {
    // Those that were taken out moved the others up.
    const each = found[index - total + found.length];
    if (!each) continue;
    let sawEnd = false;
    const key = await screen.choose({
      onEnd: () => {
        sawEnd = true;
      },
      yes: 'aAt',
      lines: (columns) => unaccountedView(each, { index: index + 1, total, columns, terminal }),
      keys: each.gone
        ? '[a] it may be gone  [t] put it back  [s]kip  [?] help  [q]uit'
        : '[a]dopt  [t]ake out  [s]kip  [A]ll shown  [?] help  [q]uit',
      help: [
        'a   it is yours, written by hand: recorded as such',
        't   takes exactly these lines out of the file; bearings undo puts them back',
        's   leaves it as it is: it is served, and told beside every context',
        'A   adopts this one and those you were shown and skipped',
      ],
    });
    if (key === 'q') return false;
    if (key === 's' && sawEnd) skipped.push(each);
    if (key === 'a' || key === 'A') {
      for (const block of key === 'A' ? [...skipped.splice(0), each] : [each]) await adopt(conversation, block);
    }
    if (key === 't')
      await attempt(conversation, async () => {
        await (await bearings.gate()).takeOutBlock(each, { via: 'review', passphrase });
        const next = each.gone ? `bearings why ${namedFile(each)}` : 'back again: bearings undo';
        return `${each.gone ? 'put back' : 'taken out'} · ${placeOf(each)} · ${next}`;
      });
    if (key !== 's') found = await restOf(conversation, target, found.slice(index + 1 - total + found.length));
  }
  return true;
};

// The same blocks where they are now.
async function restOf(
  { bearings }: Conversation,
  target: { id: string } | 'all',
  rest: readonly UnaccountedBlock[],
): Promise<UnaccountedBlock[]> {
  const now = await (await bearings.gate()).unaccountedBlocks(target);
  return rest.map(
    (old) => now.find((each) => each.target === old.target && each.block.fingerprint === old.block.fingerprint) ?? old,
  );
}

function adopt(conversation: Conversation, block: UnaccountedBlock) {
  return attempt(conversation, async () => {
    await (await conversation.bearings.gate()).adoptBlock(block, {
      via: 'review',
      passphrase: conversation.passphrase,
    });
    return `${block.gone ? 'gone' : 'adopted'} · ${placeOf(block)} · bearings why ${namedFile(block)}`;
  });
}

function unaccountedView(
  { target, block, before, gone }: UnaccountedBlock,
  {
    index,
    total,
    columns,
    terminal,
  }: { index: number; total: number; columns: number; terminal: Conversation['terminal'] },
): string[] {
  const row = (number: number | null, text: string, mark: string) =>
    wrapTo(showHidden(text), Math.min(columns, 100) - 10).map((part, at) =>
      `  ${mark} ${padTo(number === null || at > 0 ? '' : String(number), 6)}${part}`.trimEnd(),
    );
  const unknown = gone ? '(its text is not stored)' : '(too long to be shown here)';
  const text = block.text === '' ? [unknown] : block.text.split('\n');
  return [
    terminal.paint('bold', `${index} of ${total}   ${showHidden(target)}`),
    gone
      ? '         this was accepted, and is no longer there: did you take it out?'
      : '         no decision covers this: did you write it?',
    '',
    ...before.flatMap((line) => row(null, line, ' ')),
    ...text.flatMap((line, at) => row(block.first_line + at, line, '?')).map((line) => terminal.paint('yellow', line)),
  ];
}

function mergeWords({ fused, doubled, retired }: MergedFile): string {
  const parts = [
    fused > 0 ? `${counted(fused, 'block')} ran into another` : '',
    doubled > 0 ? `${counted(doubled, 'block')} ${doubled === 1 ? 'is' : 'are'} there twice` : '',
    retired > 0 ? `${counted(retired, 'block')} that no longer held came back` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function placeOf(each: UnaccountedBlock): string {
  return each.gone ? fileOf(each) : `${fileOf(each)} line ${each.block.first_line}`;
}

function fileOf({ kind, file }: Pick<UnaccountedBlock, 'kind' | 'file'>): string {
  return kind === 'taste' ? `tastes/${file}` : file;
}

// With its workspace: the person may be in any folder.
function namedFile(place: Pick<UnaccountedBlock, 'kind' | 'file' | 'image_id'>): string {
  return place.kind === 'taste' || place.image_id === null
    ? fileOf(place)
    : `${fileOf(place)} ${typedName(place.image_id)}`;
}
