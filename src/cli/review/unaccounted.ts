import type { UnaccountedBlock } from '../../bearings.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { typedName } from '../../typed-name.ts';
import { counted, indented, padTo, widthOf, wrapTo } from '../views/columns.ts';
import { attempt, type Conversation, choose, type Step, type Target } from './conversation.ts';

/** Text without a decision: all of a file that nobody decided on at once, anything else block by block. */
export const reviewUnaccounted: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  const files = await gate.neverAccounted(target);
  if (files.length === 0) return reviewBlocks(conversation, target);
  const adoptAll = async () => {
    const adopted = await gate.adoptAll(target, { via: 'review', passphrase }, files);
    return `adopted · ${counted(adopted, 'block')} of ${blocksIn(files)} · bearings why notes.md`;
  };
  const page = {
    lines: (columns: number) => neverAccountedLines(files, columns),
    keys: '[y]es, adopt all  [o]ne by one  [n]o, not now  [?] help  [q]uit',
    help: [
      'y   records each block as yours, by hand; no text is changed',
      'o   shows each block by itself',
      'n   asks again next time',
    ],
  };
  const key = await choose(conversation, page, { y: adoptAll });
  if (key === 'q' || key === 'n') return key === 'n';
  return reviewBlocks(conversation, target);
};

/** What the one question about a whole file shows. */
export function neverAccountedLines(
  files: readonly { target: string; blocks: number; text: string }[],
  columns: number,
): string[] {
  const width = Math.max(...files.map(({ target }) => widthOf(showHidden(target))));
  return [
    'Nothing here has been decided on yet. This is what is there now:',
    '',
    ...files.map(
      ({ target, blocks }) => `  ${padTo(showHidden(target), width)}  ${counted(blocks, 'block').padStart(12)}`,
    ),
    ...files.flatMap(({ target, text }) => ['', `${showHidden(target)}:`, ...indented(text.trimEnd(), columns)]),
    '',
    'Is it all yours? After a yes, every new block without your decision is shown.',
  ];
}

export function blocksIn(files: readonly { blocks: number }[]): number {
  return files.reduce((sum, { blocks }) => sum + blocks, 0);
}

async function reviewBlocks(conversation: Conversation, target: Target): Promise<boolean> {
  const { bearings, screen, terminal, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const gate = await bearings.gate();
  let left = await gate.unaccountedBlocks(target);
  const total = left.length;
  const skipped: UnaccountedBlock[] = [];
  for (let index = 1; left.length > 0; index += 1) {
    const [block, ...others] = left as [UnaccountedBlock, ...UnaccountedBlock[]];
    left = others;
    let sawEnd = false;
    const key = await screen.choose({
      onEnd: () => {
        sawEnd = true;
      },
      yes: 'aAt',
      lines: (columns) => blockLines(block, { index, total, columns, terminal }),
      keys: block.gone
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
    if (key === 's') {
      if (sawEnd) skipped.push(block);
      continue;
    }
    if (key === 't')
      await attempt(conversation, async () => {
        await gate.takeOutBlock(block, edit);
        const next = block.gone ? `bearings why ${namedFile(block)}` : 'back again: bearings undo';
        return `${block.gone ? 'put back' : 'taken out'} · ${placeOf(block)} · ${next}`;
      });
    for (const each of key === 'A' ? [...skipped.splice(0), block] : key === 'a' ? [block] : [])
      await attempt(conversation, async () => {
        await gate.adoptBlock(each, edit);
        return `${each.gone ? 'gone' : 'adopted'} · ${placeOf(each)} · bearings why ${namedFile(each)}`;
      });
    // The same blocks where they are now: those that were taken out moved the others up.
    const now = await gate.unaccountedBlocks(target);
    const isSame = (a: UnaccountedBlock, b: UnaccountedBlock) =>
      a.target === b.target && a.block.fingerprint === b.block.fingerprint;
    left = left.map((old) => now.find((each) => isSame(each, old)) ?? old);
  }
  return true;
}

function blockLines(
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

function placeOf(each: UnaccountedBlock): string {
  return each.gone ? fileOf(each) : `${fileOf(each)} line ${each.block.first_line}`;
}

function fileOf({ kind, file }: Pick<UnaccountedBlock, 'kind' | 'file'>): string {
  return kind === 'taste' ? `tastes/${file}` : file;
}

/** With its workspace: the person may be in any folder. */
export function namedFile(place: Pick<UnaccountedBlock, 'kind' | 'file' | 'image_id'>): string {
  const isShared = place.kind === 'taste' || place.image_id === null;
  return isShared ? fileOf(place) : `${fileOf(place)} ${typedName(place.image_id ?? '')}`;
}
