import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { diffView } from '../views/diff-view.ts';

export const command: Command = {
  summary: 'what moved between two bundles',
  usage: ['bearings diff A B'],
  details: ['A and B are bundles that `bearings load --out FILE` wrote.'],
  options: {},
  maxWords: 2,
  examples: [{ line: 'bearings diff monday.json today.json', about: 'files, budget, policy, arguments' }],
  async run({ words: [a, b], bearings, terminal, json }) {
    if (a === undefined || b === undefined)
      throw invalidInput('diff needs two bundles.', 'Make one with: bearings load --out bundle.json');
    const loader = await bearings.loader();
    const diff = await loader.diffBundles(await loader.readBundle(a), await loader.readBundle(b));
    if (json) terminal.print(JSON.stringify(diff, null, 2));
    else terminal.print(diff.same ? 'the same bundle, byte by byte' : diffView(diff, terminal));
    return EXIT.done;
  },
};
