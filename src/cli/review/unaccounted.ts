import { typedName } from '../../closest.ts';
import type { UnaccountedBlock } from '../../gate/accounting/blame.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, indented, numberedRows, padTo, widthOf } from '../views/columns.ts';
import { type Conversation, choose, chooseEach, type Step } from './conversation.ts';

/** Text without a decision: all of a file that nobody decided on at once, anything else block by block. */
export const reviewUnaccounted: Step = async (conversation, target) => {
  const { bearings, passphrase } = conversation;
  const gate = await bearings.gate();
  const files = await gate.neverAccounted(target);
  if (files.length === 0) return reviewBlocks(conversation, target);
  const key = await choose(conversation, () => ({
    lines: (columns) => neverAccountedLines(files, columns),
    choices: {
      '[y]es, adopt all': 'records each block as yours, by hand; no text is changed',
      '[o]ne by one': 'shows each block by itself',
      '[n]o, not now': 'asks again next time',
    },
    acts: {
      y: async () => {
        const adopted = await gate.adoptAll(target, { via: 'review', passphrase }, files);
        return `adopted · ${counted(adopted, 'block')} of ${blocksIn(files)} · bearings why notes.md`;
      },
    },
  }));
  return key === 'q' || key === 'n' ? key === 'n' : reviewBlocks(conversation, target);
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

const reviewBlocks: Step = async (conversation, target) => {
  const { bearings, terminal, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const gate = await bearings.gate();
  const blocks = await gate.unaccountedBlocks(target);
  return chooseEach(conversation, blocks, async (listed, { index, total }) => {
    // Where it is now: those that were taken out moved the others up.
    const block =
      (await gate.unaccountedBlocks(target)).find(
        (each) => each.target === listed.target && each.block.fingerprint === listed.block.fingerprint,
      ) ?? listed;
    const [taken, adopted] = block.gone ? ['put back', 'gone'] : ['taken out', 'adopted'];
    const why = `bearings why ${namedFile(block)}`;
    return {
      lines: (columns) => blockLines(block, `${index} of ${total}`, columns, terminal.paint),
      choices: block.gone ? GONE : UNACCOUNTED,
      acts: {
        a: async () => {
          await gate.adoptBlock(block, edit);
          return `${adopted} · ${placeOf(block)} · ${why}`;
        },
        t: async () => {
          await gate.takeOutBlock(block, edit);
          return `${taken} · ${placeOf(block)} · ${block.gone ? why : 'back again: bearings undo'}`;
        },
      },
    };
  });
};

const SKIP = { '[s]kip': 'leaves it as it is: it is served, and told beside every context' };
const UNACCOUNTED = {
  '[a]dopt': 'it is yours, written by hand: recorded as such',
  '[t]ake out': 'takes exactly these lines out of the file; bearings undo puts them back',
  ...SKIP,
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
