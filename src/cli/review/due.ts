import type { DueBlock } from '../../bearings.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { padTo, wrapTo } from '../views/columns.ts';
import { askUntil, attempt, type Conversation, editedText, type Step } from './conversation.ts';

const KEYS = '[k]eep  [e]dit  [r]etire  [t] until  [s]kip  [?] help  [q]uit';
const HELP = [
  'k   it holds: remembered with the code as it is now',
  'e   opens it in your editor; what you save takes its place',
  'r   it no longer holds: takes it out of the file; bearings undo puts it back',
  't   it holds, and you want to review it again on a date',
  's   leaves it as it is: it is served, and told beside every context',
];

// Notes whose code has changed, and blocks whose date has come.
export const reviewDue: Step = async (conversation, target) => {
  const { bearings, screen, terminal, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const due = await (await bearings.gate()).dueBlocks(target);
  for (const [index, shown] of due.entries()) {
    for (;;) {
      const key = await screen.choose({
        lines: (columns) => dueView(shown, { index: index + 1, total: due.length, columns, paint: terminal.paint }),
        keys: KEYS,
        yes: 'kret',
        help: HELP,
      });
      if (key === 'q') return false;
      if (key === 's') break;
      const outcome = await decideDue(conversation, shown, key, edit);
      if (outcome === 'done') break;
    }
  }
  return true;
};

async function decideDue(
  conversation: Conversation,
  shown: DueBlock,
  key: string,
  edit: { via: 'review'; passphrase: string | undefined },
): Promise<'done' | 'asks again'> {
  const { bearings } = conversation;
  const where = `${shown.kind === 'taste' ? `tastes/${shown.file}` : shown.file} line ${shown.block.first_line}`;
  const work = async (): Promise<(() => Promise<string>) | null> => {
    if (key === 'r')
      return async () => {
        await (await bearings.gate()).retireBlock(shown, edit);
        return `retired · ${where} · back again: bearings undo`;
      };
    if (key === 'e') {
      const text = await editedText(conversation, shown.block.text);
      if (text === null) return null;
      return async () => {
        await (await bearings.gate()).editDueBlock(shown, text, edit);
        return `edited · ${where}`;
      };
    }
    const until = key === 't' ? await askUntil(conversation) : undefined;
    if (until === null) return null;
    return async () => {
      await (await bearings.gate()).keepBlock(shown, { ...edit, ...(until && { until }) });
      return `kept · ${where}${until ? ` · to review again ${until}` : ''}`;
    };
  };
  const act = await work();
  if (act === null) return 'asks again';
  const outcome = await attempt(conversation, act);
  return outcome === 'done' || outcome.code === 'conflict' ? 'done' : 'asks again';
}

function dueView(
  { target, block, code, until }: DueBlock,
  {
    index,
    total,
    columns,
    paint,
  }: { index: number; total: number; columns: number; paint: Conversation['terminal']['paint'] },
): string[] {
  const width = Math.min(columns, 100);
  const reasons = [
    ...code.map((change) => changeWords(change)),
    ...(until === null ? [] : [`you wanted to review this again on ${until}`]),
  ];
  const text = block.text === '' ? ['(too long to be shown here)'] : block.text.split('\n');
  return [
    paint('bold', `${index} of ${total}   ${showHidden(target)}`),
    '         does this still hold?',
    '',
    ...text.flatMap((line, at) =>
      wrapTo(showHidden(line), width - 10).map((part, row) =>
        `    ${padTo(row > 0 ? '' : String(block.first_line + at), 6)}${part}`.trimEnd(),
      ),
    ),
    '',
    ...reasons.flatMap((reason) => wrapTo(reason, width - 2).map((line) => paint('yellow', `  ${line}`))),
  ];
}
