import { invalidInput } from '../../errors.ts';
import { padTo, widthOf } from '../columns.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

export const command: Command = {
  summary: 'list, rename or remove workspaces',
  usage: ['bearings workspaces [list]', 'bearings workspaces rename ID NEW', 'bearings workspaces remove ID'],
  details: ['remove asks on a terminal, then moves the folder aside: nothing is deleted.'],
  options: {},
  maxWords: 3,
  examples: [
    { line: 'bearings workspaces', about: 'all of them' },
    { line: 'bearings workspaces rename a b', about: 'give one another id' },
  ],
  async run({ words: [verb = 'list', id, to], bearings, terminal, json }) {
    if (verb === 'list') {
      const all = await bearings.listWorkspaces();
      if (json) terminal.print(JSON.stringify(all, null, 2));
      else if (all.length === 0) terminal.print('There are no workspaces yet. Make one: bearings init');
      else {
        const width = Math.max(...all.map((workspace) => widthOf(workspace.id)));
        for (const { id, folder } of all) terminal.print(`${padTo(id, width)}  ${terminal.paint('dim', folder)}`);
      }
      return EXIT.done;
    }
    if (verb !== 'rename' && verb !== 'remove')
      throw invalidInput(`workspaces knows list, rename and remove, not "${verb}".`, 'See: bearings workspaces --help');
    if (id === undefined) throw invalidInput(`Which workspace? "${verb}" needs an id.`, 'See all: bearings workspaces');
    if (verb === 'rename') {
      if (to === undefined)
        throw invalidInput('rename needs the new id too.', `For example: bearings workspaces rename ${id} new_name`);
      const renamed = await bearings.renameWorkspace(id, to);
      terminal.print(json ? JSON.stringify(renamed, null, 2) : `${id} is now ${renamed.id} · ${renamed.folder}`);
      return EXIT.done;
    }
    if (!terminal.canAsk)
      throw invalidInput('remove asks before it acts, so it needs a terminal.', 'Run it in a terminal.');
    const answer = await terminal.ask(`Type ${id} to move this workspace aside: `);
    if (answer?.trim() !== id) {
      terminal.print('nothing changed');
      return EXIT.done;
    }
    const removed = await bearings.removeWorkspace(id);
    terminal.print(`${removed.id} is no longer listed · kept in ${removed.kept}`);
    return EXIT.done;
  },
};
