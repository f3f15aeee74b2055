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
  const gate = await bearings.gate();
  const due = await gate.dueBlocks(target);
  for (const [index, shown] of due.entries()) {
    const { kind, file, block } = shown;
    const where = `${kind === 'taste' ? `tastes/${file}` : file} line ${block.first_line}`;
    for (let isOpen = true; isOpen; ) {
      const key = await screen.choose({
        lines: (columns) => dueView(shown, { index: index + 1, total: due.length, columns, paint: terminal.paint }),
        keys: KEYS,
        yes: 'kret',
        help: HELP,
      });
      if (key === 'q') return false;
      if (key === 's') break;
      const text = key === 'e' ? await editedText(conversation, block.text) : '';
      const until = key === 't' ? await askUntil(conversation) : '';
      if (text === null || until === null) continue;
      const outcome = await attempt(conversation, async () => {
        if (key === 'r') await gate.retireBlock(shown, edit);
        else if (key === 'e') await gate.editDueBlock(shown, text, edit);
        else await gate.keepBlock(shown, { ...edit, ...(until && { until }) });
        if (key === 'r') return `retired · ${where} · back again: bearings undo`;
        return `${key === 'e' ? 'edited' : 'kept'} · ${where}${until ? ` · to review again ${until}` : ''}`;
      });
      isOpen = outcome !== 'done' && outcome.code !== 'conflict';
    }
  }
  return true;
};

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
