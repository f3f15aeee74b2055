import type { Bearings } from '../../bearings.ts';
import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const command: Command = {
  summary: 'show every setting and where it comes from',
  usage: ['bearings config [show]', 'bearings config check', 'bearings config confirm passphrase|ask'],
  details: [
    'Order: option, variable, .bearings/config.yaml of the project, config.yaml of the home, default.',
    'check ends with exit code 1 when a file has a problem, and names line and column.',
    'confirm passphrase locks the key that signs your decisions; confirm ask opens it again.',
  ],
  options: {},
  maxWords: 2,
  examples: [
    { line: 'bearings config', about: 'all values and their origin' },
    { line: 'bearings config check', about: 'are the files right?' },
  ],
  async run({ words: [verb = 'show', level], bearings, terminal, json }) {
    if (verb === 'confirm') return setLevel(bearings, terminal, level);
    if (verb === 'show') {
      const settings = await bearings.settings.list();
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
      throw invalidInput(`config knows show, check and confirm, not "${verb}".`, 'See: bearings config --help');
    const problems = await bearings.settings.check();
    if (json) terminal.print(JSON.stringify({ ok: problems.length === 0, problems }, null, 2));
    else if (problems.length === 0) terminal.print('the configuration is right');
    else
      for (const { file, line, column, message } of problems) terminal.print(`${file}:${line}:${column}  ${message}`);
    return problems.length === 0 ? EXIT.done : EXIT.checkFailed;
  },
};

// The level is the state of the key itself: no file can lower it, only the passphrase can.
async function setLevel(bearings: Bearings, terminal: Terminal, level: string | undefined): Promise<number> {
  if (level !== 'passphrase' && level !== 'ask')
    throw invalidInput('confirm takes passphrase or ask.', 'For example: bearings config confirm passphrase');
  if (!terminal.canAsk)
    throw invalidInput('This needs a terminal: only a person may change it.', 'Run it in a terminal.');
  if ((await bearings.gate.confirmLevel()) === level) {
    terminal.print(`confirm is ${level} already`);
    return EXIT.done;
  }
  const passphrase = await terminal.askSecret(level === 'ask' ? 'passphrase: ' : 'new passphrase: ');
  if (!passphrase) return EXIT.done;
  if (level === 'ask') await bearings.internal.removePassphrase(passphrase);
  else {
    if ((await terminal.askSecret('once more: ')) !== passphrase)
      throw invalidInput('The two do not match.', 'Nothing was changed. Try again.');
    await bearings.internal.setPassphrase(passphrase);
  }
  terminal.print(`confirm is now ${level}`);
  return EXIT.done;
}
