import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

export const command: Command = {
  summary: 'what an agent gets on its first turn',
  usage: ['bearings read [ID] [--for NAME] [--markdown | --sizes]'],
  details: [
    'Tastes, brief, notes, recent log and recent gaps, in this order. Without ID: the',
    'workspace of the repository you are in. With --json the whole context as data (an',
    'agent gets long texts cut); warnings go to the error stream.',
    '--markdown prints the text an agent gets; --sizes what each part of it costs.',
  ],
  options: {
    for: {
      type: 'string',
      value: 'NAME',
      about: 'a profile of the policy, such as helper: its parts within its tokens',
    },
    markdown: { type: 'boolean', about: 'the text itself, as an agent gets it' },
    sizes: { type: 'boolean', about: 'characters and tokens of each part' },
  },
  waitingFor: 'reading the memory',
  maxWords: 1,
  examples: [
    { line: 'bearings read manta_001', about: 'a picture of the context' },
    { line: 'bearings read manta_001 --json', about: 'the context itself' },
    { line: 'bearings read manta_001 --for helper', about: 'what a helper of an agent gets' },
  ],
  async run(call) {
    const {
      words: [id],
      bearings,
      terminal,
      json,
    } = call;
    const profile = call.text('for');
    const memory = await bearings.memory();
    if (json) {
      const { context, warnings } = await memory.readContext({ id }, { for: profile });
      terminal.print(JSON.stringify(context, null, 2));
      for (const warning of warnings) terminal.warn(`warning: ${warning}`);
      return EXIT.done;
    }
    // Programs that ask for --json don't wait for what only a person sees.
    const { costLine, readView } = await import('../views/read-view.ts');
    const overview = await memory.overview({ id }, { for: profile });
    if (call.flag('markdown') || call.flag('sizes')) {
      const { markdownOf, sizesOf } = await import('../views/read-parts.ts');
      if (call.flag('markdown')) terminal.print(markdownOf(overview, terminal));
      else for (const row of await sizesOf(overview, await bearings.memory())) terminal.print(row);
      for (const warning of overview.warnings) terminal.warn(`warning: ${warning}`);
      return EXIT.done;
    }
    terminal.print(readView(overview, { columns: terminal.columns, now: new Date(), paint: terminal.paint }));
    const { characters, tokens } = await memory.measure(JSON.stringify(overview.served));
    terminal.print(costLine(characters, tokens, overview.workspace.id, terminal.columns));
    return EXIT.done;
  },
};
