import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { counted } from '../views/columns.ts';
import { diffView } from '../views/diff-view.ts';

export const command: Command = {
  summary: 'is a bundle still what the project would give?',
  usage: ['bearings drift BUNDLE [DIR]'],
  details: [
    'Builds the bundle again with its own arguments and compares. Ends with exit code 1 when',
    'something moved, and names it: fit for a check in CI.',
  ],
  options: {},
  waitingFor: 'reading the project',
  maxWords: 2,
  examples: [{ line: 'bearings drift bundle.json', about: 'in the project the bundle was made from' }],
  async run({ words: [path, dir], bearings, terminal, json }) {
    if (path === undefined)
      throw invalidInput('drift needs a bundle.', 'Make one with: bearings load --out bundle.json');
    const { drifted, diff, now } = await bearings.loader.drift(await bearings.loader.readBundle(path), { dir });
    if (json) terminal.print(JSON.stringify({ drifted, bundle_sha256: now.bundle_sha256, ...diff }, null, 2));
    else if (!drifted) terminal.print(`no drift · bundle ${now.bundle_sha256.slice(0, 12)}`);
    else {
      terminal.print(diffView(diff, terminal));
      terminal.print(`${counted(diff.changes.length, 'change')} · accept it: bearings load --out with the same flags`);
    }
    return drifted ? EXIT.checkFailed : EXIT.done;
  },
};
