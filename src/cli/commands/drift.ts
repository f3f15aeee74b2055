import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { counted } from '../views/columns.ts';
import { diffView } from '../views/diff-view.ts';

export const command: Command = {
  summary: 'is a bundle still what the project would give?',
  usage: ['bearings drift BUNDLE [DIR] [--slice NAME]'],
  details: [
    'Builds the bundle again with its own arguments and compares. Ends with exit code 1 when',
    'something moved, and names it: fit for a check in CI.',
  ],
  options: {
    slice: { type: 'string', value: 'NAME', about: 'compare only this slice: control_plane is what must be stable' },
  },
  waitingFor: 'reading the project',
  maxWords: 2,
  examples: [
    { line: 'bearings drift bundle.json', about: 'in the project the bundle was made from' },
    { line: 'bearings drift bundle.json --slice control_plane', about: 'for CI: what follows the task may move' },
  ],
  async run({ words: [path, dir], text, bearings, terminal, json }) {
    if (path === undefined)
      throw invalidInput('drift needs a bundle.', 'Make one with: bearings load --out bundle.json');
    const loader = await bearings.loader();
    const { drifted, diff, now } = await loader.driftOf(await loader.readBundle(path), {
      dir,
      slice: text('slice'),
    });
    if (json) terminal.print(JSON.stringify({ drifted, bundle_sha256: now.bundle_sha256, ...diff }, null, 2));
    else if (!drifted) terminal.print(`no drift · bundle ${now.bundle_sha256.slice(0, 12)}`);
    else {
      terminal.print(diffView(diff, terminal));
      terminal.print(`${counted(diff.changes.length, 'change')} · accept it: bearings load --out with the same flags`);
    }
    return drifted ? EXIT.checkFailed : EXIT.done;
  },
};
