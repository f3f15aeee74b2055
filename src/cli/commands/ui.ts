import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ENGINE_OPTION } from '../engine-option.ts';

// Help only: the launcher hands `bearings ui` to the page's own face before any of the command line is loaded.
export const command: Command = {
  summary: 'your page: inbox, memory and sessions in the browser',
  usage: ['bearings ui [--port N] [--engine URL] [--no-open]'],
  details: [
    'Serves a page on this machine only (127.0.0.1) and opens it in your browser. It lets in whoever has the one-use code',
    'shown in the terminal. Enter gives a new code, Ctrl-C ends it. Needs a terminal.',
    'With --engine it shows the runs of a shared database beside your own.',
  ],
  options: {
    port: { type: 'string', value: 'N', about: 'the port (default: any free one)' },
    engine: { ...ENGINE_OPTION, about: 'show its runs too: postgres://… (also: BEARINGS_ENGINE)' },
    'no-open': { type: 'boolean', about: 'open no browser: only print address and code' },
  },
  noJson: true,
  maxWords: 0,
  examples: [{ line: 'bearings ui', about: 'opens the page' }],
  run: async () => EXIT.done,
};
