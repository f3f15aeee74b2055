import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, EXIT } from '../command.ts';
import { counted, fitTo } from '../views/columns.ts';

const MOST_LINES = 3;

export const command = defineCommand({
  help: `
    bearings search TEXT [WORKSPACE]

    Looks through tastes, briefs, notes, what was taken out of them, decisions with their
    reasons, and transcripts. The best comes first, with its file and line.

    bearings search "pnpm" billing-client  in one, and in the tastes
  `,
  maxWords: 2,
  async run({ words: [text = '', id], bearings, terminal, answer }) {
    const gate = await bearings.gate();
    const found = await gate.search(text, id);
    answer(found, () => [
      ...found.flatMap(({ place, line, text: block }) => {
        const lines = block.split('\n');
        return [
          terminal.paint('bold', fitTo(`${showHidden(place)} line ${line}`, terminal.columns)),
          ...lines.slice(0, MOST_LINES).map((each) => fitTo(`    ${showHidden(each)}`, terminal.columns)),
          ...(lines.length > MOST_LINES ? [`    and ${counted(lines.length - MOST_LINES, 'more line')}`] : []),
        ];
      }),
      found.length === 0 ? 'nothing was found' : `${counted(found.length, 'block')} found`,
    ]);
    for (const warning of found.length === 0 ? [] : await gate.searchWarnings(id)) terminal.warn(`warning: ${warning}`);
    return EXIT.done;
  },
});
