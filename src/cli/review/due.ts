import type { DueBlock } from '../../gate/accounting/unaccounted.ts';
import { changeWords } from '../../gate/ledger/entry.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { numberedRows, wrapTo } from '../views/columns.ts';
import { askUntil, type Conversation, chooseEach, editedText, type Step } from './conversation.ts';

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
  return chooseEach(conversation, await gate.dueBlocks(target), (shown, { index, total }) => {
    const { kind, file, block } = shown;
    const where = `${kind === 'taste' ? `tastes/${file}` : file} line ${block.first_line}`;
    const keep = async (until: string | null) => {
      if (until === null) return null;
      await gate.keepBlock(shown, { ...edit, ...(until && { until }) });
      return `kept · ${where}${until && ` · to review again ${until}`}`;
    };
    return {
      lines: (columns) => dueLines(shown, `${index} of ${total}`, columns, terminal.paint),
      choices: CHOICES,
      acts: {
        k: () => keep(''),
        t: async () => keep(await askUntil(conversation)),
        r: async () => {
          await gate.retireBlock(shown, edit);
          return `retired · ${where} · back again: bearings undo`;
        },
        e: async () => {
          const text = await editedText(conversation, block.text);
          if (text === null) return null;
          await gate.editDueBlock(shown, text, edit);
          return `edited · ${where}`;
        },
      },
    };
  });
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
