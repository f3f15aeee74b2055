import { invalidInput } from '../../errors.ts';
import { typedName } from '../../typed-name.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { counted, padTo, widthOf } from '../views/columns.ts';
import { forReader } from '../views/for-reader.ts';

export const command: Command = {
  summary: 'list, show or make tastes',
  usage: ['bearings tastes [list]', 'bearings tastes show NAME', 'bearings tastes new NAME'],
  details: ['_default.md always loads. A genre loads only where a brief names it: Tastes: underwater'],
  options: {},
  maxWords: 2,
  examples: [
    { line: 'bearings tastes', about: 'all tastes with their size' },
    { line: 'bearings tastes show underwater', about: 'one of them' },
    { line: 'bearings tastes new wildlife', about: 'an empty file to fill' },
  ],
  async run({ words: [verb = 'list', name], bearings, terminal, json }) {
    if (verb === 'list') {
      const tastes = await (await bearings.tastes()).listTastes();
      if (json) terminal.print(JSON.stringify(tastes, null, 2));
      else if (tastes.length === 0)
        terminal.print('There are no tastes yet. Make the one that always loads: bearings tastes new _default');
      else {
        const width = Math.max(...tastes.map((taste) => widthOf(taste.name)));
        for (const taste of tastes)
          terminal.print(`${padTo(taste.name, width)}  ${counted(taste.lines, 'line').padStart(11)}`);
      }
      return EXIT.done;
    }
    if (verb !== 'show' && verb !== 'new')
      throw invalidInput(`tastes takes list, show or new, not "${verb}".`, 'See: bearings tastes --help');
    if (name === undefined)
      throw invalidInput(`Which taste? "${verb}" needs a name.`, `For example: bearings tastes ${verb} underwater`);
    if (verb === 'show') {
      const taste = await (await bearings.tastes()).readTaste(name);
      terminal.print(json ? JSON.stringify(taste, null, 2) : forReader(taste.text.replace(/\r?\n$/, ''), terminal));
      return EXIT.done;
    }
    const made = await (await bearings.tastes()).createTaste(name);
    terminal.print(
      json
        ? JSON.stringify(made, null, 2)
        : `made ${made.file} · fill it: bearings edit tastes ${typedName(made.name)}`,
    );
    return EXIT.done;
  },
};
