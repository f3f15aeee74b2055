import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { askToGoBack } from '../review/go-back.ts';

export const command: Command = {
  summary: 'bring a file back to what was decided',
  usage: ['bearings restore FILE [ID] [--at DECISION] [--plain]'],
  details: [
    'Shows the file with every decided block that is gone from it, or with --at as it was after that',
    'decision, and asks. What you wrote by hand since then stays. FILE is notes.md, brief.md or',
    'tastes/NAME.md, also one that was deleted. Needs a terminal (exit code 3 without).',
    'At confirm: passkey the page opens for the yes.',
  ],
  options: {
    at: { type: 'string', value: 'DECISION', about: 'the first word that history shows, or the id of a proposal' },
    plain: { type: 'boolean', about: 'line by line instead of the full screen (also: TERM=dumb)' },
  },
  waitingFor: 'reading the decisions',
  maxWords: 2,
  examples: [
    { line: 'bearings restore notes.md manta_001', about: 'what was accepted and is gone comes back' },
    { line: 'bearings restore tastes/_default.md --at 3fa94c01', about: 'as it was after that decision' },
  ],
  async run(call) {
    const [file, id] = call.words;
    if (file === undefined) throw invalidInput('Which file?', 'For example: bearings restore notes.md');
    const shown = await (await call.bearings.gate()).showRestore(file, call.text('at'), { id });
    if (shown.after !== (shown.before ?? '') || shown.not_kept > 0) return askToGoBack(call, shown);
    if (call.json) call.terminal.print(JSON.stringify(shown, null, 2));
    else call.terminal.print(`${showHidden(shown.target)} is as it was decided: nothing to bring back`);
    return EXIT.done;
  },
};
