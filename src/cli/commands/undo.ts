import type { Command } from '../command.ts';
import { askToGoBack } from '../review/go-back.ts';

export const command: Command = {
  summary: 'take a decision back',
  usage: ['bearings undo [DECISION] [--plain]'],
  details: [
    'Shows the text as it was before the decision, and asks. DECISION is the first word that history',
    'shows, or the id of a proposal; without it, your last decision that changed a text. An undo is a',
    'decision too: undo with its own name brings the text back. Needs a terminal (exit code 3 without).',
    'At confirm: passkey the page opens for the yes.',
  ],
  options: { plain: { type: 'boolean', about: 'line by line instead of the full screen (also: TERM=dumb)' } },
  waitingFor: 'reading the decisions',
  maxWords: 1,
  examples: [
    { line: 'bearings undo', about: 'the last decision' },
    { line: 'bearings undo 3fa94c01', about: 'one that history names' },
  ],
  async run(call) {
    return askToGoBack(call, await (await call.bearings.gate()).showUndo(call.words[0]));
  },
};
