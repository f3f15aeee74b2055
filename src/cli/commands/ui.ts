import { defineCommand, EXIT, engineUrl, needsTerminal } from '../command.ts';

export const command = defineCommand({
  help: `
    bearings ui [--port N] [--engine URL] [--no-open]

    Serves a page on this machine only (127.0.0.1) and opens it in your browser. It lets in whoever has the one-use
    code shown in the terminal. Enter gives a new code, Ctrl-C ends it. Needs a terminal.

    --port N  the port (default: any free one)
    --engine URL  show its runs too: postgres://… (also: BEARINGS_ENGINE)
    --no-open  open no browser: only print address and code

    bearings ui  opens the page
  `,
  noJson: true,
  maxWords: 0,
  async run({ text, flag, number, terminal, openPage }) {
    if (!terminal.canAsk)
      throw needsTerminal(
        'The page is for a person: it gives its code to a terminal only.',
        'Run it in a terminal: bearings ui',
      );
    const port = number('port', 0, 65_535) ?? 0;
    await openPage(null, { port, open: !flag('no-open'), engine: engineUrl(text) });
    return EXIT.done;
  },
});
