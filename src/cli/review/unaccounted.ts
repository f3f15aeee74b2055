import type { UnaccountedBlock } from '../../bearings.ts';
import { typedName } from '../../closest.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, indented, numberedRows, padTo, widthOf } from '../views/columns.ts';
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
  const key = await choose(conversation, {
    lines: (columns) => neverAccountedLines(files, columns),
    choices: {
      '[y]es, adopt all': 'records each block as yours, by hand; no text is changed',
      '[o]ne by one': 'shows each block by itself',
      '[n]o, not now': 'asks again next time',
    },
    acts: { y: adoptAll },
  });
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
  const { bearings, terminal, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const gate = await bearings.gate();
  let left = await gate.unaccountedBlocks(target);
  const total = left.length;
  const skipped: UnaccountedBlock[] = [];
  for (let index = 1; left.length > 0; index += 1) {
    const [block, ...others] = left as [UnaccountedBlock, ...UnaccountedBlock[]];
    left = others;
    let sawEnd = false;
    const question = {
      lines: (columns: number) => blockLines(block, `${index} of ${total}`, columns, terminal.paint),
      choices: block.gone ? GONE : UNACCOUNTED,
    };
    const onEnd = () => {
      sawEnd = true;
    };
    const key = await choose(conversation, question, { yes: 'aAt', onEnd });
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

const SKIP = { '[s]kip': 'leaves it as it is: it is served, and told beside every context' };
const UNACCOUNTED = {
  '[a]dopt': 'it is yours, written by hand: recorded as such',
  '[t]ake out': 'takes exactly these lines out of the file; bearings undo puts them back',
  ...SKIP,
  '[A]ll shown': 'adopts this one and those you were shown and skipped',
};
const GONE = {
  '[a] it may be gone': 'you took it out: recorded as such',
  '[t] put it back': 'writes exactly these lines again',
  ...SKIP,
};

function blockLines(
  { target, block, before, gone }: UnaccountedBlock,
  place: string,
  columns: number,
  paint: Conversation['terminal']['paint'],
): string[] {
  const unknown = gone ? '(its text is not stored)' : '(too long to be shown here)';
  const text = block.text === '' ? [unknown] : block.text.split('\n');
  return [
    paint('bold', `${place}   ${showHidden(target)}`),
    gone
      ? '         this was accepted, and is no longer there: did you take it out?'
      : '         no decision covers this: did you write it?',
    '',
    ...before.flatMap((line) => numberedRows(line, columns, null)),
    ...text
      .flatMap((line, at) => numberedRows(line, columns, block.first_line + at, '?'))
      .map((line) => paint('yellow', line)),
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
