import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

export const command: Command = {
  summary: 'what an agent gets on its first turn',
  usage: ['bearings read [ID]'],
  details: [
    'Tastes, brief, notes, recent log and recent gaps, in this order. Without ID: the',
    'workspace of the repository you stand in. With --json the whole context as data (an',
    'agent gets long texts cut); warnings go to the error stream.',
  ],
  options: {},
  maxWords: 1,
  examples: [
    { line: 'bearings read manta_001', about: 'a picture of the context' },
    { line: 'bearings read manta_001 --json', about: 'the context itself' },
  ],
  async run({ words: [id], bearings, terminal, json }) {
    if (json) {
      const { context, warnings } = await bearings.readContext({ id });
      terminal.print(JSON.stringify(context, null, 2));
      for (const warning of warnings) terminal.warn(`warning: ${warning}`);
      return EXIT.done;
    }
    // Programs that ask for --json don't wait for what only a person sees.
    const { costLine, readView } = await import('../read-view.ts');
    const overview = await bearings.overview({ id });
    terminal.print(readView(overview, { columns: terminal.columns, now: new Date(), paint: terminal.paint }));
    const { characters, tokens } = await bearings.measure(JSON.stringify(overview.served));
    terminal.print(costLine(characters, tokens, overview.workspace.id, terminal.columns));
    return EXIT.done;
  },
};
