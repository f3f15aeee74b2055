import { typedName } from '../../typed-name.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { forReader } from '../views/for-reader.ts';

export const command: Command = {
  summary: 'print the brief',
  usage: ['bearings brief [ID]'],
  details: ['The brief is yours alone: agents read it and never propose a change to it.'],
  options: {},
  maxWords: 1,
  examples: [
    { line: 'bearings brief manta_001', about: 'the text as it stands' },
    { line: 'bearings brief manta_001 --json', about: 'with intent and tastes parsed' },
  ],
  async run({ words: [id], bearings, terminal, json }) {
    const { warnings, ...brief } = await (await bearings.memory()).readBrief({ id });
    if (json) terminal.print(JSON.stringify(brief, null, 2));
    else if (brief.raw === '')
      terminal.print(
        `The brief of ${brief.image_id} is empty. Write it: bearings edit brief ${typedName(brief.image_id)}`,
      );
    else terminal.print(forReader(brief.raw.replace(/\r?\n$/, ''), terminal));
    for (const warning of warnings) terminal.warn(`warning: ${warning}`);
    return EXIT.done;
  },
};
