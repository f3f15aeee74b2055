import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, EXIT } from '../command.ts';
import { counted, fitTo } from '../views/columns.ts';

const MOST_LINES = 3;

export const command = defineCommand({
  help: `
    bearings search TEXT [WORKSPACE]

    Looks through tastes, briefs, notes, what was taken out of them, decisions with their
    reasons, and transcripts. The best comes first, with its file and line.

    bearings search "white balance"  in all workspaces
    bearings search "white balance" manta_001  in one, and in the tastes
  `,
  waitingFor: 'searching',
  maxWords: 2,
  async run({ words: [text = '', id], bearings, terminal, json }) {
    const found = await (await bearings.gate()).search(text, id);
    if (json) terminal.print(JSON.stringify(found, null, 2));
    else {
      for (const { place, line, text: block } of found) {
        terminal.print(terminal.paint('bold', fitTo(`${showHidden(place)} line ${line}`, terminal.columns)));
        const lines = block.split('\n');
        for (const each of lines.slice(0, MOST_LINES))
          terminal.print(fitTo(`    ${showHidden(each)}`, terminal.columns));
        if (lines.length > MOST_LINES) terminal.print(`    and ${counted(lines.length - MOST_LINES, 'more line')}`);
      }
      terminal.print(found.length === 0 ? 'nothing was found' : `${counted(found.length, 'block')} found`);
    }
    return EXIT.done;
  },
});
