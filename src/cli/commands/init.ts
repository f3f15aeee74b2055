import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  summary: 'make a workspace here or by name',
  usage: ['bearings init', 'bearings init ID', 'bearings init [ID] --here'],
  details: [
    'In a repository without ID: the repository holds its own memory in .bearings/.',
    'With ID: a folder among your workspaces. On a terminal it asks for the brief.',
  ],
  options: { here: { type: 'boolean', about: 'make .bearings/ in this folder, repository or not' } },
  maxWords: 1,
  examples: [
    { line: 'bearings init', about: 'for the repository you stand in' },
    { line: 'bearings init manta_001', about: 'for one image, client or subject' },
  ],
  async run({ words: [id], flag, bearings, terminal, json }) {
    const made = await bearings.createWorkspace({ id, here: flag('here') });
    if (!json) terminal.print(`made ${made.id} · ${made.folder}`);
    const brief =
      terminal.canAsk && !json
        ? await askForBrief(
            terminal,
            (await bearings.listTastes()).map(({ name }) => name),
          )
        : '';
    if (brief !== '') await bearings.writeFirstBrief({ id: made.id }, brief);
    if (json) terminal.print(JSON.stringify(made, null, 2));
    else {
      if (brief === '') terminal.print(`say what it is about: bearings edit brief ${made.id}`);
      terminal.print(`see what an agent gets: bearings read ${made.id}`);
    }
    return EXIT.done;
  },
};

async function askForBrief(terminal: Terminal, tastes: string[]): Promise<string> {
  terminal.print('What is this work about, and what should come out? An empty line ends; nothing skips.');
  const lines: string[] = [];
  for (;;) {
    const line = await terminal.ask('  ');
    if (line === null || line.trim() === '') break;
    lines.push(line);
  }
  const genres = tastes.filter((name) => name !== '_default');
  if (genres.length > 0) {
    const chosen = (await terminal.ask(`Which tastes apply? Known: ${genres.join(', ')}. Nothing: none.  `))?.trim();
    if (chosen) lines.unshift(`Tastes: ${chosen}`, '');
  }
  return lines.join('\n').trim();
}
