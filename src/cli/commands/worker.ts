import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ENGINE_OPTION, engineUrl, wholeNumber } from '../engine-option.ts';
import { counted } from '../views/columns.ts';

const DEFAULT_CONCURRENCY = 4;

export const command: Command = {
  summary: 'work on runs of a shared database',
  usage: ['bearings worker --engine URL [--concurrency N]'],
  details: [
    'Takes runs and calls of models from the database and works on them, together with any number of',
    'other workers on any machine. Start it in a clone of the project: fresh context comes from there.',
    "It needs the same models in its home's config.yaml as the others, and their keys in its variables.",
    'A worker that dies is noticed by the others, which take over its work. Ctrl-C lets what is',
    'under way finish; once more ends at once.',
  ],
  options: {
    engine: { ...ENGINE_OPTION, about: 'postgres://… whose runs it works on (also: BEARINGS_ENGINE)' },
    concurrency: { type: 'string', value: 'N', about: `calls at the same time (default ${DEFAULT_CONCURRENCY})` },
  },
  maxWords: 0,
  examples: [{ line: 'bearings worker --engine postgres://host/bearings', about: 'until Ctrl-C' }],
  async run({ text, bearings, terminal, json }) {
    const url = engineUrl(text);
    if (url === null)
      throw invalidInput('A worker needs the address of a database.', 'For example: --engine postgres://host/bearings');
    const concurrency = wholeNumber('concurrency', text('concurrency'), [1, 256]) ?? DEFAULT_CONCURRENCY;
    const ending = new AbortController();
    const onSignal = (): void => {
      if (ending.signal.aborted) process.exit(130);
      terminal.warn('ending; once more to end at once');
      ending.abort();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    const say = (event: string, line: string, data: object = {}): void =>
      terminal.print(json ? JSON.stringify({ event, ...data }) : line);
    await (await bearings.sharedRuns()).work(url, {
      concurrency,
      signal: ending.signal,
      onReady: () => say('ready', `ready   ${counted(concurrency, 'call')} at the same time`),
      onTakeOver: (count) =>
        say('took_over', `a worker is gone; took over ${counted(count, 'piece')} of its work`, { count }),
    });
    return EXIT.done;
  },
};
