import type { FoundText, ShownErasure } from '../../gate/erase/erase.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { askOnce } from '../review/conversation.ts';
import { pickedOf, type Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, wrapTo } from '../views/columns.ts';

const MOST_LISTED = 20;

export const command = defineCommand({
  help: `
    bearings erase FILE:LINE [ID] [--plain]
    bearings erase WORDS [--plain]

    Shows the block at that line, or the one that holds these words, with every copy of it. After your yes all of
    them are gone for good: no undo brings it back. It names what it can’t reach: git history, backups, what a
    client keeps. Words that you type may stay in the history of your shell; FILE:LINE does not say them.
    Needs a terminal. Exit code 1 where a copy could not be deleted.

    --plain  line by line instead of the full screen (also: TERM=dumb)

    bearings erase notes.md:3 billing-client  the block at line 3 of the notes
    bearings erase "pnpm"  a text by its words
  `,
  maxWords: 2,
  async run(call) {
    const { words, bearings, terminal } = call;
    const [wanted = '', id] = words;
    const gate = await bearings.gate();
    const matches = await gate.findErasable(wanted, { id });
    const text = await chosen(call, matches);
    if (text === null) return matches.length > 1 ? EXIT.awaitsPerson : EXIT.done;
    const shown = await gate.showErasure(text);
    const { code, done } = await askOnce(call, {
      command: 'erase',
      shown,
      lines: (columns, paint) => linesOf(shown, paint, columns),
      yes: ['[y]es, erase it for good', 'deletes the text and every copy; nothing brings it back'],
      work: async (proof) => (await bearings.gate()).erase(shown, proof),
      said: ({ places, copies }) =>
        `erased · ${counted(places, 'place')}, ${counted(copies, 'other file')} · bearings verify`,
    });
    const left = done?.left ?? [];
    for (const { file, reason } of left)
      terminal.print(terminal.paint('red', showHidden(`still there: ${file}${reason ? ` (${reason})` : ''}`)));
    return left.length > 0 ? EXIT.checkFailed : code;
  },
});

// Null: the person changed their mind, or can't be asked.
async function chosen({ terminal, json }: Call, found: readonly FoundText[]): Promise<string | null> {
  const [only] = found;
  if (only && found.length === 1) return only.text;
  if (json) {
    terminal.print(JSON.stringify({ found }, null, 2));
    return null;
  }
  for (const [index, { text, where }] of found.slice(0, MOST_LISTED).entries()) {
    const [first = ''] = text.split('\n');
    terminal.print(fitTo(`${index + 1}  ${showHidden(where)}: ${showHidden(first)}`, terminal.columns));
  }
  if (found.length > MOST_LISTED) terminal.print(`and ${found.length - MOST_LISTED} more: give more words of it`);
  if (!terminal.canAsk) return null;
  const listed = found.slice(0, MOST_LISTED);
  return (await pickedOf(terminal, listed, `Which one? 1-${listed.length}: `))?.text ?? null;
}

function linesOf(shown: ShownErasure, paint: Terminal['paint'], columns: number): string[] {
  const rows = (text: string, indent = '    ') =>
    text
      .split('\n')
      .flatMap((line) => wrapTo(showHidden(line), columns - indent.length))
      .map((row) => `${indent}${row}`.trimEnd());
  const red = (text: string) => rows(text).map((row) => paint('red', row));
  const { text, wordings, places, copies, unreachable } = shown;
  const standing = places.map(({ target, line }) => `${target}, line ${line}`);
  const kinds = copies.map(({ what, count }) => counted(count, what));
  return [
    paint('bold', 'Erase for good, with every copy:'),
    '',
    ...red(text),
    ...wordings.flatMap((wording) => ['', '  and this wording of it:', '', ...red(wording)]),
    '',
    ...rows(`found in: ${standing.join('; ') || 'no file of memory'}`, '  '),
    ...rows(`copies: ${kinds.join(', ') || 'none'}`, '  '),
    '',
    '  What this can’t reach:',
    ...unreachable.flatMap((each) => rows(`- ${each}`)),
  ];
}
