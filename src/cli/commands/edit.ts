import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

export const command: Command = {
  summary: 'open brief, notes or a taste in your editor',
  usage: ['bearings edit brief [ID]', 'bearings edit notes [ID]', 'bearings edit tastes [NAME]'],
  details: ['Opens VISUAL, EDITOR or the `editor` setting. Needs a terminal: memory is edited by a person.'],
  options: {},
  maxWords: 2,
  examples: [
    { line: 'bearings edit brief manta_001', about: 'say what this work is about' },
    { line: 'bearings edit tastes underwater', about: 'change one taste' },
  ],
  async run({ words: [what, name], bearings, terminal, json }) {
    if (what !== 'brief' && what !== 'notes' && what !== 'tastes') {
      throw invalidInput('edit opens brief, notes or tastes.', 'For example: bearings edit brief');
    }
    if (!terminal.canAsk)
      throw invalidInput(
        'edit needs a terminal: memory is edited by a person.',
        'Run it in a terminal, or open the file in any editor.',
      );
    const { file } = await bearings.editFile(what, name);
    terminal.print(json ? JSON.stringify({ file }) : `saved ${file} · see what an agent gets: bearings read`);
    return EXIT.done;
  },
};
