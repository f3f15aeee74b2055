import { defineCommand, EXIT } from '../command.ts';

// Help only: the launcher hands `bearings ui` to the page's own face before any of the command line is loaded.
export const command = defineCommand({
  help: `
    bearings ui [--port N] [--engine URL] [--no-open]

    Serves a page on this machine only (127.0.0.1) and opens it in your browser. It lets in whoever has the one-use code
    shown in the terminal. Enter gives a new code, Ctrl-C ends it. Needs a terminal.
    With --engine it shows the runs of a shared database beside your own.

    --port N  the port (default: any free one)
    --engine URL  show its runs too: postgres://… (also: BEARINGS_ENGINE)
    --no-open  open no browser: only print address and code

    bearings ui  opens the page
  `,
  noJson: true,
  maxWords: 0,
  run: async () => EXIT.done,
});
