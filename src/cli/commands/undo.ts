import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand } from '../command.ts';
import { isMemoryFile } from '../named-file.ts';
import { askToGoBack } from '../review/go-back.ts';

export const command = defineCommand({
  help: `
    bearings undo [DECISION] [--plain]
    bearings undo FILE [ID] [--to DECISION] [--plain]

    Shows the text as it was before the decision, and asks. DECISION is the first word that history shows, the id of
    a proposal, or the number in the ledger; without it, your last decision that changed a text. An undo is a
    decision too: undo with its own name brings the text back.

    With FILE (notes.md, brief.md or tastes/NAME.md, also one that was deleted): the file with every decided block
    that is gone from it, or with --to as it was after that decision. What you wrote by hand since then stays.

    Needs a terminal.

    --to DECISION  with FILE: bring it back to what it was after this decision
    --plain  line by line instead of the full screen (also: TERM=dumb)

    bearings undo  the last decision
    bearings undo 3fa94c01  one that history names
    bearings undo tastes/_default.md --to 3fa94c01  as it was after that decision
  `,
  maxWords: 2,
  async run(call) {
    const { words, text, bearings, answer } = call;
    const [what, id] = words;
    const to = text('to');
    if (what === undefined || !isMemoryFile(what)) {
      if (to !== undefined || id !== undefined)
        throw invalidInput('Which file?', `For example: bearings undo notes.md --to ${to ?? what}`);
      return askToGoBack(call, await (await bearings.gate()).showUndo(what));
    }
    const shown = await (await bearings.gate()).showRestore(what, to, { id });
    if (shown.after !== (shown.before ?? '') || shown.not_kept > 0) return askToGoBack(call, shown);
    return answer(shown, () => `${showHidden(shown.target)} is as it was decided: nothing to bring back`);
  },
});
