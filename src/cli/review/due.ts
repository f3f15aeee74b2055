import type { DueBlock } from '../../bearings.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { numberedRows, wrapTo } from '../views/columns.ts';
import { askUntil, attempt, type Conversation, choose, editedText, type Step } from './conversation.ts';

const CHOICES = {
  '[k]eep': 'it holds: remembered with the code as it is now',
  '[e]dit': 'opens it in your editor; what you save takes its place',
  '[r]etire': 'it no longer holds: takes it out of the file; bearings undo puts it back',
  '[t] until': 'it holds, and you want to review it again on a date',
  '[s]kip': 'leaves it as it is: it is served, and told beside every context',
};

// Notes whose code has changed, and blocks whose date has come.
export const reviewDue: Step = async (conversation, target) => {
  const { bearings, terminal, passphrase } = conversation;
  const edit = { via: 'review', passphrase } as const;
  const gate = await bearings.gate();
  const due = await gate.dueBlocks(target);
  for (const [index, shown] of due.entries()) {
    const { kind, file, block } = shown;
    const where = `${kind === 'taste' ? `tastes/${file}` : file} line ${block.first_line}`;
    for (let isOpen = true; isOpen; ) {
      const lines = (columns: number) => dueLines(shown, `${index + 1} of ${due.length}`, columns, terminal.paint);
      const key = await choose(conversation, { lines, choices: CHOICES }, { yes: 'kret' });
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

function dueLines(
  { target, block, code, until }: DueBlock,
  place: string,
  columns: number,
  paint: Conversation['terminal']['paint'],
): string[] {
  const reasons = [
    ...code.map((change) => changeWords(change)),
    ...(until === null ? [] : [`you wanted to review this again on ${until}`]),
  ];
  const text = block.text === '' ? ['(too long to be shown here)'] : block.text.split('\n');
  return [
    paint('bold', `${place}   ${showHidden(target)}`),
    '         does this still hold?',
    '',
    ...text.flatMap((line, at) => numberedRows(line, columns, block.first_line + at)),
    '',
    ...reasons.flatMap((reason) => wrapTo(reason, columns - 2).map((line) => paint('yellow', `  ${line}`))),
  ];
}
