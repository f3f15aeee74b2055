import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

export const command: Command = {
  summary: 'show every setting and where it comes from',
  usage: ['bearings config [show]', 'bearings config check'],
  details: [
    'Order: option, variable, .bearings/config.yaml of the project, config.yaml of the home, default.',
    'check ends with exit code 1 when a file has a problem, and names line and column.',
  ],
  options: {},
  maxWords: 1,
  examples: [
    { line: 'bearings config', about: 'all values and their origin' },
    { line: 'bearings config check', about: 'are the files right?' },
  ],
  async run({ words: [verb = 'show'], bearings, terminal, json }) {
    if (verb === 'show') {
      const settings = await bearings.showSettings();
      if (json) terminal.print(JSON.stringify(settings, null, 2));
      else {
        const width = Math.max(...settings.map(({ key }) => key.length));
        const values = Math.max(...settings.map(({ value }) => String(value).length));
        for (const { key, value, origin } of settings) {
          terminal.print(`${key.padEnd(width)}  ${String(value).padEnd(values)}  ${terminal.paint('dim', origin)}`);
        }
      }
      return EXIT.done;
    }
    if (verb !== 'check')
      throw invalidInput(`config knows show and check, not "${verb}".`, 'See: bearings config --help');
    const problems = await bearings.checkSettings();
    if (json) terminal.print(JSON.stringify({ ok: problems.length === 0, problems }, null, 2));
    else if (problems.length === 0) terminal.print('the configuration is right');
    else
      for (const { file, line, column, message } of problems) terminal.print(`${file}:${line}:${column}  ${message}`);
    return problems.length === 0 ? EXIT.done : EXIT.checkFailed;
  },
};
