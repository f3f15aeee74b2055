import { invalidInput } from '../../errors.ts';
import { parseAge } from '../../loader/bundle/receipt.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

const DEFAULT_AGE = '45m';

export const command: Command = {
  summary: 'is the context an agent started from still true?',
  usage: ['bearings receipt check [DIR] [--max-age 45m] [--event EVENT]', 'bearings receipt list [DIR]'],
  details: [
    'load --receipt EVENT keeps a receipt in the workspace: bundle, git head, policy, hashes, time.',
    'check ends with exit code 1 and names each reason: none, too old, another head, other',
    'uncommitted changes, a control-plane file that moved, another policy.',
  ],
  options: {
    'max-age': { type: 'string', value: 'AGE', about: 'such as 45m, 2h or 1d (45m)' },
    event: { type: 'string', value: 'EVENT', about: 'new_session, window_rollover, pre_mutation or pre_closeout' },
    workspace: { type: 'string', value: 'ID', about: "which workspace (default: the project's own)" },
  },
  waitingFor: 'reading the project',
  maxWords: 2,
  examples: [
    { line: 'bearings receipt check --max-age 2h', about: 'a check for CI' },
    { line: 'bearings receipt list', about: 'the newest first' },
  ],
  async run({ words: [verb = 'check', dir], bearings, terminal, json, text }) {
    const request = { dir, event: text('event'), workspace: text('workspace') };
    if (verb === 'list') {
      const receipts = await bearings.loader.listReceipts(request);
      if (json) terminal.print(JSON.stringify(receipts, null, 2));
      else if (receipts.length === 0) terminal.print('no receipt yet · make one: bearings load --receipt new_session');
      for (const { time, event, bundle_sha256, head } of json ? [] : receipts)
        terminal.print(
          showHidden(`${time}  ${event.padEnd(15)}  ${bundle_sha256.slice(0, 12)}  ${head?.slice(0, 12) ?? ''}`),
        );
      return EXIT.done;
    }
    if (verb !== 'check')
      throw invalidInput(`receipt knows check and list, not "${verb}".`, 'See: bearings receipt --help');
    const maxAgeMs = parseAge(text('max-age') ?? DEFAULT_AGE);
    if (maxAgeMs === null) throw invalidInput('--max-age takes an age such as 45m, 2h or 1d.', 'For example: 45m');
    const { ok, reasons, receipt } = await bearings.loader.checkReceipt({ ...request, maxAgeMs });
    if (json) terminal.print(JSON.stringify({ ok, reasons, receipt }, null, 2));
    else if (ok) terminal.print(`still true · bundle ${showHidden(receipt?.bundle_sha256.slice(0, 12) ?? '')}`);
    else {
      for (const { code, message } of reasons) terminal.print(`${code.padEnd(15)} ${showHidden(message)}`);
      terminal.print('make a new one: bearings load --receipt with the same flags');
    }
    return ok ? EXIT.done : EXIT.checkFailed;
  },
};
