import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { progressOn } from '../terminal/progress.ts';
import { counted } from '../views/columns.ts';

export const command: Command = {
  summary: 'state of the index for match, or rebuild it',
  usage: ['bearings index status [DIR]', 'bearings index rebuild [DIR]'],
  details: ['The index is derived from the files and lies in your cache folder: it can always be made again.'],
  options: {},
  waitingFor: 'reading the project',
  maxWords: 2,
  examples: [
    { line: 'bearings index status', about: 'is there one, and of how many files' },
    { line: 'bearings index rebuild', about: 'throw it away and read all files again' },
  ],
  async run({ words: [verb = 'status', project = '.'], bearings, terminal, json }) {
    if (verb !== 'status' && verb !== 'rebuild')
      throw invalidInput(`index takes status or rebuild, not "${verb}".`, 'See: bearings index --help');
    const progress = progressOn(terminal, 'reading the project');
    const matching = await bearings.matching();
    const report =
      verb === 'status' ? await matching.indexStatus(project) : await matching.rebuildIndex(project, progress.step);
    progress.end();
    if (json) terminal.print(JSON.stringify(report, null, 2));
    else if (report.state === 'none') terminal.print('there is no index yet; the first match builds it');
    else {
      const out = report.files - report.documents;
      const left = out > 0 ? ` · ${counted(out, 'file')} left out (binary, secret, over 1 MB)` : '';
      terminal.print(`${counted(report.documents, 'file')} in the index${left}`);
    }
    return EXIT.done;
  },
};
